# SPDX-License-Identifier: Apache-2.0
"""The tiler from C++: in programs, in libraries of operators, and what a kernel sees of its answer."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cpp_parts import HEADERS, HERE, MORE_FLAGS

from aclimb import Kernel, Program, op
from aclimb.host import programs
from aclimb.host.prefix import prefix
from aclimb.tiling import DataType, MultiCoreMatmulTiling, TCubeTiling, matmul_get_tmp_buf_size
from aclimb.tiling.layout import FIELDS

PROGRAMS = HERE / "programs"
DEVICE = HERE.parents[1] / "device" / "include"
Load = Callable[..., op.Library]
plain_session = pytest.mark.skipif(
    bool(os.environ.get(MORE_FLAGS)), reason="programs are started without the sanitizer that this session has"
)


def in_python(m: int, n: int, k: int, dim: int, *, bias: bool = False) -> MultiCoreMatmulTiling:
    tiler = MultiCoreMatmulTiling()
    tiler.set_a_type(0, 0, DataType.DT_FLOAT16)
    tiler.set_b_type(0, 0, DataType.DT_FLOAT16)
    tiler.set_c_type(0, 0, DataType.DT_FLOAT)
    tiler.set_shape(m, n, k)
    tiler.set_dim(dim)
    tiler.set_bias(bias)
    return tiler


def numbers(tiling: TCubeTiling) -> list[int]:
    return list(tiling.values().values())


def with_gcc(folder: Path, *options: str) -> Path:
    if shutil.which("g++") is None:
        pytest.skip("g++ links this one")
    lib, made = prefix() / "lib64", folder / "main"
    flags = ["-std=c++14", "-Wall", "-Wextra", "-Werror", f"-I{prefix() / 'include'}", f"-L{lib}", f"-Wl,-rpath,{lib}"]
    subprocess.run(["g++", *flags, str(PROGRAMS / "tiling_main.cpp"), "-o", str(made), *options], check=True)
    return made


def run(program: Path, *words: str) -> tuple[dict[str, list[list[int]]], list[str]]:
    done = subprocess.run([str(program), *words], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    lines: dict[str, list[list[int]]] = {}
    for line in done.stdout.splitlines():
        name, *found = line.split()
        lines.setdefault(name, []).append(list(map(int, found)))
    return lines, done.stderr.splitlines()


# --- the structure


@pytest.mark.requirement("mm-1")
def test_host_and_device_have_the_same_structure() -> None:
    header = "kernel_tiling/tcube_tiling.h"
    assert (HEADERS / header).read_bytes() == (DEVICE / header).read_bytes()
    assert tuple(re.findall(r"WORD\((\w+)\)", (HEADERS / header).read_text().partition("(WORD)")[2].partition("namespace")[0])) == FIELDS


@pytest.mark.requirement("mm-1")
def test_a_kernel_that_names_the_structure_compiles() -> None:
    source = """
    #include "kernel_operator.h"
    #include "kernel_tiling/kernel_tiling.h"
    static_assert(sizeof(TCubeTiling) == 200 && sizeof(AscendC::tiling::TCubeTiling) == 200, "");
    extern "C" __global__ __aicore__ void k(GM_ADDR x, TCubeTiling tiling) { *(__gm__ int32_t*)x = tiling.baseN; }
    """
    assert [kernel.name for kernel in Program(source).compile().kernels] == ["k"]


@plain_session
@pytest.mark.requirement("mm-1", "mm-3")
def test_a_kernel_reads_what_the_tiler_wrote(tmp_path: Path) -> None:
    program = programs.build([str(PROGRAMS / "tiling_kernel.asc")], tmp_path / "look")
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    seen, sent = done.stdout.splitlines()
    assert seen == sent
    assert seen.split()[6:9] == ["5", "6", "77"]


def test_every_type_that_kernels_have_as_a_macro_is_an_enumerator_beside_tiling() -> None:
    macros = re.findall(r"^#define (\w+) \d+$", (DEVICE / "aclimb" / "data_types.h").read_text(), re.MULTILINE)
    assert macros == re.findall(r"^#undef (\w+)$", (HEADERS / "aclimb" / "op" / "type_names.h").read_text(), re.MULTILINE)


@plain_session
@pytest.mark.parametrize("first", ["kernel_operator.h", "tiling/tiling_api.h"])
def test_a_file_with_a_kernel_names_types_for_its_tiler_whichever_header_is_first(first: str, tmp_path: Path) -> None:
    second = ({"kernel_operator.h", "tiling/tiling_api.h"} - {first}).pop()
    source = tmp_path / "both.asc"
    source.write_text(f"""
    #include "{first}"
    #include "{second}"
    __global__ __cube__ void nothing(GM_ADDR x) {{}}
    int main() {{
        using namespace matmul_tiling;
        return MatmulApiTiling().SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16) + static_cast<int>(ge::DT_FLOAT);
    }}
    """)
    program = programs.build([str(source)], tmp_path / "both")
    assert subprocess.run([str(program)], timeout=600).returncode == 0


# --- programs


@plain_session
@pytest.mark.requirement("mm-3", "mm-4")
@pytest.mark.parametrize("by", ["g++", "aclimb"])
def test_a_program_gets_the_same_tiling_as_python(by: str, tmp_path: Path) -> None:
    if by == "g++":
        program = with_gcc(tmp_path, "-Wl,--no-as-needed", "-ltiling_api", "-lplatform")
    else:
        program = programs.build([str(PROGRAMS / "tiling_main.cpp")], tmp_path / "main")
    lines, said = run(program, "Ascend910B4")
    tiler = in_python(128, 30720, 1024, 20, bias=True)
    wanted = tiler.get_tiling()
    assert lines["saved"] == lines["plain"] == [numbers(wanted)]
    assert lines["cores"] == [[0, *tiler.get_core_num(), 0, *tiler.get_single_shape()]]
    assert lines["base"] == [[wanted.baseM, wanted.baseN, wanted.baseK]]
    size = matmul_get_tmp_buf_size(wanted)
    assert lines["sizes"] == [[0, 0, 0, 0, size.l1_size, size.l0c_size, size.l1_size, size.l1_size], [-1, -1, -1]]
    assert lines["set"] == [[50, -1, 200]]
    assert lines["small"] == [[1, 1, 512]]
    assert lines["batch"] == [[3, 256, 0, 1, 1, 1, 1, 1]]
    assert lines["setters"] == [[0] * 26]
    assert lines["codes"] == [[0, 0]]
    assert lines["said"] == [[100, 400, 1, 1, 5, 6, 9]]
    assert lines["refused"] == [[-1] * 7 + [5, 6, 7, 0]]
    assert [each.removeprefix("aclimb error: ") for each in said] == [
        "MultiCoreMatmulTiling SetDim: dim is 0; it takes 1 and more",
        "MultiCoreMatmulTiling SetAType: position of A is A1; it is one of GM, TSCM, VECIN, VECOUT, VECCALC",
        "MultiCoreMatmulTiling SetScaleAType: scales belong to Ascend 950; on Atlas A2 and A3 quantise with SetDequantType",
        "MultiCoreMatmulTiling SetScaleBType: scales belong to Ascend 950; on Atlas A2 and A3 quantise with SetDequantType",
        "MultiCoreMatmulTiling GetCoreNum: there is no tiling yet; call GetTiling, and look at what it returns",
        "MultiCoreMatmulTiling GetSingleShape: there is no tiling yet; call GetTiling, and look at what it returns",
        "MultiCoreMatmulTiling GetTiling: M is not known; call SetShape or SetOrgShape with sizes of 1 and more",
        "MatmulGetTmpBufSize : baseM of the tiling is 0; GetTiling fills it",
        "MultiCoreMatmulGetTmpBufSizeV2 : baseM of the tiling is 0; GetTiling fills it",
        "BatchMatmulGetTmpBufSize : baseM of the tiling is 0; GetTiling fills it",
    ]


@plain_session
def test_a_program_without_the_library_is_told_what_to_link(tmp_path: Path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("g++ links this one")
    source = tmp_path / "alone.cpp"
    source.write_text('#include "tiling/tiling_api.h"\nint main() { return matmul_tiling::MatmulApiTiling().SetShape(1, 1, 1) == -1; }\n')
    subprocess.run(["g++", str(source), f"-I{prefix() / 'include'}", "-o", str(tmp_path / "alone")], check=True)
    done = subprocess.run([str(tmp_path / "alone")], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        1,
        "MatmulApiTiling SetShape: libascendcl has the tiler, and this program has none; link it with -Wl,--no-as-needed -lascendcl",
    )


@pytest.mark.parametrize("header", ["tiling/tiling_api.h", "lib/matmul/matmul_tiling.h", "lib/matmul/bmm_tiling.h",
                                    "adv_api/matmul/matmul_tiling.h", "adv_api/matmul/bmm_tiling.h"])  # fmt: skip
def test_each_header_stands_alone(header: str, tmp_path: Path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("g++ compiles this one")
    source = tmp_path / "alone.cpp"
    source.write_text(f'#include "{header}"\nmatmul_tiling::MultiCoreMatmulTiling* tiler;\noptiling::TCubeTiling* tiling;\n')
    flags = ["-std=c++11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    subprocess.run(["g++", *flags, f"-I{HEADERS}", str(source)], check=True)


# --- operators

LOOK = """
#include "kernel_operator.h"
#include "kernel_tiling/kernel_tiling.h"
struct CutTiling { uint32_t first; uint32_t gap; TCubeTiling cube; float last; };
extern "C" __global__ __aicore__ void cut_matmul(GM_ADDR a, GM_ADDR b, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    GET_TILING_DATA_WITH_STRUCT(CutTiling, data, tiling);
    auto* out = (__gm__ int32_t*)z;
    const auto* words = reinterpret_cast<const int32_t*>(&data.cube);
    out[0] = data.first;
    for (uint32_t i = 0; i < 50; ++i) out[1 + i] = words[i];
    out[51] = static_cast<int32_t>(data.last * 2);
}
"""


@pytest.mark.requirement("mm-1", "mm-3")
def test_tiling_data_with_a_tcubetiling_inside_reach_the_kernel(load_library: Load) -> None:
    kernel = Kernel(Program(LOOK).compile())
    cut: Any = load_library("matmul_tiling.cpp", kernels={"CutMatmul": kernel})["CutMatmul"]
    a, b = np.zeros((640, 512), np.float16), np.zeros((512, 1024), np.float16)
    tiling = in_python(640, 1024, 512, 24).get_tiling()
    np.testing.assert_array_equal(cut(a, b).to_numpy(), [7, *numbers(tiling), 5])


@pytest.mark.requirement("mm-4")
def test_a_tiling_that_fails_is_the_operators_error(load_library: Load) -> None:
    cut: Any = load_library("matmul_tiling.cpp", kernels={"CutMatmul": Kernel(Program(LOOK).compile())})["CutMatmul"]
    with pytest.raises(op.OpError, match=r"A is DT_FLOAT16 and B is DT_FLOAT; on Atlas A2 and A3 both have one type"):
        cut(np.zeros((16, 16), np.float16), np.zeros((16, 16), np.float32))
