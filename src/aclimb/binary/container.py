# SPDX-License-Identifier: Apache-2.0
"""name.o: an ELF file with the description and one image (a shared object) for each core type.

    .aclimb.meta   the JSON, also written beside it as name.json
    .aclimb.aiv    image of the AIV pass      .aclimb.aic   image of the AIC pass
    .aclimb.aiv.0  in a SuperKernel: the images of its members, equal ones once
    .aclimb.seal   sha256 of the whole file with these 32 bytes zero
    .symtab        the kernels' names, for nm and its relatives

`read` checks all of it before anything is mapped.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import platform
import re
import stat
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from aclimb.binary import elf, meta, superkernel
from aclimb.binary.meta import ABI_VERSION, FORMAT_VERSION, BuildRecord
from aclimb.binary.plan import Plan, decode
from aclimb.errors import (
    AbiMismatch,
    InvalidArgument,
    InvalidBinary,
    KernelNotFound,
    NpuBinary,
    SourceNotFound,
    WrongArchitecture,
)
from aclimb.flow import KernelInfo

META, SEAL = ".aclimb.meta", ".aclimb.seal"
IMAGE = re.compile(r"(aiv|aic)(\.(0|[1-9]\d{0,4}))?")  # a SuperKernel has those of its members, numbered
SEAL_BYTES = 32
REBUILD = "build it again with `aclimb build`"
MAX_BYTES = 2**30
_NOT_FILES = {stat.S_ISFIFO: "a pipe", stat.S_ISCHR: "a device", stat.S_ISBLK: "a device", stat.S_ISSOCK: "a socket"}


def host_architecture() -> str:
    """The name this file uses for the machine we run on."""
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())


@dataclass(frozen=True)
class KernelBinary:  # compile/ -> runtime/loader, fuse/
    """An operator binary in memory: what it contains, and the bytes of its images ("aiv", "aic")."""

    record: BuildRecord
    kernels: tuple[KernelInfo, ...]
    images: dict[str, bytes] = field(repr=False)
    abi: int = ABI_VERSION
    plan: Plan | None = None  # of a SuperKernel

    # --- what is inside

    @property
    def name(self) -> str:
        return self.record.name

    @property
    def soc(self) -> str:
        return self.record.soc

    @property
    def kernel_names(self) -> tuple[str, ...]:
        return tuple(kernel.name for kernel in self.kernels)

    def kernel_info(self, name: str) -> KernelInfo:
        """The kernel of that name, or of CANN's `name_<tilingKey>`."""
        return self.find(name)[0]

    def find(self, name: str) -> tuple[KernelInfo, int | None]:
        """The kernel, and the tiling key when the name ends in one. A C++ kernel also goes by its mangled name."""
        name = plain_name(name)
        for kernel in self.kernels:
            if kernel.name == name:
                return kernel, None
        instance = self._instance(name) if "<" in name else None
        if instance is not None:
            return instance, None
        base, _, digits = name.rpartition("_")
        for kernel in self.kernels:
            if kernel.name == base and digits.isdecimal() and int(digits) in kernel.tiling_keys:
                return kernel, int(digits)
        raise KernelNotFound(f"{self.name}.o has no kernel {_shortened(name)!r}; it has {', '.join(self.known_names)}")

    def _instance(self, name: str) -> KernelInfo | None:
        """The instance of a kernel template as it was asked for: with spaces or without, and without its namespace where that is clear."""
        wanted = _without_spaces(name)
        found = [kernel for kernel in self.kernels if f"::{_without_spaces(kernel.name)}".endswith(f"::{wanted}")]
        exact = [kernel for kernel in found if _without_spaces(kernel.name) == wanted]
        return exact[0] if exact else found[0] if len(found) == 1 else None

    @property
    def known_names(self) -> list[str]:
        """Every name that `find` knows."""
        return [name for k in self.kernels for name in (k.name, *(f"{k.name}_{key}" for key in k.tiling_keys))]

    @cached_property
    def sha256(self) -> str:
        """Of the images: the name under which the loader maps them."""
        total = hashlib.sha256()
        for core, image in sorted(self.images.items()):
            total.update(f"{core} {len(image)}\n".encode() + image)
        if self.plan is not None:
            total.update(self.plan.to_json().encode())
        return total.hexdigest()

    # --- writing

    @property
    def meta(self) -> dict[str, Any]:
        hashes = {core: hashlib.sha256(image).hexdigest() for core, image in sorted(self.images.items())}
        described = meta.encode(self.record, self.kernels, hashes, self.abi, self.sha256)
        return described if self.plan is None else superkernel.describe(described, self.plan)

    def to_bytes(self) -> bytes:
        """The file. Equal content gives equal bytes."""
        contents = [(META, meta.dump(self.meta))]
        contents += [(f".aclimb.{name}", self.images[name]) for name in sorted(self.images, reverse=True)]
        contents += [(SEAL, bytes(SEAL_BYTES))]
        functions = [(name, self._section_of(k)) for k in self.kernels for name in _symbol_names(k)]
        machine = next(number for number, name in elf.MACHINES.items() if name == self.record.host)
        out = elf.write(machine, contents, functions)
        seal = elf.Elf(bytes(out)).find(SEAL)
        assert seal is not None
        out[seal.offset : seal.offset + SEAL_BYTES] = hashlib.sha256(out).digest()
        return bytes(out)

    def _section_of(self, kernel: KernelInfo) -> str:
        core = "aiv" if kernel.kernel_type.has_aiv else "aic"
        return f".aclimb.{core if core in self.images else max(self.images)}"

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes name.o and name.json, also into a folder; returns the path of name.o."""
        target = Path(path)
        if target.is_dir():
            target /= f"{self.name}.o"
        if target.suffix != ".o":
            target = target.with_name(target.name + ".o")
        named = self.renamed(target.stem)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            replace_file(target, named.to_bytes())
            replace_file(target.with_suffix(".json"), meta.dump(named.meta))
        except OSError as error:
            raise InvalidArgument(f"{target} cannot be written: {error.strerror}; choose another place") from None
        return target

    def renamed(self, name: str) -> KernelBinary:
        return replace(self, record=replace(self.record, name=name))

    # --- reading

    @classmethod
    def read(cls, source: str | os.PathLike[str] | bytes) -> KernelBinary:
        """From a path or from the bytes of a file. Raises InvalidBinary, or a subclass that says more."""
        if isinstance(source, bytes | bytearray | memoryview):
            return _read(bytes(source), "the data")
        if not isinstance(source, str | os.PathLike):
            raise InvalidArgument(
                f"binary is a {type(source).__name__}; it takes what Program(...).compile() gives, or the path of a .o file"
            )
        path = Path(source)
        try:
            data = _content(path)
        except FileNotFoundError:
            raise SourceNotFound(f"{path} does not exist; `aclimb build kernel.cpp -o {path.name}` writes one") from None
        except IsADirectoryError:
            raise InvalidBinary(f"{path} is a folder; give the .o file in it") from None
        except OSError as error:
            raise InvalidBinary(f"{path} cannot be read: {error.strerror}") from None
        return _read(data, str(path))


def _content(path: Path) -> bytes:
    """Of a file that could be an operator binary; of others no more than it takes to know."""
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:  # a pipe would wait for a writer
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            kind = next((text for is_kind, text in _NOT_FILES.items() if is_kind(found.st_mode)), "no ordinary file")
            raise InvalidBinary(f"{path} is {kind}; an operator binary is a file, as `aclimb build` writes it")
        if found.st_size > MAX_BYTES:
            raise InvalidBinary(f"{path} has {found.st_size} bytes; an operator binary has at most {MAX_BYTES}")
        start = file.read(4)
        return start + file.read() if start == b"\x7fELF" else start


def _shortened(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}..."


def _without_spaces(name: str) -> str:
    """`f<1, unsigned int>` and `f< 1,unsigned int >` are one name; the space inside a type stays."""
    return re.sub(r"\s*([^\w\s])\s*", r"\1", name.strip())


def plain_name(name: str) -> str:
    """`_ZN4deep6nestedEPU3AS1h` is deep::nested; the parameters do not matter, kernels are not overloaded."""
    match = re.match(r"_Z(N?)(?=\d)", name)
    at, parts = (match.end() if match else 0), []
    while match and (length := re.compile(r"\d+").match(name, at)):
        at = length.end() + int(length[0])
        parts.append(name[length.end() : at])
        if not match[1]:
            break
    return "::".join(parts) or name


def replace_file(path: Path, data: bytes) -> None:
    """Writes so that a reader sees the old file or the new one, never half of it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    except OSError as error:
        error.filename = str(path)  # a full disk does not say where, and our own name for it says nothing
        raise
    finally:
        temporary.unlink(missing_ok=True)


def _symbol_names(kernel: KernelInfo) -> list[str]:
    return [kernel.name, *(f"{kernel.name}_{key}" for key in kernel.tiling_keys)]


def _read(data: bytes, where: str) -> KernelBinary:
    try:
        return _decode(elf.Elf(data), where)
    except elf.MalformedElf as error:
        if data.startswith(b"#!"):
            package = "a script or a self-extracting package (.run), not an operator binary, and CANN's packages hold code for the NPU"
            raise InvalidBinary(f"{where} is {package}; build the kernel's source with `aclimb build`") from None
        raise InvalidBinary(f"{where} is not an operator binary: {error}; build the kernel's source with `aclimb build`") from None
    except meta.MalformedMeta as error:
        raise InvalidBinary(f"{where} is damaged: {error}; {REBUILD}") from None


def _decode(file: elf.Elf, where: str) -> KernelBinary:
    if file.machine == elf.EM_NPU:
        raise NpuBinary(f"{where} was compiled for the NPU by CANN; build its source with `aclimb build`")
    section = file.find(META)
    if section is None:
        kind = elf.MACHINES.get(file.machine, f"machine {file.machine}")
        raise InvalidBinary(
            f"{where} is an ordinary {kind} ELF file, not an operator binary: it has no {META}; build a kernel with `aclimb build`"
        )
    _check_layout(file)
    text = meta.parse(file.content(section))
    ours = meta.take(text, "aclimb", dict)
    version, abi = meta.take(ours, "format", int), meta.take(ours, "abi", int)
    if version != FORMAT_VERSION:
        raise AbiMismatch(f"{where} has file format {version}; this aclimb reads format {FORMAT_VERSION}: {REBUILD}")
    if abi != ABI_VERSION:
        raise AbiMismatch(f"{where} was built for kernel ABI {abi}; this aclimb has ABI {ABI_VERSION}: {REBUILD}")
    _check_seal(file, where)
    record, kernels = meta.decode_record(text), meta.decode_kernels(text)
    _check_architecture(file, record, where)
    images = _images(file, meta.take(ours, "images", dict))
    if "superkernel" in ours:
        plan = decode(ours["superkernel"])
        superkernel.check(plan, kernels, images)
        return KernelBinary(record, kernels, images, abi, plan)
    for kernel in kernels:
        _check_images(kernel, images)
    return KernelBinary(record, kernels, images, abi)


def _check_layout(file: elf.Elf) -> None:
    """No two sections share bytes, and ours appear once."""
    if file.type != elf.ET_REL:
        raise elf.MalformedElf("its ELF type is not a relocatable file")
    spans = sorted((s.offset, s.offset + s.size) for s in file.sections[1:] if s.type != elf.SHT_NOBITS and s.size)
    if any(end > start for (_, end), (start, _) in itertools.pairwise(spans)):
        raise elf.MalformedElf("two of its sections share the same bytes")
    names = [s.name for s in file.sections if s.name.startswith(".aclimb.")]
    if len(names) != len(set(names)):
        raise elf.MalformedElf("one of its sections appears twice")


def _check_seal(file: elf.Elf, where: str) -> None:
    seal = file.find(SEAL)
    if seal is None or seal.size != SEAL_BYTES or seal.type == elf.SHT_NOBITS:
        raise meta.MalformedMeta("its seal is missing")
    data = bytearray(file.data)
    data[seal.offset : seal.offset + SEAL_BYTES] = bytes(SEAL_BYTES)
    if hashlib.sha256(data).digest() != file.content(seal):
        raise InvalidBinary(f"{where} was changed after it was built: its bytes do not match its seal; {REBUILD}")


def _check_architecture(file: elf.Elf, record: BuildRecord, where: str) -> None:
    if elf.MACHINES.get(file.machine) != record.host:
        raise meta.MalformedMeta(f"its ELF machine is {file.machine}, its description says {record.host!r}")
    if record.family not in ("A2", "A3"):
        raise meta.MalformedMeta(f"its product family is {record.family!r}, not A2 or A3")
    if record.host != host_architecture():
        raise WrongArchitecture(f"{where} was built on {record.host}; this machine is {host_architecture()}: {REBUILD} here")


def _images(file: elf.Elf, hashes: dict[str, Any]) -> dict[str, bytes]:
    images = {}
    sections = {s.name[8:]: s for s in file.sections if s.name.startswith(".aclimb.") and IMAGE.fullmatch(s.name[8:])}
    for core in sorted({*sections, *hashes}):
        if core not in sections or core not in hashes:
            raise meta.MalformedMeta(f"its description and its sections disagree about the {core} image")
        images[core] = file.content(sections[core])
        if hashlib.sha256(images[core]).hexdigest() != hashes[core]:
            raise meta.MalformedMeta(f"its {core} image does not match its sha256")
    return images


def _check_images(kernel: KernelInfo, images: dict[str, bytes]) -> None:
    for kind in (kernel.kernel_type, *(kind for _, kind in kernel.key_types)):
        if (kind.has_aic and "aic" not in images) or (kind.has_aiv and "aiv" not in images):
            raise meta.MalformedMeta(f"kernel {kernel.name} is {kind.name} and one of its images is missing")
