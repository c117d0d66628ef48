# SPDX-License-Identifier: Apache-2.0
"""The C API for libraries that call it: launch functions start their kernels with aclrtLaunchKernel*."""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import os
from pathlib import Path


def offer_c_api(library: Path) -> None:
    """Where the library calls acl functions, they are answered in this process from now on, whether it names libascendcl or not."""
    if not _calls_acl(library) or importlib.util.find_spec("aclimb.host") is None:
        return
    importlib.import_module("aclimb.host.door").open_door()
    places = importlib.import_module("aclimb.host.places")
    ctypes.CDLL(str(places.library()), mode=os.RTLD_NOW | os.RTLD_GLOBAL)


_OF_THE_DOOR = ("aclimb_platform", "aclimb_tiling", "aclimb_log")  # weak: a library of operators does without them


def _calls_acl(library: Path) -> bool:
    from elftools.elf.elffile import ELFFile
    from elftools.elf.sections import SymbolTableSection

    with library.open("rb") as file:
        if file.read(4) != b"\x7fELF":
            return False
        table = ELFFile(file).get_section_by_name(".dynsym")
        if not isinstance(table, SymbolTableSection):
            return False
        return any(
            each["st_shndx"] == "SHN_UNDEF" and each.name.startswith("acl") and each.name not in _OF_THE_DOOR
            for each in table.iter_symbols()
        )
