# SPDX-License-Identifier: Apache-2.0
"""Places in the user's kernel: an address of an image becomes a file, a line, and the text that stands there."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from pathlib import Path

from aclimb.binary import elf
from aclimb.binary.source_lines import Frame, call_arguments, is_in_our_headers, lines_of, source_lines, source_text, user_frame
from aclimb.compile.facts import Fact
from aclimb.compile.headers import installed_path
from aclimb.flow import PIPES, Pipe

_LONGEST = 40  # lines of a call in our headers


@dataclass(frozen=True, slots=True)
class SourcePlace:
    file: str
    line: int
    call: str  # the Ascend C function, "" when the place is not a call

    def short(self) -> str:
        return f"{Path(self.file).name}:{self.line}"

    def row(self, *, of_host: bool = False) -> str:
        """`of_host`: a place of the host program, which no image has named."""
        return f"{self.short()}   {source_text(self.file, self.line, trusted=of_host)}".rstrip()

    def argument(self, index: int) -> str | None:
        """What the user wrote as argument `index` of the call on that line."""
        for name in (self.call, self.call.split(" ")[0]):
            arguments = call_arguments(self.file, self.line, name) if name else []
            if index < len(arguments):
                return arguments[index]
        return None

    def receiver(self, call: str) -> str | None:
        """What stands before the dot of `call` on that line: xLocal of `xLocal.GetValue(0)`."""
        found = re.search(rf"([A-Za-z_][\w\[\]]*)\s*(?:\.|->)\s*(?:template\s+)?{re.escape(call)}\b", source_text(self.file, self.line))
        return found[1] if found else None


class SourcePlaces:
    """The images of a kernel, by core type."""

    def __init__(self, images: dict[str, bytes | None], call: str = "") -> None:
        self.images, self.call = images, call

    def find(self, where: tuple[str, int]) -> SourcePlace | None:
        core, offset = where
        image = self.images.get(core)
        return self._place(image, offset, self.call) if image else None

    def _place(self, image: bytes, return_address: int, call: str) -> SourcePlace | None:
        frame = user_frame(image, return_address)
        return SourcePlace(frame.file, frame.line, call) if frame else None

    def _outermost_frame(self, where: tuple[str, int]) -> Frame | None:
        core, offset = where
        image, found = self.images.get(core), None
        for frame in lines_of(image).frames(offset - 1) if image else []:
            if not is_in_our_headers(frame.file):
                break
            found = frame._replace(file=installed_path(frame.file))
        return found

    def outermost_api(self, where: tuple[str, int]) -> str:
        """The function of our headers that the user's line calls; it may have called others. "" when the line calls none."""
        frame = self._outermost_frame(where)
        # g++ writes an enumerator in a template argument as its number, clang by its name.
        return re.sub(r"\(pipe_t\)(\d)", lambda match: f"PIPE_{Pipe(int(match[1])).name}", frame.function if frame else "")

    def passed_on(self, where: tuple[str, int], instruction: str, operand: int) -> int | None:
        """Which argument of the user's call an operand is, where that call consists of others: the scratch of a call is the destination of
        what fills it. None where its text does not say."""
        frame = self._outermost_frame(where)
        inner = call_arguments(frame.file, frame.line, instruction, reach=2) if frame else []
        if frame is None or operand >= len(inner):
            return None
        name = frame.function.partition("<")[0]
        parameters = [re.split(r"\W+", each)[-1] for each in call_arguments(frame.file, frame.line, name, reach=_LONGEST)]
        body = "\n".join(source_lines(frame.file)[max(0, frame.line - _LONGEST) : frame.line])
        given = re.match(r"\w*", inner[operand])
        for _ in range(3):  # a name for a part of something else
            if given is None or given[0] in parameters:
                break
            given = re.search(rf"(?<=\b{given[0]} = )\w+", body)
        return parameters.index(given[0]) if given is not None and given[0] in parameters else None

    def called(self, where: tuple[str, int], instruction: str) -> str:
        """The call as the user wrote it: DataCopyPad issues the instruction of DataCopy, ReduceSum those of others."""
        api, place = self.outermost_api(where).partition("<")[0], self.find(where)
        return api if place and api.isidentifier() and call_arguments(place.file, place.line, api) else instruction

    def counts_on_inserted_flags(self) -> bool:
        """Whether the kernel was compiled with the automatic synchronisation of the vendor's compiler switched on."""
        return any(fact == Fact.auto_sync for image in self.images.values() if image for _, fact, _ in _facts_of(image))

    def setters(self, core: str, flag: str) -> list[SourcePlace]:
        """Every SetFlag of this flag in the image, from the facts that the headers left."""
        image = self.images.get(core)
        if not image:
            return []
        found = []
        for address, fact, value in _facts_of(image):
            if fact == Fact.set_flag and f"{PIPES[value // 8]}_{PIPES[value % 8]}" == flag:
                place = self._place(image, address + 1, "SetFlag")
                if place and place not in found:
                    found.append(place)
        return found


def _facts_of(image: bytes) -> list[tuple[int, int, int]]:
    """(address, fact, value), as the headers left them."""
    file = elf.Elf(image)
    section = file.find(".aclimb.facts")
    return list(struct.iter_unpack("<QQQ", file.content(section))) if section else []
