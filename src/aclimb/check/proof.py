# SPDX-License-Identifier: Apache-2.0
"""Whether an early start is safe, for the arguments at hand: proved, refuted with both lines, or open with the condition that fails.

One run is enough. Where every pair of accesses that meet is in an order that flags give, and nothing the kernels decide depends on time, on
memory that is polled or on bytes without a value, every other run that the hardware could choose issues the same instructions and computes
the same values. For other arguments nothing is claimed; `steered_by` lists the values that decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from aclimb.check.engine_side import Doubt, FindingKind, Session
from aclimb.check.places import LaunchPlaces
from aclimb.check.rules import RULES
from aclimb.errors import AclimbError, InvalidArgument
from aclimb.fuse.fuse import plan_of
from aclimb.runtime import Buffer, Kernel, LaunchConfig, Stream, launch

if TYPE_CHECKING:
    from aclimb.check.finding import Finding

Answer = Literal["proved", "refuted", "open"]

_DOUBTS = {
    Doubt.time: "reads the clock (GetSystemCycle): what it does may depend on time",
    Doubt.polling: "polls a word that another core writes: how often depends on time",
    Doubt.mixed_flags: "sets one flag between cores from two groups or pipes: which set a wait takes depends on time",
    Doubt.float_sums: "adds floats in no order: the sum depends on time in its last bits",
}
_NO_VALUE = (FindingKind.unwritten, FindingKind.unwritten_gm)


@dataclass(frozen=True, slots=True)
class Proof:
    """The answer and what it rests on."""

    answer: Answer
    kernel: str
    refuted_by: tuple[Finding, ...]
    open_because: tuple[str, ...]
    steered_by: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.answer == "proved"

    def __str__(self) -> str:
        if self.answer == "proved":
            rows = [f"{self.kernel}: proved for these arguments: every order that the hardware may choose gives the same result"]
            rows += [f"    it depends on {each}" for each in self.steered_by[:5]]
            return "\n".join(rows)
        if self.answer == "refuted":
            return "\n".join([f"{self.kernel}: refuted", *(str(each) for each in self.refuted_by)])
        return "\n".join([f"{self.kernel}: open", *(f"    {each}" for each in self.open_because)])


def prove(kernel: Kernel, *args: Any, config: LaunchConfig | None = None, stream: Stream | None = None) -> Proof:
    """Runs the kernel once, with these arguments, and says whether any other order could compute something else.

    A SuperKernel knows its blocks; any other kernel needs a `config`. The buffers are left as the kernel leaves them.
    """
    checked, failure = checked_run(kernel, args, config, stream)
    return answer_of(kernel, checked, failure)


def checked_run(
    kernel: Kernel, args: tuple[Any, ...], config: LaunchConfig | None, stream: Stream | None
) -> tuple[Session, AclimbError | None]:
    """One launch under a check that keeps its tape."""
    if kernel.binary.plan is not None:
        if config is not None:
            raise InvalidArgument(f"{kernel.name} is a SuperKernel, which knows its blocks; leave config out")
        config = LaunchConfig(plan_of(kernel.binary).num_blocks)
    if config is None:
        raise InvalidArgument(f"{kernel.name} is no SuperKernel, which knows its blocks; add config=LaunchConfig(num_blocks=...)")
    stream = stream or Stream(next((each.device for each in args if isinstance(each, Buffer)), None))
    session, failure = Session(tape=True), None
    with session:
        try:
            launch(stream, config, kernel, *args)
            stream.synchronize()
        except AclimbError as error:
            failure = error
    return session, failure


def answer_of(kernel: Kernel, session: Session, failure: AclimbError | None) -> Proof:
    launched = session.launches[0] if session.launches else None
    raw = launched.findings if launched else []
    grave = {kind for rule in RULES.values() if rule.severity == "error" for kind in rule.kinds}
    mistakes = {each.kind for each in raw if each.kind.name in grave} - {*_NO_VALUE}
    open_because = [] if failure is None else [f"the run failed: {str(failure).splitlines()[0]}"]
    places = LaunchPlaces(launched) if launched else None
    if launched and places:
        open_because += [f"{places.row(where)} {_DOUBTS[what]}" for what, where in launched.doubts if what in _DOUBTS]
        open_because += [f"{places.row(each.first)} uses bytes that nothing wrote" for each in raw if each.kind in _NO_VALUE]
        open_because += [f"{places.row(each.first)} {_DOUBTS[Doubt.float_sums]}" for each in raw if each.kind == FindingKind.atomic_float]
    findings = tuple(each for each in session.findings() if each.severity == "error")
    answer: Answer = "refuted" if mistakes else "open" if open_because else "proved"
    steered = tuple(places.row(each) for each in launched.steers) if launched and places else ()
    return Proof(answer, kernel.name, findings if mistakes else (), tuple(dict.fromkeys(open_because)), steered)
