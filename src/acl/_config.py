# SPDX-License-Identifier: Apache-2.0
"""The configuration of acl.init: a JSON file, whose keys switch things on. What has no effect here is said once in the log."""

from __future__ import annotations

import json
import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from aclimb.calls import recent
from aclimb.errors import Refused
from aclimb.op.single import registry
from aclimb.runtime import context as contexts
from aclimb.runtime import dumps, launches, no_effect

INVALID_PARAM, INVALID_FILE, PARSE_FILE = 100000, 100003, 100006
_MAX_NESTING = 10


def read(path: str) -> dict[str, Any]:
    try:
        text = Path(path).read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(INVALID_FILE, f"configuration file {path} cannot be read: {error}") from None
    if _nesting(text) > _MAX_NESTING:
        raise Refused(PARSE_FILE, f"configuration file {path} nests deeper than {_MAX_NESTING} levels")
    try:
        config = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise Refused(PARSE_FILE, f"configuration file {path} is not JSON: {error}") from None
    if not isinstance(config, dict):
        raise Refused(PARSE_FILE, f"configuration file {path} holds no object")
    return config


def _nesting(text: str) -> int:
    deepest = depth = 0
    for character in text:
        depth += (character in "{[") - (character in "}]")
        deepest = max(deepest, depth)
    return deepest


def apply(config: dict[str, Any]) -> None:
    """Everything is looked at before anything changes."""
    dump, profile = _dump(_object(config, "dump")), _profile_folder(_object(config, "profiler"))
    queue = _number(config, "max_opqueue_num")
    recent.per_process = str(config.get("err_msg_mode", "0")) == "1"
    default = str(_object(config, "defaultDevice").get("default_device", ""))
    if default.isdecimal():
        contexts.set_default_device(int(default))
    if queue is not None:
        registry.set_limit(queue)
    dumps.configure(dump)
    if profile is not None:
        _begin_profile(profile)
    if "StackSize" in config:
        no_effect.say("acl.init key StackSize")
    for key in config:
        if key not in _KEYS:
            no_effect.say_key(key, f"aclimb knows {', '.join(sorted(_KEYS))}")


_KEYS = {"dump", "profiler", "defaultDevice", "err_msg_mode", "max_opqueue_num", "StackSize"}


def _object(config: dict[str, Any], key: str) -> dict[str, Any]:
    found = config.get(key, {})
    if not isinstance(found, dict):
        raise Refused(INVALID_PARAM, f"{key} is {found!r} in the configuration; it takes an object")
    return found


def _number(config: dict[str, Any], key: str) -> int | None:
    if key not in config:
        return None
    if not str(config[key]).isdecimal() or int(config[key]) == 0:
        raise Refused(INVALID_PARAM, f"{key} is {config[key]!r} in the configuration; it takes 1 and more")
    return int(config[key])


def _folder(key: str, text: Any) -> Path:
    """Where files can go; it need not exist."""
    path = Path(str(text))
    place = next(each for each in (path, *path.absolute().parents) if each.exists())
    if not place.is_dir() or not os.access(place, os.W_OK):
        raise Refused(INVALID_PARAM, f"{key} is {text!r} in the configuration: {place} is not a folder that can be written to")
    return path


# --- dumps


def _dump(config: dict[str, Any]) -> dumps.Settings | None:
    if not config:
        return None
    if "dump_path" not in config:
        no_effect.say("acl.init key dump")
        return None
    mode = config.get("dump_mode", "output")
    if mode not in dumps.MODES:
        raise Refused(INVALID_PARAM, f"dump.dump_mode is {mode!r} in the configuration; it takes {', '.join(dumps.MODES)}")
    if config.get("dump_list"):
        no_effect.say("acl.init key dump.dump_list")
    for key, value in config.items():
        if key not in ("dump_path", "dump_mode", "dump_op_switch", "dump_list") and (key, value) != ("dump_data", "tensor"):
            no_effect.say_key(f"dump.{key}", "a dump has the whole tensors of every step")
    return dumps.Settings(_folder("dump.dump_path", config["dump_path"]), mode, config.get("dump_op_switch") == "on")


# --- profiles


def _profile_folder(config: dict[str, Any]) -> Path | None:
    if config.get("switch") != "on":
        return None
    for key in config:
        if key not in ("switch", "output"):
            no_effect.say_key(f"profiler.{key}", "a profile has everything that is modelled")
    return _folder("profiler.output", config.get("output", "aclimb_profile"))


_profiles = False  # something was recorded, or will be


def _begin_profile(folder: Path) -> None:
    global _profiles
    from aclimb.report import switched  # with all that writes the files

    _profiles = True
    if not switched.begin(folder):
        no_effect.say("acl.init key profiler")


def _one_launch() -> AbstractContextManager[None]:
    global _profiles
    from aclimb.report import switched

    _profiles = True
    return switched.one_launch()


launches.PROFILERS.append(_one_launch)


def end_profile() -> None:
    """Writes the files, if there are any to write."""
    if _profiles:
        from aclimb.report import switched

        switched.end()
