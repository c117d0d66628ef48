# SPDX-License-Identifier: Apache-2.0
"""What op.load registers, from one file or several, from one library or two; and what it refuses."""

from __future__ import annotations

import ctypes
import itertools
import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cpp_parts import HERE, Build

from aclimb import Kernel, op
from aclimb.errors import AclimbError, InvalidArgument
from aclimb.op import aclnn
from aclimb.op.native.library import _mapped

Load = Callable[..., op.Library]
PARTS = ("parts_def.cpp", "parts_infer.cpp", "parts_tiling.cpp")


@pytest.mark.requirement("cpp-28")
@pytest.mark.parametrize("order", list(itertools.permutations(PARTS))[::2])
def test_the_parts_of_an_operator_in_several_files_are_one(order: Any, load_library: Load, kernel: Callable[[str], Kernel]) -> None:
    library = load_library(*order)
    parts = library["Parts"].kernel(kernel("accumulate"))
    impl = op.get("Parts")
    assert impl.max_tiling_data_size in (64, 128)  # of the function that came last
    assert impl.prototype is parts
    x = np.arange(10, dtype=np.float32)
    if impl.max_tiling_data_size == 128:
        np.testing.assert_array_equal(parts(x).to_numpy(), x)
    assert {"Parts", "Everything", "Nothing", "DefaultImpl", "OnDevice"} == set(library.types)


@pytest.mark.requirement("cpp-24", "cpp-28")
def test_what_an_opdef_says_of_this_chip_comes_first(load_library: Load) -> None:
    parts = load_library(*PARTS)["Parts"]
    assert parts.combinations == ({"x": "float32", "out": "float32", "x.format": "ND", "out.format": "ND"},)
    assert parts.socs == ("ascend910_93", "ascend910b")
    assert parts.launch_with_zero_ele_output_tensors
    assert parts._init_values() == {0: 0}


@pytest.mark.requirement("cpp-28")
def test_everything_that_can_be_registered_arrives(
    load_library: Load, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    library = load_library("parts_tiling.cpp", flags=("-Wall", "-Wextra", "-Werror", "-DAGAIN"))  # loaded here for the first time
    impl = op.get("Everything")
    assert impl.infer_shape_range is not None
    assert (impl.inputs_data_dependency, impl.tiling_inputs_data_dependency, impl.tiling_placements) == (0b101, 0b1010, 0b11)
    assert (impl.host_inputs, impl.output_shape_depend_on_compute, impl.nullable_outputs) == (0b101, 0b101, 0b10011)
    assert impl.private_attrs == [("needed", None), ("whole", -5), ("ints", [1, 2]), ("text", "a"), ("part", 0.5), ("flag", True),
                                  ("floats", [1.5])]  # fmt: skip
    assert op.get("Nothing") == op.OpImpl("Nothing")
    assert op.find_tiling("Nothing") is op.get("DefaultImpl").tiling
    # While a library is being loaded, its log is Python's where libascendcl is in the process, and stderr otherwise.
    said = [*capfd.readouterr().err.splitlines(), *(record.getMessage() for record in caplog.records)]
    assert said == [
        "Everything OpImplRegisterV2: NullableOutputs has index 128; it takes 0 to 63, and the list ends here",
        "Everything OpImplRegisterV2: private attribute whole is there already; the first one counts",
        "Everything OpImplRegisterV2: a private attribute without a name is ignored",
        "Everything OpImplRegisterV2: no exception dump function is given; ignored",
    ]
    assert library.operators == {}


@pytest.mark.requirement("cpp-25")
def test_ranges_are_inferred_in_cpp(load_library: Load) -> None:
    from aclimb.op.infer.contexts import InferShapeRangeContext
    from aclimb.op.node.node import Node, OpParameter, as_tensor, unknown_output

    load_library("parts_tiling.cpp")
    node = Node("Everything", "n", [OpParameter("x")], [OpParameter("y")], [as_tensor(np.zeros((4, 5), np.float32))], [unknown_output()])
    context = InferShapeRangeContext(node, frozenset())
    op.get("Everything").infer_shape_range(context)
    assert (context._ranges[0].min.dims, context._ranges[0].max.dims) == ((0,), (4, 5))


# --- two libraries


@pytest.mark.requirement("cpp-28")
def test_of_two_libraries_the_first_one_counts_for_each_function(load_library: Load, kernel: Callable[[str], Kernel]) -> None:
    first = load_library(*PARTS)
    before = op.get("Parts")
    second = load_library("second.cpp")
    merged = op.get("Parts")
    assert merged.tiling == before.tiling
    assert merged.prototype is first["Parts"]
    assert merged.infer_shape_range is not None  # which only the second has
    x = np.arange(6, dtype=np.float32)
    np.testing.assert_array_equal(first["Parts"].kernel(kernel("accumulate"))(x).to_numpy(), x)
    with pytest.raises(op.OpError, match="Parts: Do not find op execute function"):  # what is its own: it has no kernel
        second["Parts"](np.zeros(3, np.int8))
    first.close()
    assert op.get("Parts").prototype is second["Parts"]
    assert [each for each in dir(aclnn) if "Parts" in each] == ["aclnnParts", "aclnnPartsGetWorkspaceSize"]


@pytest.mark.requirement("cpp-28")
def test_a_library_loaded_again_is_the_same_and_may_come_back(build: Build) -> None:
    path = build("second.cpp")
    first = op.load(path)
    assert op.load(str(path)) is first
    first.close()
    assert op.get("Parts") is None
    again = op.load(path)
    assert again is not first
    first.close()  # it is closed already
    assert op.get("Parts").prototype is again["Parts"]
    with again:
        pass
    assert op.get("Parts") is None


@pytest.mark.requirement("cpp-28")
def test_an_operator_of_python_and_one_of_a_library_do_not_share_a_type(build: Build) -> None:
    mine = op.define("Parts").input("x", dtype=["float32"]).output("y", follow="x")
    handle = mine.register()
    with pytest.raises(
        AclimbError, match=r"Parts is registered already, at .*test_cpp_load.py:\d+; .* has another one. Unregister the first"
    ):
        op.load(build("second.cpp"))
    handle.unregister()
    with op.load(build("second.cpp")) as library:
        with pytest.raises(AclimbError, match=r"Parts is registered already, at .*second-\w+\.so; .* registers another one"):
            mine.register()
        with pytest.raises(AclimbError, match=r"Parts comes from .*: op.load registers it, and close"):
            library["Parts"].register()
        with pytest.raises(AclimbError, match=r"Parts comes from .*: close"):
            library["Parts"].unregister()


# --- what is refused


def test_what_is_no_library_of_operators_is_refused(tmp_path: Path, build: Build) -> None:
    with pytest.raises(InvalidArgument, match=r"nothing.so is not a file; it takes a shared library"):
        op.load(tmp_path / "nothing.so")
    text = tmp_path / "text.so"
    text.write_text("no library")
    with pytest.raises(InvalidArgument, match=r"text.so cannot be loaded: .*text.so: file too short"):
        op.load(text)
    source = tmp_path / "empty.cpp"
    source.write_text("int nothing;\n")
    with pytest.raises(InvalidArgument, match=r"declares no operators: it has no aclimb_op_library, which register/op_impl_registry.h"):
        op.load(build(source))
    source = tmp_path / "old.cpp"
    source.write_text('extern "C" const unsigned int* aclimb_op_library() { static unsigned int own[20] = {999}; return own; }\n')
    with pytest.raises(InvalidArgument, match=r"was built with headers of version 999; this aclimb has 3: build it again"):
        op.load(build(source))


def test_a_library_that_changed_is_not_taken_for_the_old_one(tmp_path: Path, build: Build) -> None:
    path = tmp_path / "libcust.so"
    shutil.copy(build("second.cpp"), path)
    op.load(path).close()
    path.unlink()
    shutil.copy(build("parts_infer.cpp"), path)
    with pytest.raises(AclimbError, match=r"libcust.so has changed since it was loaded, and C\+\+ code cannot be replaced"):
        op.load(path)
    _mapped.pop(path)


DEFINITION = """
#include "register/op_def_registry.h"
namespace ops {
class Bad : public OpDef {
  public:
    explicit Bad(const char* name) : OpDef(name) { %s }
};
OP_ADD(Bad);
} // namespace ops
"""


@pytest.mark.slow
@pytest.mark.requirement("cpp-24")
@pytest.mark.parametrize(("body", "text"), [
    ('this->Input("x").DataType({ge::DT_HIFLOAT8});', "Bad: every combination of types and formats has one that is not modelled"),
    ('this->Input("x").DataTypeList({ge::DT_HIFLOAT8});', "Bad: no type or format of x is modelled"),
    ('this->Attr("a").AttrType(OPTIONAL).Int();', "Bad: attribute a is OPTIONAL and has no default; give one, as in Int(0)"),
    ('this->Attr("a").AttrType(OPTIONAL);', "Bad: attribute a has no type; call one of Bool, Int, Float, String, ListInt and so on"),
    ('this->Output("y").DataType({ge::DT_INT8}).InitValue({ScalarVar(ScalarType::INT8, 1), ScalarVar(ScalarType::INT8, 2)});',
     "Bad: InitValue of y has 2 different values; give one for all types"),
    ('this->Input("x").DataType({ge::DT_INT8}); this->Input("y").DataType({ge::DT_INT8, ge::DT_INT8});',
     "Bad: lists of types have different lengths: x 1, y 2"),
])  # fmt: skip
def test_a_prototype_that_cannot_be_is_refused(body: str, text: str, tmp_path: Path, build: Build) -> None:
    source = tmp_path / "bad.cpp"
    source.write_text(DEFINITION % body)
    with pytest.raises(InvalidArgument) as raised:
        op.load(build(source))["Bad"].combinations  # noqa: B018 - the lengths are looked at there
    assert str(raised.value) == text
    for library in list(op.native.library._open.values()):
        library.close()


def test_an_operator_for_other_chips_is_loaded_with_a_warning(tmp_path: Path, build: Build, caplog: pytest.LogCaptureFixture) -> None:
    source = tmp_path / "other_chip.cpp"
    source.write_text(DEFINITION % 'this->Input("x").DataType({ge::DT_INT8}); this->AICore().AddConfig("ascend310p");')
    with caplog.at_level(logging.WARNING, "aclimb"), op.load(build(source)):
        assert [each.getMessage() for each in caplog.records] == ["Bad is declared for ascend310p; Ascend910_9392 is ascend910_93"]


# --- headers

ALL_HEADERS = sorted(
    str(each.relative_to(HERE.parents[1] / "host" / "include"))
    for folder in ("exe_graph", "graph", "log", "platform", "register", "tiling")
    for each in (HERE.parents[1] / "host" / "include" / folder).rglob("*.h")
)


@pytest.mark.requirement("cpp-24")
@pytest.mark.parametrize(("std", "abi"), [(11, 0), (20, 1)])
def test_all_headers_go_together(std: int, abi: int, tmp_path: Path, build: Build) -> None:
    source = tmp_path / f"all_{std}.cpp"
    source.write_text("".join(f'#include "{each}"\n' for each in reversed(ALL_HEADERS)) + "int nothing;\n")
    assert build(source, std=std, flags=("-Wall", "-Wextra", "-Werror", f"-D_GLIBCXX_USE_CXX11_ABI={abi}")).is_file()


@pytest.mark.slow
@pytest.mark.requirement("cpp-24")
@pytest.mark.parametrize("std", [11, 14, 17, 20])
@pytest.mark.parametrize("header", ALL_HEADERS)
def test_each_header_stands_alone(header: str, std: int, tmp_path: Path, build: Build) -> None:
    source = tmp_path / f"{header.replace('/', '_')}.cpp"
    source.write_text(f'#include "{header}"\nint nothing;\n')
    assert build(source, std=std, flags=("-Wall", "-Wextra", "-Werror", f"-D_GLIBCXX_USE_CXX11_ABI={std % 2}")).is_file()


@pytest.mark.requirement("cpp-45")
@pytest.mark.parametrize("std", [11, 17])
def test_adapters_of_frameworks_are_taken_and_not_used(std: int, build: Build) -> None:
    assert ctypes.CDLL(str(build("adapters.cpp", std=std))).both_statuses() == 1
