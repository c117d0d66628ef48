# SPDX-License-Identifier: Apache-2.0
"""The facts of a chip as fe::PlatFormInfos reads them (host/include/platform/platform_infos_def.h): lines of text."""

from __future__ import annotations

import ctypes
from functools import cache

from aclimb import chips
from aclimb.runtime import context as contexts
from aclimb.runtime.device import Device

_SHORT_NAMES = {"A2": "Ascend910B", "A3": "Ascend910_93", "310P": "Ascend310P", "950": "Ascend950"}
_VECTOR_REGISTER = {3510: 256}  # bytes; other architectures have none


@cache  # for good: a library may keep what it was given
def platform_lines(soc: str, aic: int, aiv: int) -> bytes:
    """Core counts are those that an operator shall use."""
    chip = chips.load(soc)
    memory = chip.arch.memory
    facts = {
        "version.SoC_version": chip.name,
        "version.Short_SoC_version": short_name(chip),
        "version.NpuArch": chip.arch.npu_arch,
        "SoCInfo.ai_core_cnt": aic,
        "SoCInfo.cube_core_cnt": aic,
        "SoCInfo.vector_core_cnt": aiv,
        "SoCInfo.core_type_list": "CubeCore,VectorCore",
        "SoCInfo.l2_size": chip.l2_size,
        "SoCInfo.memory_size": chip.device_memory,
        "AICoreSpec.ub_size": memory["UB"],
        "AICoreSpec.l1_size": memory["L1"],
        "AICoreSpec.l0_a_size": memory["L0A"],
        "AICoreSpec.l0_b_size": memory["L0B"],
        "AICoreSpec.l0_c_size": memory["L0C"],
        "AICoreSpec.bt_size": memory.get("BT", 0),
        "AICoreSpec.fb0_size": memory.get("FB", 0),
        "AICoreSpec.vector_reg_width": _VECTOR_REGISTER.get(chip.arch.npu_arch, 0),
    }
    return "".join(f"{name}={value}\n" for name, value in facts.items()).encode()


def address_of(lines: bytes) -> int:
    """Of platform_lines, which stay for good."""
    found = ctypes.cast(ctypes.c_char_p(lines), ctypes.c_void_p).value
    assert found is not None
    return found


def short_name(chip: chips.Chip) -> str:
    """As OpDef's AddConfig has it, but for small letters."""
    return _SHORT_NAMES.get(chip.family, chip.family)


def lines_of(soc: str | None) -> bytes | None:
    """Of a chip by its name, or of the device in use; None when there is no such chip."""
    if soc:
        if soc.lower() not in {name.lower() for name in chips.names(query_only=True)}:
            return None
        chip = chips.load(soc)
        return platform_lines(chip.name, chip.aic_cores, chip.aiv_cores)
    context = getattr(contexts._thread, "context", None)
    device = context.device if context is not None and not context.ended else Device()
    asked = contexts.stream_in_use()
    return platform_lines(device.chip.name, *(asked.cores if asked is not None and asked.device is device else device.cores))
