# SPDX-License-Identifier: Apache-2.0
"""aclrtlaunch_<kernel>, and the CPU tests of operator projects: GmAlloc, ICPU_RUN_KF."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from aclimb.compile.host_options import HostOptions
from aclimb.compile.unit import compile_unit, write_launch_headers
from aclimb.host.link import link_program

Build: TypeAlias = Callable[..., Path]
Run: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]
KERNELS = r"""
#include "kernel_operator.h"
#include "tiling.h"
enum Mode : uint8_t { one = 1, two = 2 };
namespace inner { struct Other { int16_t value; }; }
extern "C" __global__ __aicore__ void everything(GM_ADDR x, Tiling tiling, inner::Other other, Mode mode, float f, bool b, int64_t stream,
                                                 __gm__ int* y, GM_ADDR workspace, half h) {
    y[0] = tiling.length + other.value + mode + (int)f + b + (int)stream + (int)((float)h * 2);
}
extern "C" __global__ __aicore__ void spaces(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling) {
    reinterpret_cast<__gm__ int64_t*>(x)[0] = reinterpret_cast<int64_t>(workspace) - reinterpret_cast<int64_t>(x);
    reinterpret_cast<__gm__ int64_t*>(x)[1] = workspace - AscendC::GetSysWorkSpacePtr();
}
template <typename T> __global__ __aicore__ void not_a_function(GM_ADDR x) {}
"""
USER = r"""
#include "aclrtlaunch_everything.h"
#include "aclrtlaunch_spaces.h"
#include "tiling.h"
#include "acl/acl.h"
#include <stdio.h>
struct Other { int16_t value; };
int main(void) {
    void *x = NULL;
    int64_t got[4] = {0};
    struct Tiling tiling = {1000, 2};
    struct Other other = {200};
    uint32_t code = ACLRT_LAUNCH_KERNEL(spaces)(1, NULL, x, x, x);
    printf("%u\n", code);
    if (aclInit(NULL) || aclrtSetDevice(0) || aclrtMalloc(&x, 1 << 25, ACL_MEM_MALLOC_HUGE_FIRST)) return 1;
    code = ACLRT_LAUNCH_KERNEL(everything)(1, NULL, x, &tiling, &other, 2, 10.5f, true, 5, x, NULL, 0x4100);
    if (code || aclrtSynchronizeDevice() || aclrtMemcpy(got, sizeof got, x, sizeof got, ACL_MEMCPY_DEVICE_TO_HOST)) return 2;
    printf("%d\n", (int)got[0]);
    code = aclrtlaunch_spaces(1, NULL, x, (char*)x + 4096, NULL);
    if (code || aclrtSynchronizeDevice() || aclrtMemcpy(got, sizeof got, x, sizeof got, ACL_MEMCPY_DEVICE_TO_HOST)) return 3;
    printf("%lld %lld\n", (long long)got[0], (long long)got[1]);
    return 0;
}
"""
EVERYTHING = (
    "uint32_t aclrtlaunch_everything(uint32_t numBlocks, aclrtStream _stream, void* x, struct Tiling* tiling, void* other, uint8_t mode,"
    " float f, bool b, int64_t stream, void* y, void* workspace, uint16_t h);"
)


@pytest.mark.requirement("cpp-21", "cpp-22")
def test_a_c_program_launches_kernels_of_a_library_by_their_functions(tmp_path: Path, run: Run) -> None:
    (tmp_path / "kernels.cpp").write_text(KERNELS)
    (tmp_path / "tiling.h").write_text("#pragma once\n#include <stdint.h>\nstruct Tiling { int32_t length, step; };\n")
    (tmp_path / "user.c").write_text(USER)
    options = HostOptions(defines=(("HAVE_WORKSPACE", "1"), ("HAVE_TILING", "1")), launch_functions=True)
    headers = write_launch_headers(tmp_path / "kernels.cpp", options, tmp_path / "include")
    assert [path.name for path in headers] == ["aclrtlaunch_everything.h", "aclrtlaunch_spaces.h"]
    assert EVERYTHING in headers[0].read_text()
    compile_unit(tmp_path / "kernels.cpp", options, tmp_path / "kernels.o")
    flags = ("-std=c99", "-Wall", "-Wextra", "-Werror")
    compile_unit(tmp_path / "user.c", HostOptions(include_dirs=(tmp_path / "include",), flags=flags, language="c"), tmp_path / "user.o")
    link_program([tmp_path / "user.o", tmp_path / "kernels.o"], tmp_path / "program", "executable")
    system_part = 16 << 20
    assert run(tmp_path / "program").stdout == f"107002\n1223\n{4096 + system_part} {system_part}\n"


CPU_TEST = r"""
#include "kernel_operator.h"
#include "tikicpulib.h"
#include <cstdio>
extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    for (int i = 0; i < 8; ++i) z[i] = x[i] + y[i];
}
extern "C" __global__ __aicore__ void keyed(GM_ADDR x) {
    if (TILING_KEY_IS(1)) { x[0] = 11; } else if (TILING_KEY_IS(2)) { x[0] = 22; }
}
int main() {
    auto* x = (uint8_t*)AscendC::GmAlloc(32);
    auto* y = (uint8_t*)AscendC::GmAlloc(32);
    auto* z = (uint8_t*)AscendC::GmAlloc(32);
    for (int i = 0; i < 8; ++i) { x[i] = i; y[i] = 2 * i; z[i] = 0; }
    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    ICPU_RUN_KF(add_custom, 1, x, y, z);
    for (int i = 0; i < 8; ++i) std::printf("%d ", z[i]);
    ICPU_SET_TILING_KEY(2);
    ICPU_RUN_KF(keyed, 1, x);
    std::printf("%d ", x[0]);
    ICPU_SET_TILING_KEY(1);
    ICPU_RUN_KF(keyed, 1, x);
    std::printf("%d\n", x[0]);
    ICPU_RUN_KF(add_custom, 1, nullptr, y, z);
    ICPU_RUN_KF(add_custom, 0, x, y, z);
    std::printf("%d\n", aclrtGetLastError(ACL_RT_THREAD_LEVEL));
    AscendC::GmFree(x);
    AscendC::GmFree(y);
    AscendC::GmFree(z);
}
"""


@pytest.mark.requirement("cpp-23")
def test_the_cpu_test_of_an_operator_project_runs(build_text: Build, run: Run) -> None:
    done = run(build_text(CPU_TEST, HostOptions(defines=(("ASCENDC_CPU_DEBUG", "1"),))))
    assert done.stdout == "0 3 6 9 12 15 18 21 22 11\n107000\n"
    assert "add_custom failed with 507" in done.stderr
    assert "program.asc:6 " in done.stderr
    assert "add_custom failed with 107000" in done.stderr
    assert "num_blocks is 0" in done.stderr
