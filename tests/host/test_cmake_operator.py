# SPDX-License-Identifier: Apache-2.0
"""Operator projects in the style of generated ones: npu_op_* functions, the package that they make, and its operator from both sides."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer, Stream, _door, op
from aclimb.host.prefix import prefix

ROOT = Path(__file__).parents[2]
PROJECT = Path(__file__).parent / "projects" / "operator"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASCEND_HOME_PATH", str(prefix()))
    monkeypatch.delenv("ASCEND_OPP_PATH", raising=False)
    return Path(shutil.copytree(PROJECT, tmp_path / "project"))


def call(*command: str | Path, cwd: Path, code: int = 0, **environment: str) -> str:
    """Its output and its errors; the test fails with them."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=cwd, env={**os.environ, **environment},
                          timeout=600)  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def compute(package: Path, stream: Stream) -> None:
    random = np.random.default_rng(2)
    x, y = random.normal(size=(2, 5, 333)).astype(np.float32)
    with op.load(package) as library:
        got = library["MulAddCustom"](Buffer.from_array(x), Buffer.from_array(y), factor=3.0, stream=stream)
        stream.synchronize()
        np.testing.assert_allclose(got.to_numpy(), x * np.float32(3) + y, rtol=1e-6, atol=1e-6)


@pytest.mark.requirement("cpp-40")
def test_a_generated_project_builds_and_its_operator_runs_from_cpp_and_python(project: Path, tmp_path: Path, stream: Stream) -> None:
    said = call("cmake", "--preset", "default", cwd=project)
    assert "npu_op_library(cust_tf_parsers TF_PLUGIN): adapters of frameworks are not built; nothing here reads their models" in said
    assert (project / "build_out" / "autogen" / "aclnn_mul_add_custom.cpp").is_file(), "generated when it configures"
    call("cmake", "--build", "build_out", "--target", "binary", "package", cwd=project)
    (installer,) = (project / "build_out").glob("custom_opp_*.run")
    assert "ours: nobody says where to install: give --install-path=FOLDER, or set ASCEND_OPP_PATH" in call(installer, cwd=project, code=1)
    (tmp_path / "opp" / "vendors").mkdir(parents=True)
    (tmp_path / "opp" / "vendors" / "config.ini").write_text("load_priority=theirs\n")
    package = tmp_path / "opp" / "vendors" / "ours"
    assert call(installer, cwd=project, ASCEND_OPP_PATH=str(tmp_path / "opp")) == f"ours: installed in {package}\n"
    assert (tmp_path / "opp" / "vendors" / "config.ini").read_text() == "load_priority=ours,theirs\n"
    assert f"export ASCEND_CUSTOM_OPP_PATH={package}:" in (package / "bin" / "set_env.bash").read_text()
    assert [each.parent.name for each in package.rglob("mul_add_custom.o")] == ["ascend910_93"], "for ASCEND_COMPUTE_UNIT alone"
    shutil.rmtree(project / "build_out")

    call("cmake", "-S", "caller", "-B", "caller/build", f"-DOPP_PATH={tmp_path / 'opp'}", cwd=project)
    call("cmake", "--build", "caller/build", cwd=project)
    assert call(project / "caller" / "build" / "execute_mul_add", cwd=project) == "3001 of 3001 equal\n"
    compute(package, stream)


@pytest.mark.slow
@pytest.mark.requirement("cpp-40")
def test_a_change_of_a_kernel_or_of_the_declaration_rebuilds_and_install_copies_the_package(
    project: Path, tmp_path: Path, stream: Stream
) -> None:
    units = "-DASCEND_COMPUTE_UNIT=ascend910b;ascend910_93"
    call("cmake", "--preset", "default", "-G", "Ninja", units, cwd=project)
    call("cmake", "--build", "build_out", cwd=project)
    kernel, host = project / "op_kernel" / "mul_add_custom.cpp", project / "op_host" / "mul_add_custom.cpp"
    kernel.write_text(kernel.read_text().replace("tiling_.factor, count", "-tiling_.factor, count"))
    host.write_text(host.read_text().replace('this->Attr("factor")', 'this->Attr("minus_factor")'))
    call("cmake", "--build", "build_out", "--target", "install", cwd=project)
    package = project / "installed" / "vendors" / "ours"
    assert "double minusFactor," in (package / "op_api" / "include" / "aclnn_mul_add_custom.h").read_text()
    assert {each.parent.name for each in package.rglob("mul_add_custom.o")} == {"ascend910b", "ascend910_93"}
    x, y = np.arange(70, dtype=np.float32), np.ones(70, np.float32)
    with op.load(package) as library:
        got = library["MulAddCustom"](Buffer.from_array(x), Buffer.from_array(y), minus_factor=3.0, stream=stream)
        stream.synchronize()
        np.testing.assert_array_equal(got.to_numpy(), y - 3 * x)


@pytest.mark.requirement("cpp-37", "cpp-40")
def test_the_cmake_files_are_installed_with_the_headers() -> None:
    installed = Path(_door.__file__).parent / "host"
    for folder in ("cmake", "include"):
        files = {each.relative_to(ROOT / "host") for each in (ROOT / "host" / folder).rglob("*") if each.is_file()}
        assert {each for each in files if not (installed / each).is_file()} == set()


def refused(project: Path, *options: str) -> str:
    return " ".join(call("cmake", "--preset", "default", "-G", "Ninja", *options, cwd=project, code=1).split())


def edit(file: Path, before: str, after: str) -> None:
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))


@pytest.mark.requirement("cpp-40")
def test_what_a_project_cannot_say_is_refused_when_it_configures(project: Path) -> None:
    said = refused(project, "-DASCEND_COMPUTE_UNIT=ascend310p")
    assert "ASCEND_COMPUTE_UNIT is ascend310p; aclimb models ascend910b (Atlas A2) and ascend910_93 (Atlas A3)" in said
    top, host = project / "CMakeLists.txt", project / "op_host" / "CMakeLists.txt"
    edit(top, "TYPE RUN", "TYPE STATIC")
    said = refused(project)
    assert "npu_op_package(ours TYPE STATIC): aclimb makes TYPE RUN, a folder of a vendor and its installer" in said
    edit(top, "TYPE STATIC", "TYPE RUN")
    edit(host, "npu_op_code_gen(", "npu_op_device_tiling_library(device SHARED)\nnpu_op_code_gen(")
    said = refused(project)
    assert (
        "npu_op_device_tiling_library(device): tiling on AI CPU is not modelled; npu_op_library(device TILING ...) tiles on the host"
        in said
    )
    edit(host, "npu_op_device_tiling_library(device SHARED)", "npu_op_library(odd HOST)")
    assert "npu_op_library(odd HOST): the kinds are ACLNN, TILING, GRAPH, TF_PLUGIN and ONNX_PLUGIN" in refused(project)
    edit(host, "npu_op_library(odd HOST)", "npu_op_package_add(nobody FILES a.h)")
    assert "package nobody is not declared; call npu_op_package(nobody TYPE RUN) first" in refused(project)


@pytest.mark.requirement("cpp-40")
def test_a_mistake_in_host_code_is_said_when_it_configures(project: Path) -> None:
    edit(project / "op_host" / "mul_add_custom.cpp", "tiling->piece =", "tiling->nothing =")
    said = refused(project)
    assert "npu_op_code_gen: the host code of mul_add_custom.cpp does not compile" in said
    assert "mul_add_custom.cpp:14:13: error:" in said
