# SPDX-License-Identifier: Apache-2.0
"""`eval "$(aclimb env)"`: a shell that finds commands, headers and libraries where those of CANN would be, and how it goes back."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from aclimb import chips
from aclimb.host import environment
from aclimb.host.prefix import LIBRARIES, prefix

SHELLS = [pytest.param(each, marks=pytest.mark.skipif(not shutil.which(each), reason=f"no {each}")) for each in ("dash", "bash")]
NAMES = ["ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_AICPU_PATH", "ASCEND_OPP_PATH", "TOOLCHAIN_HOME"]
LISTS = ["CMAKE_PREFIX_PATH", "LD_LIBRARY_PATH", "PATH"]
SHOW = "\n".join(f'echo "{name} ${{{name}-unset}}"' for name in [*NAMES, *LISTS])
SET = f'eval "$({sys.executable} -m aclimb env)"'
UNDO = f'eval "$({sys.executable} -m aclimb env --undo)"'


def shell(name: str, script: str, **variables: str) -> tuple[dict[str, str], str]:
    """(variables at the end, standard error). Others than those given are not set."""
    around = {key: value for key, value in os.environ.items() if key not in (*NAMES, *LISTS)} | {"PATH": os.environ["PATH"]} | variables
    done = subprocess.run([name, "-c", f"set -eu\n{script}\n{SHOW}"], capture_output=True, text=True, env=around, timeout=600)
    assert done.returncode == 0, done.stderr
    return dict(line.split(" ", 1) for line in done.stdout.splitlines() if line.split(" ")[0] in (*NAMES, *LISTS)), done.stderr


@pytest.mark.requirement("tool-1")
@pytest.mark.parametrize("name", SHELLS)
def test_a_shell_finds_the_toolkit_and_a_second_time_changes_nothing(name: str) -> None:
    root = prefix()
    found, said = shell(name, f"{SET}\ncommand -v bisheng\ncommand -v ccec\ncommand -v ld.lld")
    again, _ = shell(name, f"{SET}\n{SET}\n. {root}/set_env.sh")
    assert (said, again) == ("", found)
    assert [found[each] for each in NAMES] == [str(root)] * 3 + [f"{root}/opp", f"{root}/toolkit"]
    assert found["PATH"] == f"{root}/compiler/ccec_compiler/bin:{root}/bin:{os.environ['PATH']}"
    assert (found["LD_LIBRARY_PATH"], found["CMAKE_PREFIX_PATH"]) == (f"{root}/lib64", f"{root}/lib64/cmake")


@pytest.mark.requirement("tool-2")
@pytest.mark.parametrize("name", SHELLS)
def test_undo_gives_back_what_was_there(name: str) -> None:
    before = {"ASCEND_HOME_PATH": "/opt/it's CANN", "LD_LIBRARY_PATH": "/opt/lib:", "PATH": f":/a b:{os.environ['PATH']}"}
    plain, _ = shell(name, "", **before)
    for script in (f"{SET}\n{UNDO}", f"{SET}\n{SET}\n{UNDO}\n{UNDO}", UNDO):
        assert shell(name, script, **before)[0] == plain
    assert plain["CMAKE_PREFIX_PATH"] == "unset"


@pytest.mark.requirement("tool-2")
def test_another_toolkit_that_is_active_is_told() -> None:
    _, said = shell("sh", SET, ASCEND_HOME_PATH="/opt/cann")
    assert said == 'aclimb: the toolkit at /opt/cann was active; aclimb\'s is now, until: eval "$(aclimb env --undo)"\n'


def test_folders_that_came_in_front_meanwhile_go_behind() -> None:
    root = prefix()
    found, _ = shell("sh", f'{SET}\nPATH="/other:$PATH"\n{SET}')
    assert found["PATH"].split(":")[:3] == [f"{root}/compiler/ccec_compiler/bin", f"{root}/bin", "/other"]


def test_names_with_blanks_and_quotes_are_no_trouble(tmp_path: Path) -> None:
    root = tmp_path / "it's a folder"
    found, _ = shell("sh", f"{environment.set_script(root)}\n{environment.set_script(root)}")
    assert found["ASCEND_OPP_PATH"] == f"{root}/opp"
    assert found["LD_LIBRARY_PATH"] == f"{root}/lib64"


# --- the tree


@pytest.mark.requirement("tool-1")
def test_every_place_that_tools_ask_for_is_there() -> None:
    root, machine = prefix(), os.uname().machine
    folders = ("compiler/ccec_compiler/bin", "tools/ccec_compiler/bin", f"{machine}-linux/ccec_compiler/bin")
    for name in ("bisheng", "ccec", "ld.lld", "llvm-ar", "llvm-objcopy", "llvm-strip"):
        for folder in folders:
            assert os.access(root / folder / name, os.X_OK), (folder, name)
    assert all(os.access(root / "bin" / name, os.X_OK) for name in ("bisheng", "ccec"))
    runtimes = ("include/experiment", "pkg_inc", f"{machine}-linux/pkg_inc")
    for path in (
        "set_env.sh", "bin/setenv.bash", "opp", "runtime", "compiler", "toolkit", "include/acl/acl.h", "include/version/cann_version.h",
        "tools/bisheng_compiler/bin/ccec", "tools/simulator/dav_2201/lib/libruntime_camodel.so", "lib64/cmake/asc-config.cmake",
        "include/runtime/rt.h", *(f"{folder}/runtime/runtime/{name}.h" for folder in runtimes for name in ("rt", "rt_ffts", "base")),
        "lib64/libtiling_api.a", "pkg_inc/base",
        "include/experiment/msprof/toolchain/prof_api.h", "pkg_inc/profiling/prof_api.h", "pkg_inc/toolchain/prof_api.h",
        "include/experiment/platform/platform/platform_infos_def.h",
        "include/experiment/metadef/common/util/error_manager/error_manager.h", "include/toolchain/slog.h", "pkg_inc/base/dlog_pub.h",
        f"{machine}-linux/ascend_toolkit_install.info", f"{machine}-linux/pkg_inc/base/err_msg.h",
        f"{machine}-linux/include/acl/acl.h", f"{machine}-linux/lib64/libascendcl.so", "simulator/dav_2201/lib",
        *(f"tools/simulator/{chip}/lib/libruntime_camodel.so" for chip in chips.names()), *(f"lib64/lib{each}.so" for each in LIBRARIES),
    ):  # fmt: skip
        assert (root / path).exists(), path


def test_no_link_leads_around_in_a_circle() -> None:
    root = prefix()
    links = [Path(folder) / name for folder, folders, _ in os.walk(root) for name in folders if (Path(folder) / name).is_symlink()]
    for link in links:
        assert not link.resolve().is_relative_to(link.parent.resolve() / link.name), link
        assert link.resolve() not in [parent.resolve() for parent in link.parents], link


@pytest.mark.requirement("tool-30")
def test_version_files_are_read_as_tools_read_them() -> None:
    root = prefix()
    for path in ("opp/version.info", "compiler/version.info", "runtime/version.info", "version.cfg"):
        text = (root / path).read_text()
        assert re.findall(r"Version=(\d+.\d+.\d+)", text) == ["9.0.0"], path
        grep = subprocess.run(["grep", "-w", "Version", root / path], capture_output=True, text=True).stdout
        assert grep.split("=")[1].strip() == "9.0.0"
    assert (root / "ascend_toolkit_install.info").read_text() == "version=9.0.0\n"


@pytest.mark.parametrize(("file", "name"), [("cann_version.h", "CANN"), ("asc_devkit_version.h", "ASC_DEVKIT")])
def test_version_headers_are_c(file: str, name: str, tmp_path: Path) -> None:
    text = f'#include "version/{file}"\n#if {name}_MAJOR < 9\n#error old\n#endif\nconst char* v = {name}_VERSION_STR;\n'
    (tmp_path / "a.c").write_text(text)
    command = [prefix() / "bin" / "bisheng", "-x", "c", "-I", prefix() / "include", "-c", tmp_path / "a.c", "-o", tmp_path / "a.o"]
    assert subprocess.run(command).returncode == 0
