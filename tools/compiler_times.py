# SPDX-License-Identifier: Apache-2.0
"""Modelled times of the examples, built by two compilers. What the scalar unit executes is counted in the compiler's own code, and the chip
has neither of them: so far the times differ, so far they cannot be trusted.

python tools/compiler_times.py [examples]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
COMPILERS = ("g++", "zig")
MOST = 0.05
WITHOUT_TIME = ("broken", "torch_decoder")  # a hang; torch, which aclimb does not bring along


def names() -> list[str]:
    return sorted(path.parent.name for path in EXAMPLES.glob("*/run.py") if path.parent.name not in WITHOUT_TIME)


def times(name: str, compiler: str) -> list[tuple[str, float]]:
    """(kernel, microseconds) of each launch."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "aclimb", "profile", "--output", folder, str(EXAMPLES / name / "run.py")]
        done = subprocess.run(command, env=os.environ | {"ACLIMB_CXX": compiler}, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{name} with {compiler}: {done.stderr.strip() or done.stdout.strip()}")
        launches = json.loads((Path(folder) / "profile.json").read_text())["launches"]
    return [(each["kernel"], each["task_us"]) for each in launches]


def differences(name: str) -> list[tuple[str, float, float]]:
    """(kernel, microseconds with the first compiler, with the second) of each launch."""
    first, second = (times(name, compiler) for compiler in COMPILERS)
    assert [kernel for kernel, _ in first] == [kernel for kernel, _ in second], name
    return [(kernel, one, two) for (kernel, one), (_, two) in zip(first, second, strict=True)]


def main() -> None:
    worst = 0.0
    print(f"{'example':<18} {'kernel':<28} {COMPILERS[0]:>10} {COMPILERS[1]:>10}  us")
    for name in sys.argv[1:] or names():
        for kernel, one, two in dict.fromkeys(differences(name)):
            worst = max(worst, abs(two / one - 1))
            print(f"{name:<18} {kernel:<28} {one:10.3f} {two:10.3f} {two / one - 1:+7.2%}", flush=True)
    print(f"at most {worst:.2%}; the goal is {MOST:.0%}")


if __name__ == "__main__":
    main()
