# SPDX-License-Identifier: Apache-2.0
"""Operators of a C++ project from C and C++ programs: generated aclnn functions, aclop calls, how a program finds the package."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from cpp_parts import HERE, MORE_FLAGS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aclimb import Buffer, Stream, op
from aclimb.host import programs
from aclimb.host.op_package import generate_all
from aclimb.host.prefix import prefix
from aclimb.op import builtin
from aclimb.op.native.package import Package, find_operator, packages
from aclimb.op.single import declared, registry

PROGRAMS = HERE / "programs"
pytestmark = pytest.mark.skipif(bool(os.environ.get(MORE_FLAGS)), reason="programs are started without the sanitizer that this session has")
WARNINGS = ("-O1", "-Wall", "-Wextra", "-Werror")
COUNT = 7 * 31
Say = Callable[..., str]


@pytest.fixture(scope="session")
def package(package_of: Callable[[Path], Package]) -> Package:
    return package_of(HERE / "projects" / "blend")


def plain(source: str, package: Package, out: Path) -> Path:
    """By the host's own compiler, as a user without aclimb's commands would."""
    compiler = shutil.which("gcc" if source.endswith(".c") else "g++")
    if compiler is None:
        pytest.skip("g++ links this one")
    folders = [prefix() / "lib64", package.api.parent]
    where = [f"-I{prefix() / 'include'}", f"-I{package.include}", *(f"-L{each}" for each in folders),
             *(f"-Wl,-rpath,{each}" for each in folders)]  # fmt: skip
    subprocess.run([compiler, *WARNINGS, str(PROGRAMS / source), "-o", str(out), *where, "-lcust_opapi", "-lascendcl"], check=True)
    return out


def ours(source: str, package: Package, out: Path) -> Path:
    words = [str(PROGRAMS / source), *WARNINGS, f"-I{package.include}", f"-L{package.api.parent}", "-lcust_opapi"]
    return programs.build([*words, f"-Wl,-rpath,{package.api.parent}"], out)


def said(*command: str | Path, code: int = 0, **environment: str) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env={**os.environ, **environment}, timeout=600)
    assert done.returncode == code, f"it ended with {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def plain_scenes(package: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plain("aclnn_scenes.cpp", package, tmp_path_factory.mktemp("plain") / "scenes")


@pytest.fixture(scope="session")
def our_scenes(package: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ours("aclnn_scenes.cpp", package, tmp_path_factory.mktemp("ours") / "scenes")


@pytest.fixture(params=["plain", "direct", "by_command"])
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Say:
    """scene(name) is what the program said of it: linked by g++, by aclimb, and started by `aclimb run`."""
    program = request.getfixturevalue("plain_scenes" if request.param == "plain" else "our_scenes")
    before = [sys.executable, "-m", "aclimb", "run", "-q"] if request.param == "by_command" else []
    return lambda name: said(*before, program, name, tmp_path)


@pytest.fixture
def values(tmp_path: Path) -> dict[str, np.ndarray]:
    """What the program reads."""
    random = np.random.default_rng(5)
    made = {name: random.normal(size=COUNT).astype(np.float32) for name in ("x", "bias", "first", "second")}
    for name, each in made.items():
        each.tofile(tmp_path / name)
    np.array([2], np.int64).tofile(tmp_path / "two")
    return made


def result(folder: Path, name: str = "y") -> np.ndarray:
    return np.fromfile(folder / name, np.float32)


# --- what a call computes


@pytest.mark.requirement("cpp-43")
def test_every_kind_of_parameter_reaches_the_operator(scene: Say, values: dict[str, np.ndarray], tmp_path: Path) -> None:
    assert scene("everything") == f"plan 0 \nworkspace {4 * COUNT}\nrun 0 \n"
    expected = -(values["x"] * 0.25) + values["bias"] - 3 + 0.5 * values["second"] - 4 * values["first"]
    np.testing.assert_allclose(result(tmp_path), expected, rtol=1e-6, atol=1e-5)


@pytest.mark.requirement("cpp-43")
def test_null_is_an_absent_input_and_the_default_of_an_attribute(scene: Say, values: dict[str, np.ndarray], tmp_path: Path) -> None:
    assert scene("defaults") == "plan 0 \nrun 0 \n"
    np.testing.assert_allclose(result(tmp_path), values["x"] + 1.5 + 5 + values["first"], rtol=1e-6, atol=1e-5)


@pytest.mark.requirement("cpp-43")
def test_an_input_that_is_the_output_is_computed_in_place_and_again(scene: Say, values: dict[str, np.ndarray], tmp_path: Path) -> None:
    assert scene("in_place") == "plan 0 \nrepeatable 0 \nrun 0 \nrun 0 \ndestroy 0 \n"
    np.testing.assert_array_equal(result(tmp_path), values["x"] + values["first"] + values["first"])


@pytest.mark.requirement("cpp-43")
def test_a_value_is_an_array_or_a_tensor(scene: Say, values: dict[str, np.ndarray], tmp_path: Path) -> None:
    assert scene("values") == "plan 0 \nrun 0 \nplan 0 \nrun 0 \n"
    np.testing.assert_array_equal(result(tmp_path), np.tile(values["x"], 3))
    np.testing.assert_array_equal(result(tmp_path, "z"), np.tile(values["x"], 2))


@pytest.mark.requirement("cpp-43")
def test_empty_tensors_need_nothing_and_launch_nothing(scene: Say) -> None:
    assert scene("empty") == "plan 0 \nworkspace 0\nrun 0 \n"


@pytest.mark.requirement("cpp-43")
def test_python_computes_the_same_with_the_package(package: Package, values: dict[str, np.ndarray], stream: Stream) -> None:
    inputs = {name: Buffer.from_array(each) for name, each in values.items()}
    with op.load(package.root) as library:
        attrs = {
            "shift": -3,
            "alpha": 0.25,
            "negate": True,
            "mode": "mul",
            "weights": [0.5, -4.0],
            "order": [1, 0],
            "used_parts": [True, True],
        }
        got = library["Blend"](inputs["x"], inputs["bias"], [inputs["first"], inputs["second"]], **attrs, stream=stream)
        stream.synchronize()
    expected = -(values["x"] * 0.25) + values["bias"] - 3 + 0.5 * values["second"] - 4 * values["first"]
    np.testing.assert_allclose(got.to_numpy(), expected, rtol=1e-6, atol=1e-5)


# --- what is refused

REFUSED = """\
dtype 161002 161002: aclnnAccumulateGetWorkspaceSize: Accumulate failed in plan: Accumulate does not take sum int32 ND, x float32 ND; \
it takes sum float32, x float32, sum.format ND, x.format ND
missing 161001 161001: aclnnAccumulateGetWorkspaceSize: Accumulate failed in plan: Accumulate needs x
no size 161001 161001: aclnnAccumulateGetWorkspaceSize: workspaceSize is NULL
no place 161001 161001: aclnnAccumulateGetWorkspaceSize: executor is NULL
untouched 77 1
no executor 161001 161001: aclnnAccumulate: aclOpExecutor is 0 (NULL); give the handle of a live one
other 161002 161002: aclnnAccumulate: the executor is one of Blend, not of Accumulate
no workspace 161001 161001: aclnnBlend: the workspace of Blend is null; it needs 868 bytes
small 161002 161002: aclnnBlend: the workspace of Blend has 867 bytes; it needs 868
destroy 0 \n\
tiling 561101 561101: aclnnBlendGetWorkspaceSize: Blend failed in tiling: Tiling in libop_host.so returned 4294967295 (GRAPH_FAILED): \
3 weights are too few for 4 parts
"""


@pytest.mark.requirement("cpp-43")
def test_a_refusal_has_the_code_of_aclnn_and_a_sentence(scene: Say, values: dict[str, np.ndarray]) -> None:
    assert values
    assert scene("refused") == REFUSED


# --- the generated files


@pytest.mark.requirement("cpp-43")
def test_the_header_has_the_published_order_and_types(package: Package) -> None:
    text = " ".join((package.include / "aclnn_blend.h").read_text().split())
    assert (
        "aclnnStatus aclnnBlendGetWorkspaceSize( const aclTensor* x, const aclTensor* biasOptional, const aclTensorList* parts,"
        " int64_t shift, double alpha, bool negate, char* mode, const aclFloatArray* weights, const aclIntArray* order,"
        " const aclBoolArray* usedParts,"
        " const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);"
    ) in text
    assert "NULL is taken for biasOptional. NULL is the default of mode, weights, order, usedParts." in text
    assert "aclnnStatus aclnnBlend(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);" in text
    text = " ".join((package.include / "aclnn_accumulate.h").read_text().split())
    assert "aclnnAccumulateGetWorkspaceSize( aclTensor* sumRef, const aclTensor* x, uint64_t* workspaceSize, aclOpExecutor**" in text
    text = " ".join((package.include / "aclnn_repeat.h").read_text().split())
    assert "aclnnRepeatGetWorkspaceSize( const aclTensor* x, const aclIntArray* times, const aclTensor* out," in text
    assert "aclnnRepeatTensorGetWorkspaceSize( const aclTensor* x, const aclTensor* times, const aclTensor* out," in text


@pytest.mark.requirement("cpp-43")
@pytest.mark.parametrize(("compiler", "std"), [("gcc", "c99"), ("gcc", "c17"), ("g++", "c++11"), ("g++", "c++20")])
def test_the_header_is_c_and_cpp_without_a_warning(package: Package, compiler: str, std: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"there is no {compiler}")
    text = "".join(f'#include "{each.name}"\n' for each in sorted(package.include.glob("*.h")))
    command = [compiler, f"-std={std}", "-Wall", "-Wextra", "-Werror", "-pedantic", f"-I{prefix() / 'include'}", f"-I{package.include}"]
    subprocess.run([*command, "-fsyntax-only", "-x", "c" if compiler == "gcc" else "c++", "-"], input=text, text=True, check=True)


# --- how a program finds the package


@pytest.mark.requirement("cpp-43")
def test_a_package_may_be_moved_as_a_whole(package: Package, plain_scenes: Path, values: dict[str, np.ndarray], tmp_path: Path) -> None:
    moved = Package(tmp_path / "elsewhere" / "mine")
    shutil.copytree(package.root, moved.root)
    assert said(plain_scenes, "defaults", tmp_path, LD_LIBRARY_PATH=str(moved.api.parent)) == "plan 0 \nrun 0 \n"
    np.testing.assert_allclose(result(tmp_path), values["x"] + 1.5 + 5 + values["first"], rtol=1e-6, atol=1e-5)


@pytest.mark.requirement("cpp-43")
def test_a_library_alone_finds_its_operators_where_the_environment_says(
    package: Package, values: dict[str, np.ndarray], tmp_path: Path
) -> None:
    program = plain("aclnn_scenes.cpp", package, tmp_path / "scenes")
    library = tmp_path / "alone"
    library.mkdir()
    shutil.copy(package.api, library)
    lost = said(program, "empty", tmp_path, LD_PRELOAD=str(library / package.api.name))
    assert lost.splitlines()[0] == (
        f"plan 561101 561101: aclnnAccumulateGetWorkspaceSize: nobody has Accumulate: {library / package.api.name} lies in no package "
        "that has it, and no folder of ASCEND_CUSTOM_OPP_PATH or of ASCEND_OPP_PATH has it; name the folder that "
        "`aclimb op build` made there"
    )
    vendors = tmp_path / "opp" / "vendors"
    (vendors / "empty").mkdir(parents=True)
    (vendors / "config.ini").write_text("load_priority=empty,mine\n")
    (vendors / "mine").symlink_to(package.root)
    for names in ({"ASCEND_CUSTOM_OPP_PATH": f"{tmp_path}/none:{package.root}"}, {"ASCEND_OPP_PATH": str(vendors.parent)}):
        assert said(program, "defaults", tmp_path, LD_PRELOAD=str(library / package.api.name), **names) == "plan 0 \nrun 0 \n"
        np.testing.assert_allclose(result(tmp_path), values["x"] + 1.5 + 5 + values["first"], rtol=1e-6, atol=1e-5)


@pytest.mark.requirement("cpp-43")
def test_an_operator_runs_by_its_type_where_the_environment_says(package: Package, monkeypatch: pytest.MonkeyPatch, stream: Stream) -> None:
    total, x = np.arange(5, dtype=np.float32), np.ones(5, np.float32)
    with pytest.raises(op.OpError, match="operator Accumulate is not registered; register it first"):
        op.run("Accumulate", [total, x])
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(package.root))
    buffer = Buffer.from_array(total)
    op.run("Accumulate", [buffer, Buffer.from_array(x)], [buffer], stream=stream)
    stream.synchronize()
    op.load(package.root).close()
    np.testing.assert_array_equal(buffer.to_numpy(), total + 1)


@pytest.mark.requirement("op-12")
def test_a_package_that_cannot_be_loaded_is_told_once_and_left_out(
    package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "libop_host.so").write_bytes(b"no library")
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", f"{tmp_path / 'broken'}:{package.root}")
    with caplog.at_level("WARNING", logger="aclimb"):
        found = [find_operator("Accumulate") for _ in range(2)]
    assert found[0] is found[1] is package.load()["Accumulate"]  # the other one is not loaded again either
    package.load().close()
    (message,) = caplog.messages
    assert message.startswith(f"the package {tmp_path / 'broken'} is left out: {tmp_path / 'broken' / 'libop_host.so'} cannot be loaded: ")


@pytest.mark.requirement("op-75")
def test_packages_come_from_the_custom_path_then_by_priority_and_the_built_in_library_is_none_of_them(
    package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is built in is libopapi.so: a program that links it asks for it there, and only for what no package of its own answers."""
    vendors = tmp_path / "opp" / "vendors"
    vendors.mkdir(parents=True)
    for name in ("one", "two", "three"):
        (vendors / name).symlink_to(package.root)
    (tmp_path / "custom").symlink_to(package.root)
    (vendors / "config.ini").write_text("load_priority=two,three\n")
    monkeypatch.setenv("ASCEND_OPP_PATH", str(vendors.parent))
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(tmp_path / "custom"))
    assert [each.root.name for each in packages()] == ["custom", "two", "three", "one"]
    assert find_operator("Add") is None
    package.load().close()
    assert callable(builtin.first_phase("aclnnAddGetWorkspaceSize"))


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=st.text(max_size=40) | st.text(max_size=20).map(lambda text: f"load_priority={text}"))
def test_whatever_config_ini_says_the_vendors_that_are_there_are_found(
    package: Package, text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    vendors = tmp_path_factory.mktemp("opp") / "vendors"
    vendors.mkdir()
    (vendors / "mine").symlink_to(package.root)
    (vendors / "config.ini").write_text(text, encoding="utf-8", errors="replace")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASCEND_OPP_PATH", str(vendors.parent))
        assert [each.root.name for each in packages() if each.root.parent == vendors] == ["mine"]


@pytest.mark.requirement("cpp-43")
def test_an_operator_that_aclnn_has_no_types_for_is_left_out_with_a_line(caplog: pytest.LogCaptureFixture) -> None:
    made, plain = op.define("Nested"), op.define("Plain")
    for each in (made, plain):
        each.input("x", dtype=["float32"])
        each.output("y", dtype=["float32"])
    made.attr("pairs", list[list[int]], default=[[0]])
    with caplog.at_level("WARNING", "aclimb"):
        assert [each.name for each in generate_all([made, plain])] == ["aclnn_plain"]
    assert [each.getMessage() for each in caplog.records] == [
        "Nested has no aclnn functions: attribute pairs of Nested is a list of lists, which aclnn has no type for"
    ]


# --- aclop


@pytest.fixture(scope="session", params=["c", "c++", "by_command"])
def single_command(request: pytest.FixtureRequest, package: Package, tmp_path_factory: pytest.TempPathFactory) -> list[str | Path]:
    folder, source = tmp_path_factory.mktemp("single"), "aclop_scenes.c"
    if request.param == "by_command":
        return [sys.executable, "-m", "aclimb", "run", "-q", ours(source, package, folder / "aclop")]
    if request.param == "c++":
        source = str(shutil.copy(PROGRAMS / source, folder / "aclop_scenes.cpp"))
    return [plain(source, package, folder / "aclop")]


@pytest.fixture
def single(single_command: list[str | Path], package: Package, tmp_path: Path) -> Say:
    """As scene, of the program that calls operators by their types; it knows the package by the environment alone."""
    return lambda name: said(*single_command, name, tmp_path, ASCEND_CUSTOM_OPP_PATH=str(package.root))


@pytest.mark.requirement("cpp-44")
def test_an_operator_of_a_package_is_executed_by_its_type(single: Say, values: dict[str, np.ndarray], tmp_path: Path) -> None:
    assert single("blend") == f"execute 0 \ndims {COUNT}\n"
    expected = -(values["x"] * 0.25) + values["bias"] - 3 + 0.5 * values["second"] - 4 * values["first"]
    np.testing.assert_allclose(result(tmp_path), expected, rtol=1e-6, atol=1e-5)


@pytest.mark.requirement("cpp-44")
def test_an_operator_of_a_package_runs_by_a_handle_again(single: Say, values: dict[str, np.ndarray], tmp_path: Path) -> None:
    assert single("by_handle") == "handle 0 \nrun 0 \nrun 0 \n"
    np.testing.assert_array_equal(result(tmp_path), values["x"] + values["first"] + values["first"])


REFUSED_BY_TYPE = r"""unknown 100024 100024: aclopExecuteV2: operator Nobody is not known; register a selector with register_compile_func \
and call update_params, or name the folder of a package that has it in ASCEND_CUSTOM_OPP_PATH
dtype 100024 100024: aclopExecuteV2: Accumulate failed in plan: Accumulate does not take sum float32 ND, x int32 ND; it takes sum float32, \
x float32, sum.format ND, x.format ND
many 100024 100024: aclopExecuteV2: Accumulate has 2 inputs; 3 are given
missing 100024 100024: aclopExecuteV2: Accumulate failed in plan: Accumulate needs x
small 100000 100000: aclopExecuteV2: input 1 of Accumulate takes 1736 bytes of device memory; 868 at ADDRESS are given
attribute 100024 100024: aclopExecuteV2: Blend failed in plan: Blend needs the attribute shift
models 207000 207000: aclopSetModelDir: aclimb runs kernels, not models of single operators; register the kernel with aclopCreateKernel, \
or name the package of the operator in ASCEND_CUSTOM_OPP_PATH
""".replace("\\\n", "")


@pytest.mark.requirement("cpp-44")
def test_a_refusal_by_type_has_the_code_of_acl_and_a_sentence(single: Say) -> None:
    assert re.sub(r"0x[0-9a-f]+", "ADDRESS", single("refused")) == REFUSED_BY_TYPE


@pytest.mark.requirement("cpp-44")
def test_a_selector_of_the_program_comes_before_a_package(package: Package, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(package.root))
    assert declared.find("Repeat") is not None
    op.load(package.root).close()
    registry.register("Repeat", lambda *_: 0)
    assert declared.find("Repeat") is None
    registry.unregister("Repeat")
