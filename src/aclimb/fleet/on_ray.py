# SPDX-License-Identifier: Apache-2.0
"""Workers of a Ray cluster: an actor for each core, and the tasks of a node that dies done by others."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aclimb import knobs
from aclimb.errors import AclimbError, InvalidArgument, Unsupported
from aclimb.fleet.depot import Depot
from aclimb.fleet.folders import outermost, take
from aclimb.fleet.records import versions
from aclimb.fleet.task import NODE_DIGITS, Answer, Ending, Folder, Task

_PATIENCE_S = 120.0  # for the first worker
_LOOK_S = 5.0  # between two looks at how large the cluster is
_HEAD = {"node:__internal_head__": 0.001}  # where the cluster itself ends when it dies
_OF_THE_NODE = (knobs.cache_dir, knobs.cache_size, knobs.cxx, knobs.python, knobs.threads, knobs.isa, knobs.custom_opp_path, knobs.opp_path)


@dataclass(eq=False, slots=True)
class _Hired:
    actor: Any
    node: str = ""
    is_busy: bool = True  # until it says that it is there


class RayHands:
    def __init__(self, ray: Any, jobs: int | None, *, is_ours: bool) -> None:
        self._ray, self._jobs, self._is_ours = ray, jobs, is_ours
        self._depot = ray.remote(Depot).options(num_cpus=0, resources=_HEAD).remote()
        self._seats: list[_Hired] = []
        self._arriving: dict[Any, _Hired] = {}
        self._running: dict[Any, tuple[int, _Hired]] = {}
        self._known: dict[str, Any] = {}  # files of the user's that were handed over
        self._looked, self._began = 0.0, time.monotonic()
        self.workers = self._room()
        self._hire()

    # --- files

    def carry(self, paths: Iterable[Path], leave_out: Sequence[Path] = ()) -> tuple[Folder, ...]:
        found = []
        for root in outermost(paths):
            taken = take(root, leave_out)
            new = {each: taken.file_of(each).read_bytes() for each in taken.digests if each not in self._known}
            new |= {taken.digest: taken.manifest} if taken.digest not in self._known else {}
            references = {digest: self._ray.put(data) for digest, data in new.items()}
            self._known |= references
            self._ray.get(self._depot.stock.remote(references))
            found.append(Folder(str(root), taken.digest))
        return tuple(found)

    # --- workers

    def _room(self) -> int:
        cores = max(1, int(self._ray.cluster_resources().get("CPU", 0)))
        return cores if self._jobs is None else min(cores, self._jobs)

    def _hire(self) -> None:
        """As many as there are cores now: nodes come and go."""
        self._looked = time.monotonic()
        for _ in range(self._room() - len(self._seats)):
            self._hire_one("SPREAD")

    def _hire_one(self, where: Any) -> None:
        from aclimb.fleet.ray_seat import RaySeat

        made = self._ray.remote(RaySeat).options(num_cpus=1, scheduling_strategy=where, max_restarts=0)
        seat = _Hired(made.remote(self._depot, _settings()))
        self._seats.append(seat)
        self._arriving[seat.actor.ready.remote()] = seat

    def _arrived(self, reference: Any) -> None:
        seat = self._arriving.pop(reference)
        try:
            seat.node, theirs = self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            self._seats.remove(seat)
            if "ModuleNotFoundError" in str(error) or "No module named" in str(error):
                raise Unsupported(
                    f"a node of the cluster has no aclimb ({_last_line(error)}); install the same version on every node"
                ) from None
            return
        if theirs != versions():
            raise Unsupported(
                f"node {seat.node} has {_in_words(theirs)}, and this machine {_in_words(versions())}; install the same on both"
            )
        seat.is_busy = False

    # --- tasks

    def give(self, ticket: int, task: Task, avoid: frozenset[str]) -> bool:
        seat = self._free(avoid)
        if seat is None:
            return False
        seat.is_busy = True
        self._running[seat.actor.do.remote(task)] = (ticket, seat)
        return True

    def _free(self, avoid: frozenset[str]) -> _Hired | None:
        """On another node than those of earlier attempts, as long as there is one."""
        free = [seat for seat in self._seats if not seat.is_busy]
        elsewhere = [seat for seat in free if seat.node not in avoid]
        if elsewhere or not avoid or any(seat.node not in avoid for seat in self._seats):
            return elsewhere[0] if elsewhere else None
        if free and self._move(free[0], avoid):
            return None
        return free[0] if free else None

    def _move(self, seat: _Hired, avoid: frozenset[str]) -> bool:
        """A worker to another node, where there is one and nobody works on it."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        known = {name.rpartition(":")[2] for name in avoid}
        alive = [each["NodeID"] for each in self._ray.nodes() if each["Alive"] and each["Resources"].get("CPU")]
        others = [each for each in alive if each[:NODE_DIGITS] not in known]
        if others:
            self._seats.remove(seat)
            self._ray.kill(seat.actor)
            self._hire_one(NodeAffinitySchedulingStrategy(others[0], soft=True))
        return bool(others)

    def wait(self) -> list[tuple[int, Answer]]:
        """What came in; nothing where a worker came, or after a while."""
        if time.monotonic() - self._looked > _LOOK_S:
            self._hire()
        if not self._running and all(seat.is_busy for seat in self._seats) and time.monotonic() - self._began > _PATIENCE_S:
            raise Unsupported(f"no node of the Ray cluster had a free core for {_PATIENCE_S:g} s; `ray status` says who has them")
        everything = [*self._running, *self._arriving]
        if not everything:
            time.sleep(0.5)
            return []
        first, _ = self._ray.wait(everything, num_returns=1, timeout=_LOOK_S)
        ready, _ = self._ray.wait(everything, num_returns=len(everything), timeout=0) if first else ([], None)
        for reference in ready:
            if reference in self._arriving:
                self._arrived(reference)
        return [self._answer(reference) for reference in ready if reference in self._running]

    def _answer(self, reference: Any) -> tuple[int, Answer]:
        ticket, seat = self._running.pop(reference)
        self._began = time.monotonic()
        try:
            answer: Answer = self._ray.get(reference)
        except self._ray.exceptions.RayActorError:
            self._seats.remove(seat)
            self._looked = 0.0
            return ticket, Answer(Ending.lost, None, f"node {seat.node} was lost", 0.0, seat.node)
        except self._ray.exceptions.RayError as error:
            seat.is_busy = False
            return ticket, Answer(Ending.lost, None, f"node {seat.node}: {_last_line(error)}", 0.0, seat.node)
        seat.is_busy = False
        return ticket, answer

    def counts(self) -> dict[str, int]:
        """What the depot handed out."""
        found: dict[str, int] = self._ray.get(self._depot.counts.remote())
        return found

    def close(self) -> None:
        with contextlib.suppress(Exception):  # a cluster that is gone has nothing to give back
            idle = [seat.actor.close.remote() for seat in self._seats if not seat.is_busy]
            if idle:
                self._ray.wait(idle, num_returns=len(idle), timeout=5)
            for seat in self._seats:
                self._ray.kill(seat.actor)
            self._ray.kill(self._depot)
        if self._is_ours:
            self._ray.shutdown()


def ray_hands(on: str, jobs: int | None) -> RayHands:
    """`on`: ray, or ray://host:port."""
    try:
        import ray
    except ImportError:
        raise Unsupported(f"--on {on} needs Ray, which is not installed; `pip install aclimb[ray]` brings it") from None
    is_ours = not ray.is_initialized()
    if is_ours:
        try:
            _knock(on)
            ray.init(address="auto" if on == "ray" else on, log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, OSError, RuntimeError, ImportError) as error:
            hint = "start one with `ray start --head`" if on == "ray" else "is it running, and with the same Ray and Python?"
            raise InvalidArgument(f"--on {on}: there is no Ray cluster ({_last_line(error)}); {hint}") from None
    try:
        return RayHands(ray, jobs, is_ours=is_ours)
    except AclimbError:
        if is_ours:
            ray.shutdown()
        raise


def _knock(on: str) -> None:
    """Ray itself tries for minutes."""
    address = os.environ.get("RAY_ADDRESS", "") if on == "ray" else on
    host, colon, port = address.removeprefix("ray://").partition("/")[0].rpartition(":")
    if colon and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()


def _settings() -> dict[str, str]:
    """The user's own, which results depend on; those of a machine stay with it."""
    of_the_node = {knob.variable for knob in _OF_THE_NODE}
    return {name: value for name, value in os.environ.items() if name.startswith("ACLIMB_") and name not in of_the_node}


def _last_line(error: BaseException) -> str:
    return next((line.strip() for line in reversed(str(error).splitlines()) if line.strip()), type(error).__name__)


def _in_words(found: dict[str, str]) -> str:
    """What has to be the same everywhere; machines may differ, and Ray itself looks at Python."""
    return ", ".join(f"{name} {found[name]}" for name in ("aclimb", "numpy"))
