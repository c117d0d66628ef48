# SPDX-License-Identifier: Apache-2.0
"""Tests marked torch_npu run in a process of their own, started in the toolkit's environment: see client_process.py.

The function of such a test gets its parameters and nothing else, and runs there as it stands.
"""

from __future__ import annotations

import json
import pickle
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from aclimb.host import environment
from aclimb.host.prefix import prefix

HERE = Path(__file__).parent


def pytest_runtest_setup(item: pytest.Item) -> None:
    missing = [name for name in ("torch", "torch_npu") if find_spec(name) is None]
    if missing and item.get_closest_marker("torch_npu"):
        pytest.skip(f"{' and '.join(missing)} not installed; `make test-clients` has them")


def toolkit_environment() -> dict[str, str]:
    """What `eval "$(aclimb env)"` makes of the environment."""
    show = f"exec {shlex.quote(sys.executable)} -c 'import os, json; print(json.dumps(dict(os.environ)))'"
    shell = subprocess.run(["sh", "-c", environment.set_script(prefix()) + show], check=True, capture_output=True, text=True)
    found: dict[str, str] = json.loads(shell.stdout)
    return found


class Client:
    """The process, started when it is needed; a test that ended it is told so, and the next one gets another."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, file: Path, function: str, arguments: dict[str, Any], variables: dict[str, str]) -> str | None:
        """What went wrong, None for nothing."""
        if self._process is None:
            command = [sys.executable, str(HERE / "client_process.py")]
            environment = toolkit_environment() | variables
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        pickle.dump((str(file), function, arguments), process.stdin)
        process.stdin.flush()
        try:
            failure: str | None = pickle.load(process.stdout)
        except EOFError:
            self._process = None
            return f"the process ended with code {process.wait()}"
        return failure

    def end(self) -> None:
        if self._process is not None:
            self._process.communicate(timeout=600)
            self._process = None


client = Client()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    mark = pyfuncitem.get_closest_marker("torch_npu")
    if mark is None:
        return None
    is_alone = bool(mark.args or mark.kwargs)  # with variables of its own, or it leaves the device unusable
    if is_alone:
        client.end()
    arguments = dict(getattr(getattr(pyfuncitem, "callspec", None), "params", {}))
    failure = client.run(pyfuncitem.path, pyfuncitem.originalname, arguments, mark.kwargs)
    if is_alone:
        client.end()
    if failure:
        pytest.fail(failure, pytrace=False)
    return True


def pytest_sessionfinish() -> None:
    client.end()
