# SPDX-License-Identifier: Apache-2.0
"""Which chip kernels in Python run on."""

from __future__ import annotations

from enum import Enum, IntEnum

from aclimb import knobs
from aclimb.runtime import Device


class Backend(Enum):
    """Here both are the modelled chip: there is no NPU."""

    Model = "Model"
    NPU = "NPU"


class Platform(Enum):
    Ascend910B1 = "Ascend910B1"
    Ascend910B2 = "Ascend910B2"
    Ascend910B2C = "Ascend910B2C"
    Ascend910B3 = "Ascend910B3"
    Ascend910B4 = "Ascend910B4"
    Ascend910B4_1 = "Ascend910B4-1"
    Ascend910_9362 = "Ascend910_9362"
    Ascend910_9372 = "Ascend910_9372"
    Ascend910_9381 = "Ascend910_9381"
    Ascend910_9382 = "Ascend910_9382"
    Ascend910_9391 = "Ascend910_9391"
    Ascend910_9392 = "Ascend910_9392"


class KernelType(IntEnum):
    AIV_ONLY, AIC_ONLY, MIX_AIV_HARD_SYNC, MIX_AIC_HARD_SYNC, MIX_AIV_1_0, MIX_AIC_1_0, MIX_AIC_1_1, MIX_AIC_1_2 = range(8)


_chosen: dict[str, str | int | None] = {"soc": None, "device": 0}


def set_platform(
    backend: Backend | str, soc_version: Platform | str | None = None, device_id: int | None = None, check: bool = True
) -> None:
    """Kernels run on this chip from now on; without one Model is Ascend910B1, and NPU the chip of ACLIMB_SOC."""
    try:
        wanted = Backend(backend)
    except ValueError:
        raise ValueError(f"backend {backend!r}; it takes Backend.Model or Backend.NPU") from None
    soc = soc_version.value if isinstance(soc_version, Platform) else soc_version
    if wanted is Backend.NPU and soc is not None and check and soc != knobs.soc():
        raise ValueError(f"the chip here is {knobs.soc()}, not {soc}; set ACLIMB_SOC, or use Backend.Model")
    soc = soc or (Platform.Ascend910B1.value if wanted is Backend.Model else knobs.soc())
    Device(device_id or 0, soc=soc)  # fails here, where it was written
    _chosen["soc"], _chosen["device"] = soc, device_id or 0


def soc() -> str:
    return str(_chosen["soc"] or knobs.soc())


def device() -> Device:
    index, chip = int(_chosen["device"] or 0), soc()
    return Device.known(index, chip) or Device(index, soc=chip)
