# SPDX-License-Identifier: Apache-2.0
"""What tests of the driver share: the commands of the prefix, and a device that takes arrays."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import acl
from aclimb.host.prefix import prefix

ARCH = "--npu-arch=dav-2201"


def tool(name: str) -> Path:
    return prefix() / "compiler" / "ccec_compiler" / "bin" / name


def call(name: str, *words: str | Path, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command of the prefix, in a folder."""
    around = {**os.environ, "ASCEND_HOME_PATH": str(prefix()), **variables}
    return subprocess.run([tool(name), *map(str, words)], capture_output=True, text=True, cwd=folder, env=around, timeout=600)


def silent(name: str, *words: str | Path, folder: Path) -> None:
    """The command succeeds and has nothing to say."""
    done = call(name, *words, folder=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done.stderr


def run(program: Path, *words: str) -> str:
    """What a program says that ends well."""
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


class Npu:
    """Device 0 through acl, as host code in a library meets it."""

    def __init__(self) -> None:
        self.was_ready = acl.init() != 0
        assert acl.rt.set_device(0) == 0
        self.stream, code = acl.rt.create_stream()
        assert code == 0
        self._held: list[int] = []

    def put(self, array: npt.NDArray[Any]) -> int:
        address, code = acl.rt.malloc(max(array.nbytes, 32), 0)
        assert code == 0
        self._held.append(address)
        assert acl.rt.memcpy(address, array.nbytes, array.ctypes.data, array.nbytes, 1) == 0
        return int(address)

    def get(self, address: int, shape: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
        code = acl.rt.synchronize_stream(self.stream)
        assert code == 0, acl.get_recent_err_msg()
        back = np.zeros(shape, dtype)
        assert acl.rt.memcpy(back.ctypes.data, back.nbytes, address, back.nbytes, 2) == 0
        return back

    def close(self) -> None:
        for address in self._held:
            acl.rt.free(address)
        acl.rt.destroy_stream(self.stream)
        acl.rt.reset_device(0)
        if not self.was_ready:
            acl.finalize()
