# SPDX-License-Identifier: Apache-2.0
"""What a torch extension needs to be built: the folders of torch, and of torch_npu where it is there, of the Python that runs aclimb."""

from __future__ import annotations

import importlib.util
import re
import sysconfig
from functools import cache
from pathlib import Path

# Of a header, by how its path begins.
_BEGINS = {"torch_npu": ("torch_npu/",), "torch": ("torch/", "ATen/", "c10/", "caffe2/", "torchgen/")}
_INCLUDES = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"](?:torch|ATen|c10|torch_npu|pybind11)/', re.MULTILINE)
_INSTALL = {"torch": "pip install 'torch==2.13.*'", "torch_npu": "pip install torch_npu==2.13.0"}
_CMAKE_NAMES = {"TORCH": "torch", "PYTORCH": "torch", "TORCH_NPU": "torch_npu", "PYTORCH_NPU": "torch_npu"}
_LIBRARIES = ("torch", "torch_cpu", "torch_python", "c10")


def is_extension(text: str) -> bool:
    """Return whether a source includes a header of torch."""
    return _INCLUDES.search(text) is not None


def package_of(header: str) -> str | None:
    """torch, torch_npu or neither; pybind11 comes with torch, and without."""
    return next((name for name, begins in _BEGINS.items() if header.startswith(begins)), None)


def reason(package: str, what: str) -> str:
    if folder(package) is None:
        return f"{package}, which this Python does not have ({what}): {_INSTALL[package]}"
    return f"{package} is installed, and the project's build does not look in its folders: {what}"


@cache
def folder(package: str) -> Path | None:
    """Where a package is installed; it is not imported, which takes seconds."""
    found = importlib.util.find_spec(package)
    return Path(found.origin).parent if found is not None and found.origin else None


def flags(name: str) -> list[str]:
    """For the compiler of an extension, as torch.utils.cpp_extension gives them; none without torch. `name`: of the module."""
    torch = folder("torch")
    if torch is None:
        return []
    includes = [torch / "include", torch / "include/torch/csrc/api/include", Path(sysconfig.get_path("include"))]
    libraries = [torch / "lib"]
    names = [*_LIBRARIES]
    if (npu := folder("torch_npu")) is not None:
        includes, libraries, names = [*includes, npu / "include"], [*libraries, npu / "lib"], [*names, "torch_npu"]
    made = [f"-DTORCH_EXTENSION_NAME={re.sub(r'[^A-Za-z0-9_]', '_', name)}", "-DTORCH_API_INCLUDE_EXTENSION_H", "-std=c++17"]
    made += [f"-I{each}" for each in includes]
    for each in libraries:
        made += [f"-L{each}", f"-Wl,-rpath,{each}"]
    return [*made, *(f"-l{each}" for each in names)]


def cmake_folders() -> list[str]:
    """Where find_package looks for Torch and pybind11."""
    places = [("torch", "share/cmake"), ("pybind11", "share/cmake")]
    found = [base / place for package, place in places if (base := folder(package)) is not None]
    return [str(each) for each in found if each.is_dir()]


def cmake_options(text: str) -> list[str]:
    """Values for the names by which projects ask for the two packages, where their CMake files do."""
    asked = {f"{name}{end}": package for name, package in _CMAKE_NAMES.items() for end in ("_PATH", "_INSTALL_PATH")}
    found = {name: folder(package) for name, package in asked.items() if f"${{{name}}}" in text}
    return [f"-D{name}={path}" for name, path in found.items() if path is not None]
