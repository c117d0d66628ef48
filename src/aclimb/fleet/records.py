# SPDX-License-Identifier: Apache-2.0
"""Results in one SQLite file, written as they come. A run that was killed has lost nothing, and goes on from its file.

run     one row a run: what was asked for, with which versions, how it ended
result  one row a task: parameters, chip, times, findings, and all that it said as JSON
"""

from __future__ import annotations

import json
import os
import platform
import secrets
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy

from aclimb.errors import InvalidArgument
from aclimb.version import __version__

_SCHEMA = """
create table if not exists run (
    id text primary key, command text not null, settings text not null, versions text not null, began text not null,
    total integer not null, ending text);
create table if not exists result (
    run text not null references run(id), number integer not null, key text not null, parameters text not null, chip text not null,
    task_us real, core_us real, findings text not null, error text not null, value text not null,
    attempts integer not null, seconds real not null, node text not null, came text not null, primary key (run, key));
"""
_APPLICATION = 0x41434C42  # of SQLite's header: a file of ours
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Result:  # a task -> the file, and back
    number: int  # in the order of the run
    key: str  # what was asked, so that it is not asked twice
    parameters: dict[str, str]
    chip: str
    task_us: float | None
    core_us: float | None
    findings: list[str]
    error: str
    value: Any  # as JSON
    attempts: int = 1
    seconds: float = 0.0
    node: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    id: str
    command: str
    settings: dict[str, Any]
    versions: dict[str, str]
    began: str
    total: int
    ending: str | None  # None: it was not finished


def versions() -> dict[str, str]:
    """What results may depend on."""
    return {"aclimb": __version__, "python": platform.python_version(), "numpy": numpy.__version__, "machine": platform.machine()}


class Records:
    """One open file. Each result is there for good once `add` returns, whatever becomes of this process."""

    def __init__(self, path: Path, *, must_exist: bool = False) -> None:
        self.path = path
        if must_exist and not path.is_file():
            raise InvalidArgument(f"{path} does not exist; give the sweep.sqlite of a sweep")
        with _told(path):
            self._database = sqlite3.connect(path, isolation_level=None, timeout=30)
            self._prepare()

    def _prepare(self) -> None:
        [found] = self._database.execute("pragma application_id").fetchone()
        [form] = self._database.execute("pragma user_version").fetchone()
        is_new = not self._database.execute("select count(*) from sqlite_master").fetchone()[0]
        if not is_new and found != _APPLICATION:
            raise InvalidArgument(f"{self.path} is a database, but none of aclimb's; give the sweep.sqlite of a sweep, or another folder")
        if not is_new and form != _FORMAT:
            raise InvalidArgument(f"{self.path} is of another version of aclimb (form {form}, this one reads {_FORMAT}); sweep anew")
        # A commit is in the file's log at once and survives a kill; who reads does not wait for who writes.
        self._database.execute("pragma journal_mode = wal")
        self._database.execute("pragma synchronous = normal")
        if is_new:
            self._database.execute(f"pragma application_id = {_APPLICATION}")
            self._database.execute(f"pragma user_version = {_FORMAT}")
            self._database.executescript(_SCHEMA)

    # --- runs

    def begin(self, command: str, settings: Mapping[str, Any], total: int) -> Run:
        made = Run(secrets.token_hex(6), command, dict(settings), versions(), _now(), total, None)
        with _told(self.path):
            row = (made.id, command, json.dumps(made.settings), json.dumps(made.versions), made.began, total)
            self._database.execute("insert into run values (?, ?, ?, ?, ?, ?, null)", row)
        return made

    def last(self) -> Run:
        """The run that was begun last."""
        with _told(self.path):
            row = self._database.execute("select * from run order by rowid desc limit 1").fetchone()
        if row is None:
            raise InvalidArgument(f"{self.path} has no run; sweep without --resume first")
        return Run(row[0], row[1], json.loads(row[2]), json.loads(row[3]), row[4], row[5], row[6])

    def resume(self, command: str, settings: Mapping[str, Any]) -> Run:
        """The last run, where it was asked for the same with the same versions."""
        run = self.last()
        wanted, now = {"command": command, **settings}, versions()
        before = {"command": run.command, **run.settings}
        for name in wanted:
            if before.get(name) != json.loads(json.dumps(wanted[name])):
                raise InvalidArgument(
                    f"{self.path} cannot go on: {name} was {_short(before.get(name))}, and is {_short(wanted[name])} now; "
                    "give the same command as then, or leave --resume out to begin a new run"
                )
        for name, version in now.items():
            if run.versions.get(name) != version:
                raise InvalidArgument(
                    f"{self.path} cannot go on: it was begun with {name} {run.versions.get(name)}, and this is {version}; "
                    "results of both would be mixed. Leave --resume out to begin a new run"
                )
        with _told(self.path):
            self._database.execute("update run set ending = null where id = ?", (run.id,))
        return run

    def end(self, run: Run, ending: str) -> None:
        with _told(self.path):
            self._database.execute("update run set ending = ? where id = ?", (ending, run.id))

    # --- results

    def add(self, run: Run, result: Result) -> None:
        row = (run.id, result.number, result.key, json.dumps(result.parameters), result.chip, result.task_us, result.core_us,
               json.dumps(result.findings), result.error, json.dumps(result.value), result.attempts, result.seconds, result.node,
               _now())  # fmt: skip
        with _told(self.path):
            self._database.execute(f"insert into result values ({', '.join('?' * len(row))})", row)

    def results(self, run: Run) -> list[Result]:
        """In the order of the run, whatever order they came in."""
        names = "number, key, parameters, chip, task_us, core_us, findings, error, value, attempts, seconds, node"
        with _told(self.path):
            rows = self._database.execute(f"select {names} from result where run = ? order by number", (run.id,)).fetchall()
        return [_result(each) for each in rows]

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Records:
        return self

    def __exit__(self, *ignored: object) -> None:
        self.close()


def _result(row: tuple[Any, ...]) -> Result:
    number, key, parameters, chip, task_us, core_us, findings, error, value, *rest = row
    return Result(number, key, json.loads(parameters), chip, task_us, core_us, json.loads(findings), error, json.loads(value), *rest)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """SQLite's own words, with the file and what to do."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise  # the same result twice: a mistake of ours
    except sqlite3.Error as error:
        hint = "choose another folder with -o" if not os.access(path.parent, os.W_OK) else "give the sweep.sqlite of a sweep, or remove it"
        raise InvalidArgument(f"{path} cannot be used: {error}; {hint}") from None


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
