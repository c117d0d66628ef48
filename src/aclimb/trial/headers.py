# SPDX-License-Identifier: Apache-2.0
"""A header that a build did not find: one that aclimb has, a part of the toolkit that it lacks, another package's, or the project's own."""

from __future__ import annotations

import re
from collections.abc import Callable

from aclimb.compile import forwarding
from aclimb.compile.headers import host_include_dir, include_dir
from aclimb.trial import torch_paths
from aclimb.trial.verdicts import Result, Verdict, short

MISSED = re.compile(
    r"(?P<name>[\w./+-]+\.(?:h\w*|inc|inl|cce)): (?P<words>no such header|No such file or directory)"
    r"|'(?P<other>[\w./+-]+\.(?:h\w*|inc|inl|cce))' file not found"
)
# The toolkit's own folders: a header in one of them that aclimb does not have is a part that aclimb lacks, not the user's file.
_TOOLKIT = (
    "acl", "aclnn", "aclnn_kernels", "aclnnop", "adv_api", "aicpu_api", "ascendc", "base", "basic_api", "c_api", "common/util", "exe_graph",
    "experiment", "external", "ge", "graph", "hccl", "kernel_tiling", "lib", "mmpa", "op_common", "opdev", "platform", "profiling",
    "register", "runtime", "simt_api", "tikcfw", "tiling", "toolchain", "utils",
)  # fmt: skip
_OF_TOOLKIT = re.compile(rf"(?:(?:{'|'.join(_TOOLKIT)})/|kernel_)[\w./]+\.h(?:pp)?")
# How a header of another package begins -> whose it is, and how one comes by it.
_PACKAGES = (
    ("atb/", "the Ascend Transformer Boost library, which is no part of the toolkit"),
    ("catlass/", "CATLASS: give its include folder"),
    ("fmt/", "fmt"),
    ("glog/", "glog"),
    ("gmock/", "GoogleTest"),
    ("gtest/", "GoogleTest"),
    ("mindspore/", "MindSpore"),
    ("mpi.h", "MPI"),
    ("nlohmann/", "nlohmann-json"),
    ("numpy/", "NumPy: add numpy.get_include() to the include folders"),
    ("opencv2/", "OpenCV"),
    ("pybind11/", "pybind11: pip install pybind11"),
    ("Python.h", "Python: install its development package"),
    ("spdlog/", "spdlog"),
)
_OURS = "no such header"  # as aclimb's own builds say it; a project's compiler has other words
Where = Callable[[str], str | None]


def verdict(missed: re.Match[str], where: Where) -> Verdict:
    """`where(name)`: the folder of the project from which the header could be included, if it is in the project at all."""
    name = missed["name"] or missed["other"]
    if package := torch_paths.package_of(name):
        return Verdict(Result.needs, torch_paths.reason(package, name))
    if (host_include_dir() / name).is_file():
        return (
            _on_the_other_side(name, "code of the host", "a kernel")
            if missed["words"] == _OURS
            else Verdict(Result.needs, _found_with(name))
        )
    if (include_dir() / name).is_file() or forwarding.stands_in(name):
        return _on_the_other_side(name, "kernels", "code of the host")
    if whose := next((text for begin, text in _PACKAGES if name.startswith(begin)), None):
        return Verdict(Result.needs, short(f"the header {name} of {whose}"))
    rest = name.rpartition("../")[2]
    if folder := where(rest):
        hint = (
            f"lies below {folder}, where the build does not look: -I{folder}"
            if rest == name
            else f"is not there; {rest} lies below {folder}"
        )
        return Verdict(Result.needs, short(f"the header {name} {hint}"))
    if _OF_TOOLKIT.fullmatch(name):
        return Verdict(Result.unsupported, f"{name} is not there", name)
    return Verdict(Result.needs, f"the header {name} is not there")


def _on_the_other_side(name: str, side: str, here: str) -> Verdict:
    return Verdict(Result.fails, f"aclimb has {name} for {side}, and {here} includes it")


def _found_with(name: str) -> str:
    return short(f"aclimb has {name}, and the project's build does not look there: add $ASCEND_HOME_PATH/include to its include folders")
