# SPDX-License-Identifier: Apache-2.0
"""`ld.lld -m aicorelinux`: the linker of device code. Any other link is for the next ld.lld of PATH, which the command in the prefix starts
by itself (host_tools.py).

Input and output may be the same file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from aclimb.errors import AclimbError, InvalidArgument
from aclimb.host import images

NAME = "ld.lld"
# With the next word, unless it is joined. Places and libraries have no meaning for an image that imports nothing.
_TAKES_NEXT = ("-m", "-o", "-T", "-L", "-l", "-e", "-z", "-Ttext", "-u")


def main() -> None:
    try:
        run(sys.argv[1:])
    except AclimbError as error:
        sys.stderr.write(f"{NAME}: error: {error}\n")
    except OSError as error:
        sys.stderr.write(f"{NAME}: error: {error.filename}: {error.strerror}\n")
    else:
        raise SystemExit(0)
    raise SystemExit(1)


def run(words: list[str]) -> None:
    inputs, output = _parse(words)
    binary = images.join(inputs)
    half = images.half_of(images.read(inputs[0])) if len(inputs) == 1 else ""
    if half:
        sys.stderr.write(f"{NAME}: note: {inputs[0]} is one half of a mix kernel, {half.upper()}; both halves are in the output\n")
    images.save(binary, output)


def _parse(words: list[str]) -> tuple[list[Path], Path]:
    inputs, output, rest = [], Path("a.out"), iter(words)
    for word in rest:
        if word in _TAKES_NEXT:
            value = next(rest, None)
            if value is None:
                raise InvalidArgument(f"{word} stands at the end; it takes another word")
            output = Path(value) if word == "-o" else output
        elif word.startswith(("-o", "--output=")):
            output = Path(word.removeprefix("--output=").removeprefix("-o"))
        elif not word.startswith("-"):
            inputs.append(Path(word))
    return inputs, output


if __name__ == "__main__":
    main()
