# SPDX-License-Identifier: Apache-2.0
"""Operator projects as older generators write them: their own CMake functions start op_build and opc of the toolkit."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aclimb.host import op_tools
from aclimb.host.prefix import prefix
from aclimb.op.native.ops_info import ops_info
from aclimb.op.native.package import Package

PROJECT = Path(__file__).parent / "projects" / "older"
CALL = """
import sys, numpy as np
from aclimb import op
with op.load(sys.argv[1]) as library:
    for values in (np.arange(5, dtype=np.float16), np.arange(7, dtype=np.int32)):
        y = library["ScaleCustom"](values, factor=3.0).to_numpy()
        print(y.dtype, *y)
"""


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's build folder, made for both chips."""
    folder = tmp_path_factory.mktemp("older")
    project, made = Path(shutil.copytree(PROJECT, folder / "project")), folder / "build"
    call("cmake", "-S", project, "-B", made, "-DASCEND_COMPUTE_UNIT=ascend910b;ascend910_93")
    call("cmake", "--build", made, "-j2")
    call("cmake", "--install", made, "--prefix", folder / "installed")
    return made


@pytest.fixture(scope="module")
def package(build: Path) -> Path:
    return build.parent / "installed" / "packages" / "vendors" / "ours"


def call(*words: str | Path, **environment: str) -> str:
    """What it prints; the test fails with its errors."""
    home = prefix()
    own = {"ASCEND_HOME_PATH": str(home), "PATH": f"{home / 'bin'}:{os.environ['PATH']}", **environment}
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env={**os.environ, **own}, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.requirement("cpp-45")
@pytest.mark.parametrize(("soc", "added"), [("Ascend910B1", 100), ("Ascend910_9392", 1100)])
def test_its_operator_runs_for_each_type_with_the_options_of_its_chip(package: Path, soc: str, added: int) -> None:
    said = call(sys.executable, "-c", CALL, package, ACLIMB_SOC=soc)
    wanted = [np.arange(5, dtype=np.float16) * 3 + added, np.arange(7, dtype=np.int32) * 3 + added]
    assert said.splitlines() == [" ".join(map(str, (each.dtype, *each))) for each in wanted]


@pytest.mark.requirement("cpp-45")
def test_the_package_lies_as_the_vendor_installs_it_and_is_found_by_the_environment(package: Path) -> None:
    kernels = sorted(package.glob("op_impl/ai_core/tbe/kernel/*/scale_custom/ScaleCustom_*.o"))
    assert [each.parent.parent.name for each in kernels] == ["ascend910_93"] * 2 + ["ascend910b"] * 2
    described = json.loads(kernels[0].with_suffix(".json").read_text())
    assert (described["binFileName"], described["binFileSuffix"]) == (kernels[0].stem, ".o")
    assert {each["dtype"] for each in described["supportInfo"]["inputs"]} <= {"float16", "int32"}
    assert (package / "op_api" / "include" / "aclnn_scale_custom.h").is_file()
    run = "import numpy as np\nfrom aclimb import op\nprint(*op.run('ScaleCustom', [np.ones(2, np.int32)])[0].to_numpy())"
    assert call(sys.executable, "-c", run, ASCEND_CUSTOM_OPP_PATH=str(package)) == "1102 1102\n"


def test_the_description_of_an_operator_has_its_rows_and_attributes(build: Path) -> None:
    with Package(build.parent / "installed" / "packages" / "vendors" / "ours").load() as library:
        operator = library.declared("ScaleCustom", "Ascend910B1")
        operator.attr("sizes", list[int], [1, -2]).attr("wide", bool, True).attr("names", list[list[int]])
        operator.input("more", dtype=["float64", "bfloat16"], dynamic=True).input("bias", dtype=["bool", "uint8"], optional=True)
        assert ops_info([operator]).splitlines() == [
            "[ScaleCustom]",
            *("input0.name=x", "input0.paramType=required", "input0.dtype=float16,int32", "input0.format=ND,ND"),
            *("input1.name=more", "input1.paramType=dynamic", "input1.dtype=double,bfloat16", "input1.format=ND,ND"),
            *("input2.name=bias", "input2.paramType=optional", "input2.dtype=bool,uint8", "input2.format=ND,ND"),
            *("output0.name=y", "output0.paramType=required", "output0.dtype=float16,int32", "output0.format=ND,ND"),
            "attr.list=factor,sizes,wide,names",
            *("attr_factor.type=float", "attr_factor.value=all", "attr_factor.paramType=optional", "attr_factor.defaultValue=2.0"),
            *("attr_sizes.type=listInt", "attr_sizes.value=all", "attr_sizes.paramType=optional", "attr_sizes.defaultValue=[1,-2]"),
            *("attr_wide.type=bool", "attr_wide.value=all", "attr_wide.paramType=optional", "attr_wide.defaultValue=true"),
            *("attr_names.type=listListInt", "attr_names.value=all", "attr_names.paramType=required"),
            *("dynamicFormat.flag=false", "dynamicRankSupport.flag=true", "dynamicShapeSupport.flag=true", "needCheckSupport.flag=false"),
            *("opFile.value=scale_custom", "opInterface.value=scale_custom"),
        ]


def opc(build: Path, folder: Path, **changed: Any) -> str:
    """opc is refused; what it says, with what is changed in its parameters, script or chip."""
    binary = build / "op_kernel" / "binary" / "ascend910b"
    parameters = json.loads(min(binary.glob("gen/*_param.json")).read_text()) | changed.get("parameters", {})
    script = (binary / "src" / "ScaleCustom.py").read_text()
    near = folder if changed.get("elsewhere") else build / folder.name
    near.mkdir(exist_ok=True)
    (near / "param.json").write_text(json.dumps(parameters))
    (near / "ScaleCustom.py").write_text(script)
    (near / "scale_custom.h").write_text((PROJECT / "op_kernel" / "scale_custom.h").read_text())
    if "kernel" in changed:
        (near / "scale_custom.cpp").write_text(changed["kernel"])
    words = [near / "ScaleCustom.py", "--main_func=scale_custom", f"--input_param={near / 'param.json'}"]
    with pytest.raises(SystemExit) as caught:
        op_tools.main(
            "opc", [*map(str, words), f"--soc_version={changed.get('soc', 'Ascend910B1')}", f"--output={near}", "--op_mode=dynamic"]
        )
    return str(caught.value).replace(str(near), "HERE")


def test_opc_says_what_it_cannot_find(build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASCEND_CUSTOM_OPP_PATH", raising=False)
    monkeypatch.delenv("ASCEND_OPP_PATH", raising=False)
    assert opc(build, tmp_path, elsewhere=True) == (
        "opc: error: no host code declares ScaleCustom; looked for autogen/libascend_all_ops.so in the folders above HERE/param.json, and "
        "in the packages of ASCEND_CUSTOM_OPP_PATH and ASCEND_OPP_PATH"
    )
    assert (
        opc(build, tmp_path)
        == "opc: error: scale_custom.cpp is not beside HERE/ScaleCustom.py; the project's CMake files copy op_kernel there"
    )
    assert opc(build, tmp_path, parameters={"op_type": "Other"}).startswith("opc: error: no host code declares Other; looked for ")
    assert opc(build, tmp_path, soc="Ascend310P3") == (
        "opc: error: soc_version is Ascend310P3, an ascend310p; aclimb models ascend910b and ascend910_93: set ASCEND_COMPUTE_UNIT to one"
    )
    said = opc(build, tmp_path, kernel='#include "kernel_operator.h"\n#error not yet\n')
    assert "scale_custom.cpp:2" in said
    assert "not yet" in said


def test_op_build_refuses_what_is_no_host_library(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"op_build: error: .*none.so is not a file; it takes a shared library"):
        op_tools.main("op_build", [str(tmp_path / "none.so"), str(tmp_path)])
