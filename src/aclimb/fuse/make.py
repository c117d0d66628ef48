# SPDX-License-Identifier: Apache-2.0
"""From members and options to a plan, by the pair rules V2."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from aclimb import chips
from aclimb.binary import elf
from aclimb.binary.plan import Pair, Plan, PlanStep, SubKernel, Who
from aclimb.errors import FuseError
from aclimb.flow import Parameter
from aclimb.fuse import rules
from aclimb.fuse.arguments import Layout
from aclimb.fuse.cores import blocks_of, kind_of, require_one_aiv_where_expected, require_one_family, whole_of
from aclimb.fuse.events import Events, check_producers
from aclimb.fuse.findings import find
from aclimb.fuse.member import Member
from aclimb.fuse.options import FuseOptions
from aclimb.fuse.rules import Class, Core, class_of

CORES: tuple[Core, Core] = ("aic", "aiv")
SUB_OP, NOTIFY, AWAIT = 8, 4, 12  # types of profiling records; the SuperKernel itself is 0


class Builder:
    """Collects what each sort of core does; `plan()` at the end."""

    def __init__(self, members: Sequence[Member], options: FuseOptions, name: str, producers: Mapping[int, tuple[int, int]]) -> None:
        self.members, self.options = members, options
        self.names = [f"{member.info.name}_{index}" for index, member in enumerate(members)]
        self.chip = chips.load(members[0].binary.soc)
        require_one_family(members, self.names, options)
        self.events = Events.of(members, self.names)
        self.kinds = [kind_of(member) for member in members]
        self.classes: list[Class] = [class_of(kind) for kind in self.kinds]
        self.blocks = [blocks_of(member, kind, self.chip) for member, kind in zip(members, self.kinds, strict=True)]
        needs = list(zip(self.kinds, self.blocks, strict=True))
        self.whole, self.num_blocks = whole_of(needs, self.names, self.chip, options)
        require_one_aiv_where_expected(members, needs, self.names, self.whole)
        check_producers(producers, self.events, self.names, self.chip, self.whole, self.num_blocks)
        dumps = any(m.info.prints or m.info.dumps_tensors or m.info.asserts for m in members)
        self.layout = Layout.of(members, self.names, dumps or bool(options.feed_sync_all), bool(options.profiling))
        self.name = name or kernel_name(members, options)
        self.steps: dict[Core, list[PlanStep]] = {"aic": [], "aiv": []}
        self.pairs: list[Pair] = []
        self.two_streams = self._is_two_streams()
        self.sets = [self._takes_part(index, "set") for index in range(len(members))]
        self.waits = [self._takes_part(index, "wait") for index in range(len(members))]
        self.inner: dict[int, dict[Core, tuple[PlanStep, ...]]] = {}

    # --- what is known before the first step

    def _is_two_streams(self) -> bool:
        found = False
        for index in range(1, len(self.members)):
            streams = self.members[index - 1].stream, self.members[index].stream
            if streams[0] == streams[1] or self.events.connects(index - 1, index):
                continue
            if not self.options.stream_fusion:
                raise FuseError(f"{self.names[index - 1]} is on stream {streams[0]} and {self.names[index]} on stream {streams[1]}, "
                                "and no event orders them; give stream-fusion=1, or an event")  # fmt: skip
            found = True
        if found and len({member.stream for member in self.members}) > 2:
            raise FuseError("the members are on more than two streams; a SuperKernel has one for cube and one for vector kernels")
        return found

    def _takes_part(self, index: int, what: str) -> bool:
        """Whether SetNextTaskStart or WaitPreTaskEnd of a member takes effect: not at the ends of the chain, not beside outer events."""
        member, info = self.members[index], self.members[index].info
        asked = member.early_start_set if what == "set" else member.early_start_wait
        has = info.early_start_set if what == "set" else info.early_start_wait
        call = "SetNextTaskStart" if what == "set" else "WaitPreTaskEnd"
        if asked and not has:
            raise FuseError(f"{self.names[index]} is announced to call {call}, and its binary does not")
        if asked and member.task_type == "dynamic":
            raise FuseError(f"{self.names[index]} is dynamic and announced to call {call}; early start is for fixed tiling")
        if asked and self.options.early_start == 0:
            raise FuseError(f"{self.names[index]} is announced to call {call}, and early-start=0 leaves that without effect")
        if asked is False or not has or member.task_type == "dynamic" or self.two_streams:
            return False
        if self.options.early_start != 1 or self.options.stream_fusion or chips.support(call, self.chip.family) != "effective":
            return False
        neighbour = (index, index + 1) if what == "set" else (index - 1, index)
        if neighbour[0] < 0 or neighbour[1] >= len(self.members):
            return False
        return not (self.events.sends[neighbour[0]] or self.events.receives[neighbour[1]])

    # --- steps

    def emit(self, core: Core, texts: Sequence[str], sub: int, who: Who, reason: str) -> None:
        if self.has(core):
            self.steps[core] += [rules.step(text, sub, who, reason) for text in texts]

    def has(self, core: Core) -> bool:
        return self.whole.has_aic if core == "aic" else self.whole.has_aiv

    def has_core(self, index: int, core: Core) -> bool:
        return self.kinds[index].has_aic if core == "aic" else self.kinds[index].has_aiv

    def full_sync(self, sub: int, reason: str) -> None:
        for core, texts in zip(CORES, rules.FULL_SYNC[class_of(self.whole)], strict=True):
            self.emit(core, texts, sub, "all", reason)

    def build(self) -> Plan:
        if self.options.profiling:
            self._everywhere(PlanStep("profile", 0, flag=1, reason="header of the profiling records"))
            self._profile(0, 0, 0, "SuperKernel")
        if self.options.preload_code == "max":
            self._everywhere(PlanStep("preload", 0, value=8, reason="preload-code=max: once, from the beginning"))
        if self.two_streams:
            from aclimb.fuse.two_streams import build_two_streams

            build_two_streams(self)
        else:
            self._one_stream()
        self._reset_locks()
        if self.options.profiling:
            self._profile(0, 1, 0, "SuperKernel")
        return self.plan()

    def _one_stream(self) -> None:
        for index in range(len(self.members)):
            self.before_call(index, CORES)
            if index:
                self._between(index - 1, index)
            elif self.members[0].task_type == "dynamic":
                self.full_sync(0, "everybody has read the tiling of the first sub-kernel")
            self.call(index, CORES)

    def before_call(self, index: int, cores: Sequence[Core]) -> None:
        for core in cores:
            if self.members[index].task_type == "dynamic" and self.has_core(index, core):
                self.steps[core].append(PlanStep("tiling", index, reason="dynamic: tiling key and block count are read from device memory"))
            if self.options.preload_code == "per-func":
                for each in (index, index + 1) if index == 0 else (index + 1,):
                    if each < len(self.members) and self.has_core(each, core):
                        self.steps[core].append(PlanStep("preload", each, value=self._units(each), reason="per-func: the next one's code"))

    def call(self, index: int, cores: Sequence[Core]) -> None:
        self._profile(index + 1, 0, SUB_OP, self.names[index], cores)
        op_type = self.members[index].info.name
        disabled = op_type in self.options.dcci_disable_on_kernel
        for core in cores:
            if not self.has_core(index, core):
                continue
            if op_type in self.options.dcci_before_kernel_start and not disabled:
                self.steps[core].append(PlanStep("clean", index, reason="dcci-before-kernel-start"))
            self.steps[core].append(PlanStep("call", index, reason=self._who_runs(index)))
            if self.feeds(index):
                self.steps[core].append(PlanStep("feed", index, reason="feed-sync-all: idle cores join its SyncAll"))
            if op_type in self.options.dcci_after_kernel_end and not disabled:
                self.steps[core].append(PlanStep("clean", index, reason="dcci-after-kernel-end"))
            if self.members[index].task_type == "dynamic" and core == self.lock_core(index):
                at = self._sub_offsets(index) + 16
                self.steps[core].append(PlanStep("notify", index, "first", at=at, value=0, reason="the lock of its tiling is free again"))
        if self.options.debug_dcci_all:
            for core in cores:
                self.emit(core, ("barrier",), index, "all", "debug-dcci-all")
                if self.has(core):
                    self.steps[core].append(PlanStep("clean", index, reason="debug-dcci-all"))
        if self.options.debug_sync_all and len(cores) == 2:
            self.full_sync(index, "debug-sync-all")
        self._profile(index + 1, 1, SUB_OP, self.names[index], cores)

    def _sub_offsets(self, index: int) -> int:
        size = self.members[index].info.args_size
        return self.layout.places[index].offset + (size + 7) // 8 * 8

    def feeds(self, index: int) -> bool:
        info = self.members[index].info
        return bool(self.options.feed_sync_all and info.uses_sync_all and self.members[index].task_type == "normal") and rules.needs_feed(
            self.kinds[index], self.blocks[index], self.whole, self.num_blocks
        )

    def _who_runs(self, index: int) -> str:
        if self.members[index].task_type == "dynamic":
            return "as many blocks as its tiling says"
        what = {"C": "AICs", "V": "AIVs", "M": "blocks"}[self.classes[index]]
        return f"{self.blocks[index]} {what}"

    def lock_core(self, index: int) -> Core:
        return "aic" if self.classes[index] == "C" else "aiv"

    # --- between two neighbours

    def _between(self, first: int, second: int) -> None:
        sends, receives = self.events.sends[first], self.events.receives[second]
        if sends and receives:
            self._barrier(first, second)
            self.notify(first)
            self.wait_for_events(second)
            self.full_sync(second, f"only one core saw the events of {self.names[second]}")
            return
        if receives:
            self.wait_for_events(second)
            self._extra_sync(first, second)
        self._barrier(first, second)
        if sends:
            self.notify(first)

    def _barrier(self, first: int, second: int) -> None:
        a, b = self.classes[first], self.classes[second]
        if self.options.early_start == 0:
            reason = "early-start=0: everybody meets"
            self.pairs.append(Pair(first, second, -1, f"{a}->{b}", "all", "all", reason))
            self.full_sync(second, reason)
            return
        pair = self._pair(first, second, a, b)
        self.pairs.append(pair)
        for core in CORES:
            self.emit(core, rules.sets_of(a)[core], first, pair.set_by, pair.reason)
        waits: dict[Core, tuple[str, ...]] = dict(zip(CORES, rules.WAITS[a, b], strict=True))
        for core in CORES:
            self.emit(core, waits[core], second, pair.wait_by, pair.reason)
        if pair.wait_by == "idle":
            self.inner[second] = {core: tuple(rules.step(text, second, "all", pair.reason) for text in waits[core]) for core in CORES}
        if self.members[second].task_type == "dynamic":
            self.full_sync(second, "everybody has read its tiling")

    def _pair(self, first: int, second: int, a: Class, b: Class) -> Pair:
        sets, waits = self.sets[first], self.waits[second]
        one, two = self.names[first], self.names[second]
        reasons = {
            (False, False): f"{self._why_not(first, 'set')}, {self._why_not(second, 'wait')}: all of {one} ends before {two} begins",
            (
                True,
                False,
            ): f"{one} says with SetNextTaskStart when {two} may begin; {self._why_not(second, 'wait')}, so it waits first",
            (False, True): f"{self._why_not(first, 'set')}, so all of {one} ends first; {two} begins and waits at its WaitPreTaskEnd",
            (True, True): f"{one} says with SetNextTaskStart when it is done; {two} begins beside it and waits at its WaitPreTaskEnd",
        }
        reason = reasons[sets, waits]
        return Pair(first, second, rules.pair_config(a, b), f"{a}->{b}", "idle" if sets else "all", "idle" if waits else "all", reason)

    def _why_not(self, index: int, what: str) -> str:
        info, name = self.members[index].info, self.names[index]
        call = "SetNextTaskStart" if what == "set" else "WaitPreTaskEnd"
        if not (info.early_start_set if what == "set" else info.early_start_wait):
            return f"{name} has no {call}"
        if self.members[index].task_type == "dynamic":
            return f"{name} is dynamic, so its {call} has no effect"
        if chips.support(call, self.chip.family) != "effective":
            return f"{call} of {name} has no effect on Atlas {self.chip.family}"
        if self.options.early_start != 1 or self.options.stream_fusion:
            return f"the options leave {call} of {name} without effect"
        return f"an event goes out of the SuperKernel here, so {call} of {name} has no effect"

    def _extra_sync(self, first: int, second: int) -> None:
        """Only core 0 looked at the lock; where the barrier that follows does not hold its likes back, this does."""
        pair = self.classes[first], self.classes[second]
        if self.options.early_start == 0:
            return
        if pair in (("C", "V"), ("C", "M")):
            self.emit("aiv", rules.MEET["aiv"], second, "all", "only one core saw the event")
        elif pair == ("V", "C"):
            self.emit("aic", rules.MEET["aic"], second, "all", "only one core saw the event")

    # --- events from and to the outside

    def notify(self, index: int) -> None:
        core = self.lock_core(index)
        for event in self.events.sends[index]:
            self._profile(event, 0, NOTIFY, "notify", (core,))
            at = self.layout.places[index].locks[event]
            self.steps[core].append(PlanStep("notify", index, "first", at=at, value=1, reason=f"event {event} is set for the outside"))
            self._profile(event, 1, NOTIFY, "notify", (core,))

    def wait_for_events(self, index: int) -> None:
        core = self.lock_core(index)
        for event in self.events.receives[index]:
            self._profile(event, 0, AWAIT, "wait", (core,))
            at = self.layout.places[index].locks[event]
            self.steps[core].append(PlanStep("await", index, "first", mode=1, at=at, value=1, reason=f"event {event} comes from outside"))
            self._profile(event, 1, AWAIT, "wait", (core,))

    def _reset_locks(self) -> None:
        for index, events in enumerate(self.events.receives):
            for event in events:
                at = self.layout.places[index].locks[event]
                step = PlanStep("notify", index, "first", at=at, value=0, reason=f"the lock of event {event} is free again")
                self.steps[self.lock_core(index)].append(step)

    # --- small helpers

    def _everywhere(self, step: PlanStep) -> None:
        for core in CORES:
            if self.has(core):
                self.steps[core].append(step)

    def _profile(self, index: int, end: int, kind: int, reason: str, cores: Sequence[Core] = CORES) -> None:
        if not self.options.profiling:
            return
        step = PlanStep("profile", 0, value=index << 32 | end << 12 | kind << 8, reason=f"{'end' if end else 'start'} of {reason}")
        for core in cores:
            if self.has(core):
                self.steps[core].append(step)

    def _units(self, index: int) -> int:
        member = self.members[index]
        sizes = [
            text_bytes(image) for core, image in member.binary.images.items() if self.has_core(index, "aic" if core == "aic" else "aiv")
        ]
        return rules.preload_units(max(sizes, default=0))

    def plan(self) -> Plan:
        order: dict[str, int] = {}
        subs = []
        for index, member in enumerate(self.members):
            image, place = order.setdefault(member.binary.sha256, len(order)), self.layout.places[index]
            inner = self.inner.get(index, {"aic": (), "aiv": ()})
            subs.append(
                SubKernel(
                    name=self.names[index],
                    image=image,
                    info=member.info,
                    kernel_type=self.kinds[index],
                    num_blocks=min(self.blocks[index], self._room(index)),
                    tiling_key=member.key,
                    task_type=member.task_type,
                    stream=member.stream,
                    sends=member.sends,
                    receives=member.receives,
                    param_slot=place.slot,
                    notify_slot=place.notify_slot,
                    wait_slot=place.wait_slot,
                    args_offset=place.offset,
                    sets=self.sets[index],
                    waits=self.waits[index],
                    feeds=self.feeds(index),
                    preload_units=self._units(index),
                    aic_wait=inner["aic"],
                    aiv_wait=inner["aiv"],
                )
            )
        layout = self.layout
        plan = Plan(self.name, self.whole, self.num_blocks, str(self.options), self.two_streams, tuple(subs), tuple(self.pairs),
                    tuple(self.steps["aic"]), tuple(self.steps["aiv"]), (), layout.slots, layout.workspace_slot, layout.profile_slot,
                    layout.profile_at, self._workspace_bytes())  # fmt: skip
        return replace(plan, findings=find(plan, self.options))

    def _workspace_bytes(self) -> int:
        return rules.feed_workspace_bytes(self.whole, self.num_blocks, len(self.members)) if self.options.feed_sync_all else 0

    def _room(self, index: int) -> int:
        return self.num_blocks * (self.whole.task_ration[1] if self.classes[index] == "V" else 1)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return tuple(self.layout.parameters)


def text_bytes(image: bytes) -> int:
    section = elf.Elf(image).find(".text")
    return section.size if section else 0


def kernel_name(members: Sequence[Member], options: FuseOptions) -> str:
    """Equal sequences have equal names, whatever the numbers of their events."""
    numbers: dict[int, int] = {}

    def renumbered(events: Sequence[int]) -> list[int]:
        return [numbers.setdefault(event, len(numbers)) for event in events]

    rows = [(m.binary.soc, m.binary.sha256, m.info.name, m.key, m.num_blocks, m.task_type, m.stream, renumbered(m.sends),
             renumbered(m.receives), m.early_start_set, m.early_start_wait) for m in members]  # fmt: skip
    return f"te_superkernel_{hashlib.sha256(repr((rows, str(options))).encode()).hexdigest()[:16]}"
