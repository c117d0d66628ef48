# SPDX-License-Identifier: Apache-2.0
"""What a C program switches on for itself, dumps and profiles, and what a check says of it: in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent


@pytest.mark.requirement("cpp-8")
@pytest.mark.parametrize("whole", [False, True], ids=["one launch", "all launches"])
@pytest.mark.parametrize("ends", ["aclFinalize", "return"])
def test_a_c_program_gets_its_dump_and_its_profile(kernels: Path, tmp_path: Path, whole: bool, ends: str) -> None:
    config = {"dump": {"dump_path": "dumps"}} | ({"profiler": {"switch": "on", "output": "prof"}} if whole else {})
    (tmp_path / "acl.json").write_text(json.dumps(config))
    command = [sys.executable, "-m", "aclimb", "run", "-q", str(HERE / "switches.c"), "acl.json", str(kernels)]
    done = subprocess.run([*command, *(["end"] if ends == "return" else [])], cwd=tmp_path, capture_output=True, text=True, check=False,
                          env={**os.environ, "ACLIMB_LOG": "INFO"})  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
    folder = tmp_path / ("prof" if whole else "aclimb_profile")
    count = "2 launches" if whole else "1 launch"
    assert done.stderr == f"aclimb info: the profile of {count} was written to {folder}\n"
    launches = json.loads((folder / "profile.json").read_text())["launches"]
    assert [each["kernel"] for each in launches] == ["fill"] * (2 if whole else 1)
    (file,) = (tmp_path / "dumps").rglob("*.npy")
    assert file.name == "fill.1.output.0.out.npy"
    np.testing.assert_array_equal(np.load(file).view(np.int32)[:16], 10 + 2 * np.arange(16))


NOT_WAITED_FOR = """
#include "acl/acl.h"
int main(int count, char** words) {
    aclrtStream stream;
    aclrtBinHandle binary;
    aclrtFuncHandle function;
    void* out;
    int32_t host[16];
    if (count < 2 || aclInit(NULL) || aclrtSetDevice(0) || aclrtCreateStream(&stream)) return 1;
    if (aclrtMalloc(&out, 64, ACL_MEM_MALLOC_HUGE_FIRST)) return 1;
    if (aclrtBinaryLoadFromFile(words[1], NULL, &binary) || aclrtBinaryGetFunction(binary, "fill", &function)) return 2;
    uint64_t arguments[4] = {(uint64_t)out, 10, 2, 16};
    if (aclrtLaunchKernelWithHostArgs(function, 1, stream, NULL, arguments, sizeof arguments, NULL, 0)) return 3;
    WAIT
    return aclrtMemcpy(host, 64, out, 64, ACL_MEMCPY_DEVICE_TO_HOST);
}
"""


@pytest.mark.requirement("cpp-8")
@pytest.mark.parametrize("waits", [False, True], ids=["no wait", "wait"])
def test_a_finding_of_a_c_program_names_no_line_of_ours(kernels: Path, tmp_path: Path, waits: bool) -> None:
    """Nor one of the packages that the command line is made of."""
    (tmp_path / "copies.c").write_text(NOT_WAITED_FOR.replace("WAIT", "aclrtSynchronizeStream(stream);" if waits else ""))
    command = [str(Path(sys.executable).parent / "aclimb"), "run", "-q", "copies.c", str(kernels)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env={**os.environ, "ACLIMB_CHECK": "1"})
    assert done.returncode == 0, done.stderr
    assert ("[H2]" in done.stderr) is not waits
    assert ("task launch\n" in done.stderr) is not waits
    assert ".py:" not in done.stderr
    assert "aclimb:" not in done.stderr
