# SPDX-License-Identifier: Apache-2.0
"""Settings that programs make for hardware and that change nothing here: taken, and said once in the log, each by its name."""

from __future__ import annotations

import logging
from typing import NamedTuple

_log = logging.getLogger("aclimb")
_said: set[str] = set()  # in this process


class Setting(NamedTuple):
    """What happens instead. A warning is for what a program will miss, information for what only changes time on hardware."""

    instead: str
    level: int = logging.INFO


SETTINGS: dict[str, Setting] = {
    "launch attribute SCHEM_MODE": Setting("a block starts as soon as a core is free"),
    "launch attribute BLOCK_TASK_PREFETCH": Setting("tasks are not prefetched"),
    "launch attribute DATA_DUMP": Setting("the configuration of acl.init has no dump_path", logging.WARNING),
    "launch attribute DATA_DUMP of a captured launch": Setting("launches in a captured graph are not dumped", logging.WARNING),
    "binary option MAGIC": Setting("the binary says for which cores its kernels are"),
    "stream priority": Setting("all streams are served alike"),
    "stream flag FAST_LAUNCH (0x1)": Setting("all streams launch at the same speed"),
    "stream flag FAST_SYNC (0x2)": Setting("all streams are waited for in the same way"),
    "stream flag HUGE (0x8)": Setting("every stream takes any number of tasks"),
    "stream attribute overflowSwitch": Setting("overflow is not detected", logging.WARNING),
    "system parameter ENABLE_DEBUG_KERNEL": Setting("kernels run as they were built"),
    "system parameter STRONG_CONSISTENCY": Setting("results are those of the kernel's own order"),
    "system parameter ENABLE_KERNEL_EARLY_START": Setting(
        "a fused kernel was built with early start or without (the option early-start), and launches do not change that", logging.WARNING
    ),
    "acl.init key StackSize": Setting("the stack of every core has 192 KiB"),
    "acl.init key dump": Setting("it has no dump_path, so nothing is dumped", logging.WARNING),
    "acl.init key dump.dump_list": Setting("models are not run", logging.WARNING),
    "acl.init key dump.dump_op_switch": Setting(
        "only operators of aclopExecute that a selector chose a kernel for are dumped, and this program runs others", logging.WARNING
    ),
    "acl.init key profiler": Setting("a profile is open already, and has the launches of this program"),
}


def say(name: str) -> None:
    """One line for each name, however often it is set."""
    if name not in _said:
        _log_once(name, *SETTINGS[name])


def say_key(key: str, instead: str) -> None:
    """For a key of acl.init's configuration that aclimb does not know."""
    name = f"acl.init key {key}"
    if name not in _said:
        _log_once(name, instead, logging.WARNING)


def _log_once(name: str, instead: str, level: int) -> None:
    _said.add(name)
    _log.log(level, "%s has no effect: %s", name, instead)
