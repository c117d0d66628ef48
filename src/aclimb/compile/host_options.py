# SPDX-License-Identifier: Apache-2.0
"""How the translation units of a program are compiled: what g++ would be told, and what the device build needs."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from aclimb.compile.options import Options


@dataclass(frozen=True, slots=True)
class HostOptions:  # driver, aclimb run -> compile/
    """Options of one unit. Macros and folders hold for both sides, in the order of the command line."""

    defines: tuple[tuple[str, str], ...] = ()
    undefines: tuple[str, ...] = ()
    include_dirs: tuple[Path, ...] = ()
    system_dirs: tuple[Path, ...] = ()  # -isystem
    included_files: tuple[str, ...] = ()  # -include
    language: str = "c++"  # c; c++, which may have kernels all the same; asc, where the words of kernels are known from the start
    standard: str = ""  # c++17, gnu++20; "" for the compiler's choice
    opt_level: str = "0"  # of the host part
    debug: bool = False
    flags: tuple[str, ...] = ()  # more for the host's compiler, such as -Wall and -pthread
    device_flags: tuple[str, ...] = ()
    device_opt_level: int = 1
    soc: str | None = None
    launch_functions: bool = False  # add aclrtlaunch_<kernel> for each kernel
    linked_later: bool = False  # the link of the program makes one image of all units
    host_only: bool = False  # no image at all
    cores: str = ""  # these two as in Options
    auto_sync: bool = False

    def macro_flags(self) -> list[str]:
        return [
            *(f"-D{name}={value}" for name, value in self.defines),
            *(f"-U{name}" for name in self.undefines),
            *self._includes(),
        ]

    def _includes(self) -> list[str]:
        return [flag for file in self.included_files for flag in ("-include", file)]

    def folder_flags(self) -> list[str]:
        return [*(f"-I{folder}" for folder in self.include_dirs), *(f for folder in self.system_dirs for f in ("-isystem", str(folder)))]

    def for_device(self) -> Options:
        folders = [Path(folder).absolute() for folder in (*self.include_dirs, *self.system_dirs)]
        made = Options.create(
            soc=self.soc,
            include_dirs=[folder for folder in folders if folder.is_dir()],  # as with g++, one that does not exist is no mistake
            defines=[f"{name}={value}" for name, value in self.defines],
            opt_level=self.device_opt_level,
            extra_flags=[*(f"-U{name}" for name in self.undefines), *self._includes(), *self._standard(), *self.device_flags],
        )
        names = {name for name, _ in self.defines}
        workspace = 0 if "HAVE_WORKSPACE" not in names else 2 if "HAVE_TILING" in names else 1
        made = replace(made, cores=self.cores, auto_sync=self.auto_sync)
        return replace(made, has_host_part=True, workspace_from_end=workspace if self.launch_functions else 0)

    def _standard(self) -> list[str]:
        """Device code is C++17 whatever lower level is asked for."""
        return [f"-std={self.standard}"] if number_of(self.standard) > OLDEST else []


FOR_OUR_HEADERS = ("ASCENDC_DUMP", "ASCENDC_CPU_DEBUG")  # macros of the user that our headers ask for
OLDEST = 17  # of C++, what our headers need


def number_of(standard: str) -> int:
    """17 for gnu++17; the names of drafts count as what they became."""
    digits = re.sub(r".*\+\+", "", standard)
    drafts = {"98": 3, "03": 3, "0x": 11, "1y": 14, "1z": 17, "2a": 20, "2b": 23, "2c": 26}
    return drafts.get(digits, int(digits) if digits.isdecimal() else OLDEST)
