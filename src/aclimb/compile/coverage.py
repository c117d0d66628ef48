# SPDX-License-Identifier: Apache-2.0
"""Which names of Ascend C the sources of a folder use, and which of them aclimb has: without building anything.

A file is read as tokens. Branches of the preprocessor that Atlas A2 and A3 do not take are left out, where that can be told from the
product macros alone. A name that the sources define themselves is theirs, unless it is written with AscendC::.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from aclimb.compile import api_names, headers
from aclimb.compile.api_names import Missing
from aclimb.compile.product_branches import of_this_product
from aclimb.compile.tokens import Token, closing, tokens_of
from aclimb.errors import SourceNotFound

SUFFIXES = (".cpp", ".cc", ".cxx", ".asc", ".cce", ".h", ".hpp")
_KEYWORDS = {"return", "else", "new", "delete", "throw", "case", "operator", "sizeof", "typename", "template"}
_DEFINES = {"class", "struct", "union", "enum", "using"}
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
# The host's side of the library, where a source has its host code too.
_HOSTS = re.compile(r"Get\w+(?:TmpSize|TmpBufferFactorSize|TilingInfo)|\w+TilingFunc|TensorShape|TensorDataType|tiling|optiling")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+["<]([^">\n]+)[">]', re.MULTILINE)
_KERNEL = re.compile(r"\b__global__\b")
_DEVICE = re.compile(r"\b(?:__aicore__|__global__|AscendC|kernel_operator|GM_ADDR|__gm__)\b|\[aicore\]|\bc_api/")


@dataclass(frozen=True)
class FileCoverage:
    """One source: the names of Ascend C in it, and in those of the other sources that it includes."""

    path: Path
    has_kernel: bool
    supported: tuple[str, ...]
    missing: tuple[Missing, ...]
    unknown: tuple[str, ...]  # written with AscendC:: and on no list

    @property
    def is_covered(self) -> bool:
        return not self.missing and not self.unknown

    @property
    def blockers(self) -> set[str]:
        """What would have to come: parts, because the names of one come together."""
        return {each.part for each in self.missing} | set(self.unknown)


@dataclass(frozen=True)
class Blocker:
    """Something that is missing, and what it costs."""

    part: str
    names: tuple[str, ...]
    files: int  # that use it
    alone: int  # that lack nothing else
    nearest: str
    is_elsewhere: bool  # other products have it, A2 and A3 do not


@dataclass(frozen=True)
class Coverage:
    files: tuple[FileCoverage, ...]

    @property
    def covered(self) -> int:
        return sum(each.is_covered for each in self.files)

    def blockers(self) -> list[Blocker]:
        """What alone blocks most files comes first."""
        files = Counter(part for each in self.files for part in each.blockers)
        alone = Counter(next(iter(each.blockers)) for each in self.files if len(each.blockers) == 1)
        rows = [self._blocker(part, files[part], alone[part]) for part in files]
        return sorted(rows, key=lambda row: (-row.alone, -row.files, row.part))

    def _blocker(self, part: str, files: int, alone: int) -> Blocker:
        of_part = [each for file in self.files for each in file.missing if each.part == part]
        counts = Counter(each.name for each in of_part)
        methods = {each.name for each in of_part if each.is_method}
        ordered = tuple(sorted(counts, key=lambda name: (name in methods, -counts[name], name))) or (part,)
        nearest = of_part[0].nearest if of_part else "no name that aclimb knows: misspelt, or newer than its list"
        return Blocker(part, ordered, files, alone, nearest, bool(of_part) and of_part[0].reason == "not on A2 and A3")


def scan(paths: Iterable[Path]) -> Coverage:
    """Of files and folders; a file without Ascend C is left out."""
    texts = {path: text for path in _sources(paths) if _DEVICE.search(text := path.read_text(errors="replace"))}
    tokens = {path: list(tokens_of(of_this_product(text))) for path, text in texts.items()}
    own = {path: {*_defined(tokens[path]), *_MACRO.findall(text)} for path, text in texts.items()}
    folder = headers.include_dir()
    supported, missing = api_names.supported(folder), api_names.unusable(folder)
    reached = {path: _with_includes(path, texts) for path in texts}
    alone = {}
    for path, text in texts.items():
        seen = set[str]().union(*(own[each] for each in reached[path]))
        alone[path] = _cover(path, tokens[path], bool(_KERNEL.search(text)), seen, supported, missing)
    return Coverage(tuple(_together(alone[path], [alone[each] for each in sorted(reached[path])]) for path in texts))


def _together(file: FileCoverage, reached: list[FileCoverage]) -> FileCoverage:
    """A file with what the headers bring that it includes: it does not build without them."""
    lacking = {each.name: each for other in reached for each in other.missing}
    return FileCoverage(
        file.path,
        file.has_kernel,
        tuple(sorted({name for other in reached for name in other.supported})),
        tuple(lacking[name] for name in sorted(lacking)),
        tuple(sorted({name for other in reached for name in other.unknown})),
    )


def _with_includes(path: Path, texts: dict[Path, str]) -> set[Path]:
    """A file and those of the others that it includes, by the end of their path."""
    found, rest = {path}, [path]
    while rest:
        for name in _INCLUDE.findall(texts[rest.pop()]):
            words = Path(name).parts
            for other in texts:
                if other not in found and other.name == words[-1] and _ends_alike(other, words):
                    found.add(other)
                    rest.append(other)
    return found


def _ends_alike(path: Path, words: tuple[str, ...]) -> bool:
    plain = tuple(word for word in words if word not in (".", ".."))
    return path.parts[-len(plain) :] == plain


def _sources(paths: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise SourceNotFound(f"{path} does not exist; give a folder of Ascend C sources, or files")
        found += sorted(each for each in path.rglob("*") if each.suffix in SUFFIXES and each.is_file()) if path.is_dir() else [path]
    if not found:
        raise SourceNotFound(f"{', '.join(map(str, paths))} has no source; looked for {', '.join(SUFFIXES)}")
    return list(dict.fromkeys(found))


def _cover(
    path: Path, tokens: list[Token], has_kernel: bool, own: set[str], supported: frozenset[str], missing: dict[str, Missing]
) -> FileCoverage:
    used: dict[str, None] = {}
    lacking: dict[str, Missing] = {}
    unknown: dict[str, None] = {}
    methods: dict[str, Missing] = {}
    for at, token in enumerate(tokens):
        if token.kind != "name":
            continue
        name, qualified = token.text, at > 1 and tokens[at - 1].text == "::" and tokens[at - 2].text == "AscendC"
        is_method = at > 0 and tokens[at - 1].text in (".", "->")
        refused = missing.get(name)
        if not qualified and name in own:
            continue
        if refused is not None and refused.is_method == is_method:
            (methods if is_method else lacking)[name] = refused
        elif name in supported:
            used[name] = None
        elif qualified and refused is None and not _HOSTS.fullmatch(name) and not _opens_a_name(tokens, at):
            unknown[name] = None
    parts = {each.part for each in lacking.values()}
    lacking |= {name: each for name, each in methods.items() if each.part in parts}  # common words: only beside what they belong to
    return FileCoverage(path, has_kernel, tuple(sorted(used)), tuple(lacking[name] for name in sorted(lacking)), tuple(sorted(unknown)))


def _opens_a_name(tokens: list[Token], at: int) -> bool:
    """AscendC::Impl::x: what counts is what stands at the end."""
    return at + 1 < len(tokens) and tokens[at + 1].text == "::"


def _defined(tokens: list[Token]) -> Iterable[str]:
    """Types, and functions with a body."""
    for at, token in enumerate(tokens[:-1]):
        following = tokens[at + 1]
        if token.text in _DEFINES and following.kind == "name":
            yield tokens[at + 2].text if following.text in ("class", "struct") and at + 2 < len(tokens) else following.text
        elif token.kind == "name" and following.text == "(" and at > 0 and _is_declarator(tokens[at - 1]):
            behind = closing(tokens, at + 1)
            while behind < len(tokens) and tokens[behind].text in ("const", "noexcept", "override"):
                behind += 1
            if behind < len(tokens) and tokens[behind].text == "{":
                yield token.text


def _is_declarator(before: Token) -> bool:
    """A type stands before the name of a function; before a call stands none."""
    return (before.kind == "name" and before.text not in _KEYWORDS) or before.text in ("*", "&", ">")
