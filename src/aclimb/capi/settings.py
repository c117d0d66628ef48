# SPDX-License-Identifier: Apache-2.0
"""What frameworks ask and set when they start: what the toolkit can do, its version, system parameters, how overflow ends.

A setting that the model follows anyway is accepted; one that it cannot follow is refused.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from aclimb.errors import InvalidArgument, Unsupported
from aclimb.op.options import get_deterministic, set_deterministic
from aclimb.runtime import no_effect
from aclimb.runtime.context import Context, current
from aclimb.version import CANN

TABLE = """
aclGetCannAttribute                   i attribute                                                       -> value
aclsysGetCANNVersion                  i package                                                         -> version
aclrtSetDeviceSatMode                 i mode                                                            ->
aclrtGetDeviceSatMode                                                                                   -> mode
aclrtSetSysParamOpt                   i option, o value                                                 ->
aclrtGetSysParamOpt                   i option                                                          -> value
aclrtCtxSetSysParamOpt                i option, o value                                                 ->
aclrtCtxGetSysParamOpt                i option                                                          -> value
"""

_ATTRIBUTES = {0: ("INF_NAN", 1), 1: ("BF16", 1), 2: ("JIT_COMPILE", 0)}
_PACKAGES = ("CANN", "RUNTIME", "COMPILER", "HCCL", "TOOLKIT", "OPP", "OPP_KERNEL", "DRIVER")
_OPTIONS = ("DETERMINISTIC", "ENABLE_DEBUG_KERNEL", "STRONG_CONSISTENCY", "ENABLE_KERNEL_EARLY_START")
_DETERMINISTIC, _EARLY_START = _OPTIONS.index("DETERMINISTIC"), _OPTIONS.index("ENABLE_KERNEL_EARLY_START")
SATURATION, INF_NAN = 0, 1
_process: dict[int, int] = {}
_by_context: WeakKeyDictionary[Context, dict[int, int]] = WeakKeyDictionary()


def aclGetCannAttribute(attribute: int) -> int:
    """1: the toolkit can do it."""
    if attribute not in _ATTRIBUTES:
        known = ", ".join(f"{number} ({name})" for number, (name, _) in _ATTRIBUTES.items())
        raise InvalidArgument(f"attribute {attribute} of the toolkit is not known; there are {known}")
    return _ATTRIBUTES[attribute][1]


def aclsysGetCANNVersion(package: int) -> dict[str, str]:
    """Every package has the version of the interfaces that aclimb follows."""
    if not 0 <= package < len(_PACKAGES):
        raise InvalidArgument(f"package {package} does not exist; there are 0 ({_PACKAGES[0]}) to {len(_PACKAGES) - 1} ({_PACKAGES[-1]})")
    major, minor, release = CANN.split(".")
    return {"version": CANN, "majorVersion": major, "minorVersion": minor, "releaseVersion": release, "patchVersion": ""}


# --- overflow


def aclrtSetDeviceSatMode(mode: int) -> None:
    """Of the instructions' own: infinities and NaN. Kernels change it for themselves with SetSaturationFlag."""
    current()
    if mode != INF_NAN:
        raise Unsupported(f"overflow mode {mode}: results that overflow are infinite here, mode {INF_NAN}; a kernel can make them saturate")


def aclrtGetDeviceSatMode() -> int:
    current()
    return INF_NAN


# --- system parameters: kept and given back. Kernels are deterministic whatever is asked


def _require_option(option: int) -> None:
    if not 0 <= option < len(_OPTIONS):
        raise InvalidArgument(f"system parameter {option} does not exist; there are "
                              f"{', '.join(f'{number} ({name})' for number, name in enumerate(_OPTIONS))}")  # fmt: skip


def _say_idle(option: int, value: int) -> None:
    """A fused kernel starts early unless it was built without: 0 asks for as much as 1 does."""
    if option != _DETERMINISTIC and (value or option == _EARLY_START):
        no_effect.say(f"system parameter {_OPTIONS[option]}")


def aclrtSetSysParamOpt(option: int, value: int) -> None:
    """For the process. DETERMINISTIC reaches tiling functions; the others are kept without effect, and the log says so once."""
    _require_option(option)
    _say_idle(option, value)
    if option == _DETERMINISTIC:  # kept where tiling functions read it
        set_deterministic(value, get_deterministic()[1])
    else:
        _process[option] = value


def aclrtGetSysParamOpt(option: int) -> int:
    """0 when it was never set."""
    _require_option(option)
    return get_deterministic()[0] if option == _DETERMINISTIC else _process.get(option, 0)


def aclrtCtxSetSysParamOpt(option: int, value: int) -> None:
    """For the current context: kept, and without effect."""
    _require_option(option)
    _say_idle(option, value)
    _by_context.setdefault(current(), {})[option] = value


def aclrtCtxGetSysParamOpt(option: int) -> int:
    """Of the current context, else of the process."""
    _require_option(option)
    return _by_context.get(current(), {}).get(option, aclrtGetSysParamOpt(option))
