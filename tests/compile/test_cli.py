# SPDX-License-Identifier: Apache-2.0
"""The command line: what it prints, and errors as one line with exit code 1."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from aclimb import chips, cli
from aclimb.version import __version__

KERNEL = """
template <typename T> __global__ __aicore__ void g(__gm__ T* x, T value) { x[0] = value + N; }
extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, uint32_t length) {
    if (TILING_KEY_IS(1)) x[0] = 1; AscendC::SyncAll();
}
"""
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def _run(*words: object, columns: int = 200) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["aclimb", *map(str, words)])
        monkeypatch.setenv("COLUMNS", str(columns))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return _run


def test_build_and_inspect_name_every_kernel(run: Run, write: Callable[..., Path], tmp_path: Path) -> None:
    target = tmp_path / "add.o"
    code, out, _ = run("build", write(KERNEL), "-o", target, "--soc", "ascend910b1", "-D", "N=3", "--instance", "g<float>")
    assert (code, out) == (0, f"{target}: add_custom, g<float> for Ascend910B1\n")
    assert (tmp_path / "add.json").exists()
    code, out, _ = run("inspect", target)
    assert code == 0
    assert out.splitlines()[0].startswith(f"{target}: Ascend910B1 (A2), ")
    rows = [line.split("  ") for line in out.splitlines()[3:]]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert cells == [
        ["add_custom", "MIX_AIV_1_0", "x: GM_ADDR, length: uint32", "1", "SyncAll"],
        ["g<float>", "AIV_ONLY", "x: float*, value: float", "-", "-"],
    ]
    code, out, _ = run("inspect", target, "--json")
    assert [kernel["name"] for kernel in json.loads(out)["aclimb"]["kernels"]] == ["add_custom", "g<float>"]


def test_errors_are_name_and_sentence_on_stderr_with_exit_code_1(run: Run, tmp_path: Path, write: Callable[..., Path]) -> None:
    code, out, err = run("build", tmp_path / "nope.cpp")
    assert (code, out) == (1, "")
    missing = "does not exist; give the path of a .cpp or .asc file, or the source as text of several lines"
    assert err == f"SourceNotFound: kernel source {tmp_path / 'nope.cpp'} {missing}\n"
    code, out, err = run("inspect", write("[red]int x;\n"))
    assert (code, out) == (1, "")
    assert err.startswith("InvalidBinary: ")
    assert "Traceback" not in err
    code, _, err = run("build", write(KERNEL.replace("x[0]", "[bold]y[0]")), "-D", "N=1")
    assert code == 1
    assert err.startswith("CompileError: kernel.cpp does not compile, ")
    assert "[bold]y[0]" in err


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        ((), 2, "  build         Build kernels into an operator binary, or a whole program.\n"),
        (("build", "--help"), 0, "  -D NAME[=VALUE]    Macro, NAME or NAME=value; may be given again.\n"),
        (("inspect", "--help"), 0, "  --json  Print the description as it is stored.\n"),
        (("build",), 2, "build --help' for help.\n\nError: Missing argument 'source'.\n"),
    ],
)
def test_help_is_plain_text(run: Run, words: tuple[str, ...], code: int, text: str) -> None:
    given, out, err = run(*words)
    assert given == code
    assert text in out + err


def test_the_list_of_commands_is_not_cut_at_80_columns(run: Run) -> None:
    _, out, _ = run("--help", columns=80)
    assert "  profile       Run a program and show what a chip would do.\n" in out
    assert "..." not in out.partition("Commands:")[2]


def test_output_that_finds_no_room_is_told_in_one_line() -> None:
    with open("/dev/full", "w") as full:
        for unbuffered in ("", "1"):
            done = subprocess.run([sys.executable, "-m", "aclimb", "chips"], stdout=full, stderr=subprocess.PIPE, text=True, check=False,
                                  env=os.environ | {"PYTHONUNBUFFERED": unbuffered})  # fmt: skip
            assert (done.returncode, done.stderr) == (1, "OSError: [Errno 28] No space left on device\n")


def test_version_chips_and_cache(run: Run, session_cache: Path) -> None:
    assert run("--version") == (0, f"aclimb {__version__}\n", "")
    code, out, _ = run("chips")
    assert code == 0
    assert "Ascend910_9392 (default)" in out
    assert len([line for line in out.splitlines() if "query only" not in line]) == len(chips.names()) + 1
    assert "Ascend950PR_9589 (query only)" in out
    code, out, _ = run("cache", "info")
    assert code == 0
    assert out.startswith(f"{session_cache}: ")
    assert out.endswith(" of 1024 MiB\n")


def test_cache_clear_says_what_it_removed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACLIMB_CACHE_DIR", str(tmp_path))
    assert run("cache", "clear") == (0, f"{tmp_path}: 0.0 MiB removed\n", "")
