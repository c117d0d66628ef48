# SPDX-License-Identifier: Apache-2.0
"""What travels: a task on its way out, an answer on its way back, and what the command is given of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

NODE_DIGITS = 8  # of a node's number, behind the name of its machine: one machine may be several nodes


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one task, for the worker with all that it starts; None: none."""

    seconds: float | None = None
    memory: int | None = None  # bytes


@dataclass(frozen=True, slots=True)
class Folder:  # the user's machine -> a node
    """A folder by its content: where it is on the user's machine, and the hash of the list of its files."""

    root: str
    digest: str


@dataclass(frozen=True, slots=True)
class Task:  # a command -> the fleet
    function: str  # "package.module:name", imported where it runs and called with (arguments, places)
    arguments: Any  # pickled
    label: str = ""  # for the progress bar
    folders: tuple[Folder, ...] = ()  # what has to be there first; nothing for processes of this machine
    limits: Limits = Limits()


class Ending(StrEnum):
    good = "good"
    raised = "raised"  # an exception: the same everywhere, and not tried again
    elsewhere = "elsewhere"  # this place cannot do it, another one may
    crashed = "crashed"
    slow = "slow"
    memory = "memory"
    lost = "lost"  # the node, or the way to it


@dataclass(frozen=True, slots=True)
class Answer:  # a place -> the fleet
    ending: Ending
    value: Any = None
    reason: str = ""  # why there is no value
    seconds: float = 0.0
    node: str = ""


@dataclass(frozen=True, slots=True)
class Done:  # the fleet -> a command
    number: int  # of the task, from 0
    task: Task
    value: Any
    reason: str  # why it failed, empty where it did not
    attempts: int
    seconds: float  # of the last attempt
    node: str

    @property
    def ok(self) -> bool:
        return not self.reason


class TryElsewhere(Exception):
    """Raised by a task's function: this place could not do it, and another one may."""


class Crashed(Exception):
    """Raised by a task's function for a process that it started: it counts as if the worker had crashed."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where the user's folders are on this machine. On the user's own they are where they are."""

    moved: Sequence[tuple[str, str]] = field(default=())  # there, here

    def here(self, path: str | Path) -> Path:
        """The file or folder of this machine."""
        for there, here in self.moved:
            if Path(path).is_relative_to(there):
                return Path(here) / Path(path).relative_to(there)
        return Path(path)

    def back(self, text: str) -> str:
        """A text in which paths are the user's again."""
        for there, here in self.moved:
            text = text.replace(here, there)
        return text
