# SPDX-License-Identifier: Apache-2.0
"""`aclimb try`: every kind and every outcome, for real; the user's folder is as it was, and one that hangs or crashes keeps nobody up."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from aclimb.op.project.new import new_project

SAMPLES = Path(__file__).parents[2] / "examples" / "cpp" / "samples"
PAGE = Path(__file__).parents[2] / "docs" / "try_a_folder.md"

HEAD = '#include "acl/acl.h"\n#include <stdio.h>\n#include <stdlib.h>\n'
KERNEL = """#include "kernel_operator.h"
__global__ __aicore__ void fill(GM_ADDR x, uint32_t length) {
    AscendC::GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer((__gm__ int32_t*)x, 8);
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 64);
    AscendC::LocalTensor<int32_t> local = buffer.Get<int32_t>();
    AscendC::Duplicate(local, 7, 8);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DataCopy(gm, local, length);
}
"""
MAIN = """int main() {
    int32_t y[8] = {0};
    void* x = nullptr;
    aclrtSetDevice(0);
    aclrtMalloc(&x, 32, ACL_MEM_MALLOC_HUGE_FIRST);
    fill<<<1, nullptr, nullptr>>>((GM_ADDR)x, LENGTH);
    if (aclrtSynchronizeDevice() != ACL_SUCCESS) return 1;
    aclrtMemcpy(y, 32, x, 32, ACL_MEMCPY_DEVICE_TO_HOST);
    fwrite(y, 4, 8, stdout);
    return 0;
}
"""


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def state(folder: Path) -> dict[str, Any]:
    """Everything about the files of a folder."""
    return {
        str(path): (path.stat().st_mode, path.stat().st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "")
        for path in [folder, *sorted(folder.rglob("*"))]
    }


def aclimb(*words: str | Path, **environment: str) -> tuple[int, str, str]:
    done = subprocess.run([sys.executable, "-m", "aclimb", "try", *map(str, words)], capture_output=True, text=True, timeout=900,
                          env=os.environ | {"COLUMNS": "200"} | environment)  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def tried(folder: Path, *words: str) -> tuple[int, dict[str, Any]]:
    """The exit code, and rows by name; the folder is looked at before and behind."""
    before = state(folder)
    code, out, err = aclimb(folder, "--json", *words)
    assert state(folder) == before
    assert err == ""
    found = json.loads(out)
    if found["logs"]:
        assert sorted(Path(found["logs"]).iterdir())
        shutil.rmtree(Path(found["logs"]).parent)
    return code, {row["name"]: row for row in found["rows"]}


def cells(row: dict[str, Any]) -> tuple[str, str]:
    return row["result"], row["reason"]


@pytest.mark.requirement("cpp-42")
def test_one_that_computes_wrongly_crashes_or_is_refused_takes_its_own_row(tmp_path: Path) -> None:
    folder = write(tmp_path, {
        "good/good.c": HEAD + 'int main(void) { puts(getenv("ASCEND_HOME_PATH") ? "here" : "[Failed] no toolkit"); return 0; }\n',
        "wrong/wrong.c": HEAD + 'int main(void) { puts("at 3: expected 4, got 5\\n[Failed]"); return 0; }\n',
        "crashes/crashes.c": HEAD + "int main(void) { *(volatile int*)0 = 1; return 0; }\n",
        "refused/refused.c": HEAD + "int main(void) { return aclprofFinalize() == ACL_SUCCESS ? 0 : 1; }\n",
    })  # fmt: skip
    code, rows = tried(folder)
    assert code == 1
    assert cells(rows["good/good.c"]) == ("passes", "")
    assert cells(rows["wrong/wrong.c"]) == ("wrong", "at 3: expected 4, got 5")
    assert cells(rows["crashes/crashes.c"]) == ("fails", "the program ended by SIGSEGV")
    assert rows["refused/refused.c"]["result"] == "unsupported"
    assert rows["refused/refused.c"]["call"] == "aclprofFinalize"
    assert "output" not in rows["good/good.c"]
    assert "[Failed]" in rows["wrong/wrong.c"]["output"]


@pytest.mark.slow
@pytest.mark.requirement("cpp-42")
def test_one_that_hangs_lacks_data_or_does_not_compile_takes_its_own_row(tmp_path: Path) -> None:
    folder = write(tmp_path, {
        "good/good.c": HEAD + "int main(void) { return 0; }\n",
        "hangs/hangs.c": HEAD + "int main(void) { for (;;) {} }\n",
        "data/data.c": HEAD + 'int main(void) { return fopen("./input/x.bin", "rb") ? 0 : 1; }\n',
        "broken/broken.c": HEAD + "int main(void) { return missing; }\n",
        "usage/usage.c": HEAD + 'int main(int n, char** words) { if (n < 2) printf("usage: %s N\\n", words[0]); return n < 2; }\n',
    })  # fmt: skip
    code, rows = tried(folder, "--timeout", "20")
    assert code == 1
    assert cells(rows["good/good.c"]) == ("passes", "")
    assert cells(rows["hangs/hangs.c"]) == ("fails", "the program was still running after 20 s, and was ended")
    assert cells(rows["data/data.c"]) == ("needs", "./input/x.bin is not there, and no script made it")
    assert cells(rows["usage/usage.c"]) == ("needs", "arguments; usage: usage/build/usage N")
    assert rows["broken/broken.c"]["result"] == "fails"
    assert re.match(r"broken\.c:4: .*missing", rows["broken/broken.c"]["reason"])


def test_what_is_unsupported_or_lacks_something_leaves_the_exit_code_at_0(tmp_path: Path) -> None:
    folder = write(tmp_path, {
        "k.cpp": KERNEL.replace("PipeBarrier<PIPE_ALL>()", "GetVecLen()"),
        "header/k.cpp": '#include "data_utils.h"\n' + KERNEL,
        "fine/k.cpp": KERNEL,
    })  # fmt: skip
    code, out, err = aclimb(folder, "-j", "1")
    assert (code, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[:4] == [
        "what kind result why",
        "fine/k.cpp kernel builds a kernel that nobody launches",
        "header/k.cpp kernel needs the header data_utils.h is not there",
        "k.cpp kernel unsupported AscendC::GetVecLen, a part of registers of later products, does not exist on Atlas A2 and A3",
    ]
    assert lines[4] == "3 tried: 1 builds, 1 unsupported, 1 needs"
    logs = Path(lines[5].removeprefix("what they said: "))
    assert sorted(path.name for path in logs.iterdir()) == ["header_k.cpp.log", "k.cpp.log"]
    assert "AscendC::GetVecLen" in (logs / "k.cpp.log").read_text()
    assert not (logs.parent / "copy").exists()
    shutil.rmtree(logs.parent)


def test_the_copy_stays_where_it_is_asked_for_and_nothing_else_does(tmp_path: Path) -> None:
    folder, temporary = write(tmp_path / "mine", {"a/k.c": HEAD + "int main(void) { return 0; }\n"}), tmp_path / "tmp"
    temporary.mkdir()
    code, _, _ = aclimb(folder, TMPDIR=str(temporary))
    assert code == 0
    assert list(temporary.iterdir()) == []
    code, out, _ = aclimb(folder, "--keep", TMPDIR=str(temporary))
    [copy] = temporary.glob("aclimb-try-*/copy")
    assert out.splitlines()[-1] == f"the scratch copy: {copy}"
    assert (copy / "a" / "build" / "k").is_file()


@pytest.mark.parametrize(("words", "told"), [
    (["nope"], "SourceNotFound: nope is not a folder; give one with programs, kernels or operator projects in it\n"),
    ([".", "--only", "zz"], "InvalidArgument: --only zz fits none of the 1 in ., such as k.cpp\n"),
    ([".", "--timeout", "0"], "InvalidArgument: --timeout is 0; it takes seconds, a number above 0\n"),
])  # fmt: skip
def test_what_cannot_be_tried_is_told_before_anything_begins(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"k.cpp": KERNEL})
    monkeypatch.chdir(tmp_path)
    assert aclimb(*words) == (1, "", told)


def test_ctrl_c_ends_what_runs(tmp_path: Path) -> None:
    source = 'int main(void) { FILE* f = fopen("PLACE", "w"); fprintf(f, "%d", getpid()); fclose(f); for (;;) {} }\n'
    folder, place, temporary = tmp_path / "mine", tmp_path / "pid", tmp_path / "tmp"
    temporary.mkdir()
    write(folder, {"hangs.c": HEAD + "#include <unistd.h>\n" + source.replace("PLACE", str(place))})
    process = subprocess.Popen([sys.executable, "-m", "aclimb", "try", str(folder)], env=os.environ | {"TMPDIR": str(temporary)},
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    until = time.monotonic() + 600
    while not (place.exists() and place.read_text()) and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=600)
    assert process.returncode != 0
    while Path(f"/proc/{place.read_text()}").exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not Path(f"/proc/{place.read_text()}").exists()
    assert list(temporary.iterdir()) == []


# --- kinds, with their data and scripts

GEN = "import numpy, os\nos.makedirs('output', exist_ok=True)\nnumpy.full(8, VALUE, numpy.int32).tofile('./output/golden.bin')\n"
VERIFY = """import sys, numpy
got, golden = (numpy.fromfile(name, numpy.int32) for name in sys.argv[1:])
wrong = numpy.flatnonzero(got != golden)
if wrong.size:
    print(f"data index: {wrong[0]}, expected: {golden[wrong[0]]}, actual: {got[wrong[0]]}")
    raise ValueError("[ERROR] result error")
print("test pass")
"""
WRITES = MAIN.replace("fwrite(y, 4, 8, stdout);", 'FILE* f = fopen("./output/output.bin", "wb");\n    fwrite(y, 4, 8, f);\n    fclose(f);')
CMAKE = """cmake_minimum_required(VERSION 3.16)
find_package(ASC REQUIRED)
project(demo LANGUAGES ASC CXX)
add_executable(demo demo.asc)
"""


def project(value: int, source: str) -> dict[str, str]:
    return {
        "CMakeLists.txt": CMAKE,
        "demo.asc": source,
        "scripts/gen_data.py": GEN.replace("VALUE", str(value)),
        "scripts/verify_result.py": VERIFY,
    }


@pytest.mark.slow
@pytest.mark.requirement("cpp-42")
def test_projects_with_their_scripts(tmp_path: Path) -> None:
    source = HEAD + KERNEL + WRITES.replace("LENGTH", "8")
    projects = {
        "passes": project(7, source),
        "wrong": project(6, source),
        "fault": project(7, source.replace("x, 8);", "x, 3);")),
        "package": project(7, source) | {"scripts/gen_data.py": "import a_package_that_nobody_has\n"},
        "cmake": project(7, source) | {"CMakeLists.txt": CMAKE + "find_package(Nothing REQUIRED)\n"},
        "silent": project(7, source.replace("./output/output.bin", "./elsewhere.bin")),
        "slow": project(7, source) | {"scripts/verify_result.py": "import time\ntime.sleep(600)\n"},
        "library": {"CMakeLists.txt": CMAKE.replace("add_executable(demo", "add_library(demo STATIC"), "demo.asc": HEAD + KERNEL},
    }
    folder = write(tmp_path, {f"{name}/{path}": text for name, files in projects.items() for path, text in files.items()})
    code, rows = tried(folder, "--timeout", "60")
    assert code == 1
    assert {name: row["kind"] for name, row in rows.items()} == dict.fromkeys(projects, "CMake project")
    assert cells(rows["passes"]) == ("passes", "")
    assert cells(rows["wrong"]) == ("wrong", "data index: 0, expected: 6, actual: 7")
    assert rows["fault"]["result"] == "fails"
    assert re.match(r"5070\d\d: aclrtSynchronizeDevice: DataCopy of 12 bytes, which are no multiple of 32", rows["fault"]["reason"])
    assert cells(rows["package"]) == ("needs", "the Python package a_package_that_nobody_has is not installed")
    assert cells(rows["cmake"]) == ("needs", "CMake finds no package Nothing")
    assert rows["silent"]["result"] == "wrong"  # the script is given what there is, which is too little
    assert cells(rows["slow"]) == ("fails", "verify_result.py was still running after 60 s, and was ended")
    assert cells(rows["library"]) == ("builds", "it makes no program")


PLAIN = """cmake_minimum_required(VERSION 3.16)
project(demo LANGUAGES CXX)
set(ASCEND_PATH $ENV{ASCEND_HOME_PATH})
add_executable(demo main.cpp)
"""
FOUND = """target_include_directories(demo PRIVATE ${ASCEND_PATH}/include)
target_link_libraries(demo PRIVATE ${ASCEND_PATH}/lib64/libascendcl.so)
"""


@pytest.mark.slow
@pytest.mark.requirement("cpp-42")
def test_a_project_that_does_not_look_in_the_toolkit_is_told_so(tmp_path: Path) -> None:
    main = HEAD + "int main() { uint32_t count = 0; return aclrtGetDeviceCount(&count); }\n"
    json = "#include <nlohmann/json.hpp>\n" + main
    sources = {"lost": (PLAIN, main), "found": (PLAIN + FOUND, main), "other": (PLAIN + FOUND, json)}
    files = {
        f"{name}/{file}": text for name, each in sources.items() for file, text in zip(("CMakeLists.txt", "main.cpp"), each, strict=True)
    }
    code, rows = tried(write(tmp_path, files))
    assert code == 0
    look = "and the project's build does not look there: add $ASCEND_HOME_PATH/include to its include folders"
    assert cells(rows["lost"]) == ("needs", f"aclimb has acl/acl.h, {look}")
    assert cells(rows["found"]) == ("passes", "")
    assert cells(rows["other"]) == ("needs", "the header nlohmann/json.hpp of nlohmann-json")


@pytest.mark.slow
@pytest.mark.requirement("cpp-42")
def test_operator_projects(tmp_path: Path) -> None:
    for name, change in (("Good", ("", "")), ("Wrong", ("x * np", "x + np")), ("Bare", None)):
        folder = new_project(name, tmp_path / name.lower())
        check = folder / "check.py"
        if change is None:
            check.unlink()
        else:
            check.write_text(check.read_text().replace(*change))
    host = next((new_project("Broken", tmp_path / "broken") / "op_host").iterdir())
    host.write_text(host.read_text().replace("uint32_t count =", "uint32_t count ="[:-1]))
    code, rows = tried(tmp_path)
    assert code == 1
    assert cells(rows["good"]) == ("passes", "")
    assert cells(rows["bare"]) == ("builds", "there is no check.py to compare with")
    assert rows["wrong"]["result"] == "wrong"
    assert re.match(r"\[1\] float32: launch output 0: 1 of 1 elements differ", rows["wrong"]["reason"]), rows["wrong"]["reason"]
    assert rows["broken"]["result"] == "fails"
    assert rows["broken"]["reason"].startswith("broken.cpp:")


@pytest.mark.slow
@pytest.mark.requirement("cpp-42")
def test_headers_of_an_operator_are_looked_for_in_the_repository_around_the_folder(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "common").mkdir()
    (tmp_path / "common" / "shared_log.h").write_text("#pragma once\n")
    folder = new_project("Part", tmp_path / "ops" / "part")
    (folder / "check.py").unlink()
    host = next((folder / "op_host").glob("*.cpp"))
    host.write_text('#include "shared_log.h"\n' + host.read_text())
    _, rows = tried(tmp_path / "ops")
    assert cells(rows["part"]) == ("builds", "there is no check.py to compare with")
    (tmp_path / "common" / "shared_log.h").unlink()
    _, rows = tried(tmp_path / "ops")
    assert cells(rows["part"]) == ("needs", "the header shared_log.h is not there")


@pytest.mark.slow
@pytest.mark.requirement("cpp-42")
def test_the_samples_run_unmodified_and_the_page_has_their_table() -> None:
    code, rows = tried(SAMPLES)
    assert code == 0
    expected = {
        "later_product/later_product.asc": "unsupported",
        "model_data/model_data.asc": "needs",
        "leaky_relu/leaky_relu.cpp": "builds",
    }
    assert {name: row["result"] for name, row in rows.items()} == dict.fromkeys(rows, "passes") | expected
    assert rows["later_product/later_product.asc"]["call"] == "AtomicAdd"
    assert {row["kind"] for row in rows.values()} == {"program", "CMake project", "operator project", "kernel"}
    assert all(
        re.search(rf"^{re.escape(name)} +{row['kind']} +{row['result']}\b", PAGE.read_text(), re.MULTILINE) for name, row in rows.items()
    )


def test_every_sample_is_found() -> None:
    from aclimb.trial.units import find

    folders = {path.name for path in SAMPLES.iterdir() if path.is_dir()} - {"common"}
    assert {unit.folder.parts[0] for unit in find(SAMPLES)} == folders
