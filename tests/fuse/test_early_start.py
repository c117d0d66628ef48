# SPDX-License-Identifier: Apache-2.0
"""SetNextTaskStart and WaitPreTaskEnd as a kernel author meets them, and `aclimb fuse` as a person does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from chains import KERNELS

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, errors, launch

PIPES = {"AIV": ["PIPE_MTE2", "PIPE_MTE3", "PIPE_V", "PIPE_S"], "AIC": ["PIPE_MTE1", "PIPE_MTE2", "PIPE_MTE3", "PIPE_FIX", "PIPE_M"]}
HEAD = '#include "kernel_operator.h"\nusing namespace AscendC;\nextern "C" __global__ __mix__(1, 1) void k(GM_ADDR x) {\n'


@pytest.mark.requirement("sk-27")
def test_every_documented_pipe_compiles() -> None:
    calls = [f"SetNextTaskStart<{aiv}, {aic}>();" for aiv in PIPES["AIV"] for aic in PIPES["AIC"]]
    body = "\n".join(
        [*calls, "SetNextTaskStart();", "SetNextTaskStart<PIPE_MTE3, PIPE_FIX, true>();", "WaitPreTaskEnd();", "WaitPreTaskEnd<true>();"]
    )
    (info,) = Program(HEAD + body + "\n}\n").compile().kernels
    assert (info.early_start_set, info.early_start_wait, info.early_start_scalar) == (True, True, True)


@pytest.mark.requirement("sk-27")
@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("SetNextTaskStart<PIPE_M>()", "AIV_PIPE is one of PIPE_MTE2, PIPE_MTE3, PIPE_S, PIPE_V"),
        ("SetNextTaskStart<PIPE_MTE3, PIPE_V>()", "AIC_PIPE is one of PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX, PIPE_M"),
    ],
)
def test_a_forbidden_pipe_does_not_compile(call: str, sentence: str) -> None:
    with pytest.raises(errors.CompileError, match=sentence):
        Program(f"{HEAD}{call};\n}}\n").compile()


@pytest.mark.requirement("sk-27")
def test_alone_the_calls_have_no_effect(stream: Stream) -> None:
    binary = Program(KERNELS / "rules.cpp").compile()
    buffers = [Buffer.from_array(np.zeros((48, 16), np.int32)) for _ in range(2)]
    for name in ("set_missing", "set_twice", "wait_twice"):  # nothing to break outside a SuperKernel
        launch(stream, LaunchConfig(3), Kernel(binary, name), *buffers)
    stream.synchronize()


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "aclimb", *map(str, words)], capture_output=True, text=True, check=False)


def test_the_command_fuses_files_explains_and_writes_the_plan(tmp_path: Path) -> None:
    Program(KERNELS / "rules.cpp").compile().save(tmp_path / "rules.o")
    file = tmp_path / "rules.o"
    done = run(
        "fuse",
        f"{file}:good_set@3",
        f"{file}:good_wait@2",
        "-o",
        tmp_path / "super.o",
        "--plan",
        tmp_path / "plan.json",
        "--explain",
        "--name",
        "both",
    )
    assert done.returncode == 0, done.stderr
    assert "V->V (config 5): good_set_0 says with SetNextTaskStart when it is done" in done.stdout
    assert "super.o: both: 2 sub-kernels, MIX_AIV_1_0, 3 blocks" in done.stdout
    assert json.loads((tmp_path / "plan.json").read_text())["num_blocks"] == 3
    made = KernelBinary.read(tmp_path / "super.o")
    assert made.plan is not None
    assert [sub.name for sub in made.plan.subs] == ["good_set_0", "good_wait_1"]
    assert "both: 2 sub-kernels, MIX_AIV_1_0, 3 blocks" in run("inspect", tmp_path / "super.o").stdout


def test_what_is_known_when_it_fuses_is_said_without_being_asked(tmp_path: Path) -> None:
    Program(KERNELS / "rules.cpp").compile().save(tmp_path / "rules.o")
    done = run("fuse", f"{tmp_path}/rules.o:mixed_sync_all@2", f"{tmp_path}/rules.o:plain@8")
    assert done.returncode == 0
    assert "aclimb error: K12: mixed_sync_all_0 calls SyncAll on fewer cores than the SuperKernel has" in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["rules.o"], "does not say how many blocks; write file.o@8"),
        (["rules.o:plain@3,colour=1"], "'colour=1' in 'rules.o:plain@3,colour=1' is not known"),
        (["rules.o:plain@3", "--options", "fast=1"], "option 'fast' does not exist"),
        (["gone.o@1"], "gone.o does not exist"),
        (["rules.o:plain@3,send=5+x"], "'send=5+x' in 'rules.o:plain@3,send=5+x' is not known"),
        (["rules.o:plain@3", "--plan", "gone/plan.json"], "gone/plan.json cannot be written: No such file or directory"),
        (["rules.o:plain@3", "--explain", "--accesses", "gone.json"], "gone.json cannot be read: No such file or directory"),
        (["rules.o:plain@3", "--explain", "--accesses", "rules.o"], "rules.o cannot be read: it is not text"),
    ],
)
def test_the_command_says_what_is_wrong(words: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Program(KERNELS / "rules.cpp").compile().save(tmp_path / "rules.o")
    done = run("fuse", *words)
    assert done.returncode == 1
    assert sentence in " ".join(done.stderr.split())
