# SPDX-License-Identifier: Apache-2.0
"""From a kernel with a missing flag to a finding, with the engine itself: in Python, by the command, and for a C++ program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.check.engine_side import Session
from aclimb.check.places import LaunchPlaces

KERNEL = """\
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 1024);
    LocalTensor<float> tile = buffer.Get<float>();
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 256);
    to.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * 256);
    DataCopy(tile, from, 256);
    // here
    Add(tile, tile, tile, 256);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, tile, 256);
}
"""
FLAG = "SetFlag<HardEvent::MTE2_V>(EVENT_ID0); WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);"
PROGRAM = """\
from pathlib import Path
import numpy as np
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

kernel = Kernel(Program(Path(__file__).with_name("twice.cpp")).compile())
x, z = Buffer.from_array(np.arange(1024, dtype=np.float32)), Buffer.from_array(np.zeros(1024, np.float32))
launch(Stream(), LaunchConfig(num_blocks=4), kernel, x, z)
assert (z.to_numpy() == 2 * np.arange(1024)).all()
"""
ASC = (
    KERNEL
    + """
#include "acl/acl.h"
int main() {
    aclInit(nullptr);
    aclrtSetDevice(0);
    void *x, *z;
    aclrtStream stream;
    aclrtCreateStream(&stream);
    aclrtMalloc(&x, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&z, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemset(x, 4096, 0, 4096);
    twice<<<4, nullptr, stream>>>((uint8_t*)x, (uint8_t*)z);
    aclrtSynchronizeStream(stream);
    aclrtFree(x);
    aclrtFree(z);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    return aclFinalize();
}
"""
)
FOUND = """\
Race: MTE2 writes and V reads tile (UB bytes 0x0000-0x03ff) in no order, twice, 4 of 4 blocks, first block 0 (AIV 0)   [O1]
    MTE2 writes tile   twice.cpp:12   DataCopy(tile, from, 256);
    V    reads  tile   twice.cpp:14   Add(tile, tile, tile, 256);
    missing: MTE2_V; nothing stands between them
    smallest change: SetFlag and WaitFlag<HardEvent::MTE2_V> between lines 12 and 14
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "twice.cpp").write_text(KERNEL)
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def mend(folder: Path) -> None:
    (folder / "twice.cpp").write_text(KERNEL.replace("// here", FLAG))


def check(folder: Path, *words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "aclimb", "check", *map(str, words)]
    settings = {**os.environ, "NO_COLOR": "1", **environment}
    return subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, timeout=600, check=False)


def run(source: Path) -> None:
    x = Buffer.from_array(np.arange(1024, dtype=np.float32))
    z = Buffer.from_array(np.zeros(1024, np.float32))
    launch(Stream(), LaunchConfig(num_blocks=4), Kernel(Program(source).compile()), x, z)
    np.testing.assert_array_equal(z.to_numpy(), 2 * np.arange(1024))


def test_a_missing_flag_is_found_although_the_result_is_right(folder: Path) -> None:
    with aclimb.check() as c:
        run(folder / "twice.cpp")
    assert c.report().startswith(FOUND)
    (finding,) = c.findings
    assert (finding.rule, finding.missing, finding.blocks) == ("O1", "MTE2_V", 4)
    assert c.result.launches == 1


def test_the_change_that_is_proposed_makes_it_clean(folder: Path) -> None:
    mend(folder)
    with aclimb.check(raise_=True) as c:
        run(folder / "twice.cpp")
    assert c.report() == "checked 1 launch: nothing found\n"


def test_a_comment_in_the_source_silences_it_and_is_listed_when_it_is_not_needed(folder: Path) -> None:
    source = folder / "twice.cpp"
    source.write_text(KERNEL.replace("// here", "// aclimb: ignore[O1, O2] for the test"))
    with aclimb.check() as c:
        run(source)
    assert (c.findings, [by.line for _, by in c.result.suppressed]) == ((), [13])
    assert [(by.short, rule) for by, rule in c.result.unused] == [("twice.cpp:13", "O2")]
    source.write_text(KERNEL.replace("// here", f"{FLAG} // aclimb: ignore[O1] long ago"))
    with aclimb.check() as c:
        run(source)
    assert [(by.short, rule) for by, rule in c.result.unused] == [("twice.cpp:13", "O1")]


def test_global_memory_is_named_by_the_parameter(folder: Path) -> None:
    (folder / "twice.cpp").write_text(
        KERNEL.replace("// here", FLAG).replace("(__gm__ float*)z + GetBlockIdx() * 256", "(__gm__ float*)z + GetBlockIdx() * 248")
    )
    with aclimb.check() as c:
        x, z = (Buffer.from_array(np.zeros(1024, np.float32)) for _ in range(2))
        stream = Stream()
        launch(stream, LaunchConfig(num_blocks=4), Kernel(Program(folder / "twice.cpp").compile()), x, z)
        stream.synchronize()
    assert [each.rule for each in c.findings] == ["O6"]  # all of them write zeros
    assert "to (GM bytes 0x03e0-0x03ff of z) in no order" in c.findings[0].headline


def test_a_session_names_the_lines_of_its_launches(folder: Path) -> None:
    with Session(tape=True) as session:
        run(folder / "twice.cpp")
    (launched,) = session.launches
    assert LaunchPlaces(launched).row(launched.findings[0].first) == "twice.cpp:12   DataCopy(tile, from, 256);"
    assert next(str(each) for each in session.findings()).startswith(FOUND.rstrip("\n"))


def test_the_command_finds_it_in_a_python_program(folder: Path) -> None:
    done = check(folder, "program.py", "-o", "report.html", "-o", "report.json")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith(FOUND + "    4 times, launched at program.py:7\n\nchecked 1 launch: 1 error\n")
    assert json.loads((folder / "report.json").read_text())["findings"][0]["launch_place"]["line"] == 7
    page = (folder / "report.html").read_text()
    assert '"profile":{"format":"aclimb profile"' in page
    mend(folder)
    assert check(folder, "program.py").stdout == "checked 1 launch: nothing found\n"


def test_the_command_finds_it_in_a_cpp_program(folder: Path) -> None:
    (folder / "twice.cpp").unlink()
    (folder / "twice.asc").write_text(ASC)
    done = check(folder, "twice.asc")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith(FOUND.replace("twice.cpp", "twice.asc"))
    assert done.stdout.splitlines()[-1] == "checked 1 launch: 1 error"


def test_the_variable_finds_it_too(folder: Path) -> None:
    settings = {**os.environ, "NO_COLOR": "1", "ACLIMB_CHECK": "1"}
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=folder, env=settings, capture_output=True, text=True, timeout=600, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith(FOUND)
