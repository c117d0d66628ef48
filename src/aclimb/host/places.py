# SPDX-License-Identifier: Apache-2.0
"""Where the headers, sources and libraries for C and C++ programs are."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from aclimb import _door


@lru_cache(maxsize=1)
def host_dir() -> Path:
    """host in a checkout, aclimb/host in an installed wheel: the folder of include, src and cmake."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package.parents[1] / "host", package / "host"):
        if (folder / "include" / "acl" / "acl.h").is_file():
            return folder
    raise AssertionError(f"the host headers are missing beside {package}; install aclimb again")


def library() -> Path:
    """libascendcl.so, which is installed beside the door."""
    return Path(_door.__file__).resolve().parent / "host" / "lib64" / "libascendcl.so"
