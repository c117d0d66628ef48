# SPDX-License-Identifier: Apache-2.0
"""__kfc_workspace__: the parameter that it marks is handed to the kernel from behind the system's part, wherever the mark stands."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.host import programs

SYSTEM = 16 << 20
KERNEL = """
#include "kernel_operator.h"
using namespace AscendC;
{declaration} {{
    auto* out = (__gm__ uint64_t*)z;
    out[0] = (uint64_t)GetSysWorkSpacePtr();
    out[1] = (uint64_t){seen};
    out[2] = (uint64_t)GetUserWorkspace(nullptr);
    out[3] = more;
}}
"""
PLACES = {
    "before its type": ('extern "C" __global__ __aicore__ void k(GM_ADDR z, __kfc_workspace__ GM_ADDR work, uint32_t more)', "work"),
    "behind its type": ('extern "C" __global__ __aicore__ void k(GM_ADDR z, GM_ADDR __kfc_workspace__ work, uint32_t more)', "work"),
    "as a pointer": ('extern "C" __global__ __aicore__ void k(GM_ADDR z, __kfc_workspace__ __gm__ uint8_t* work, uint32_t more)', "work"),
    "without a name": ('extern "C" __global__ __aicore__ void k(GM_ADDR z, GM_ADDR __kfc_workspace__, uint32_t more)', "z"),
    "of a template": (
        "template <int n> __global__ __aicore__ void k(GM_ADDR z, __kfc_workspace__ GM_ADDR work, uint32_t more);\n"
        "template __global__ __aicore__ void k<3>(GM_ADDR z, GM_ADDR work, uint32_t more);\n"
        "template <int n> __global__ __aicore__ void k(GM_ADDR z, __kfc_workspace__ GM_ADDR work, uint32_t more)",
        "work",
    ),
}


def run(kernel: Kernel, key: int | None = None) -> tuple[list[int], int, int]:
    """What the kernel saw, and where the buffers are."""
    z, work, stream = Buffer((4,), np.uint64), Buffer(SYSTEM + 4096), Stream()
    config = LaunchConfig(num_blocks=1) if key is None else LaunchConfig(num_blocks=1, tiling_key=key)
    launch(stream, config, kernel, z, work, 77)
    stream.synchronize()
    return [int(each) for each in z.to_numpy()], work.address, z.address


@pytest.mark.parametrize("place", PLACES)
def test_the_mark_stands_anywhere(place: str) -> None:
    declaration, seen = PLACES[place]
    found, work, out = run(Kernel(Program(KERNEL.format(declaration=declaration, seen=seen)).compile()))
    assert found == [work, work + SYSTEM if seen == "work" else out, work + SYSTEM, 77]


KEYED = """
#include "kernel_operator.h"
using namespace AscendC;
template <int which> __aicore__ inline void Write(GM_ADDR z, GM_ADDR work, uint32_t more) {
    auto* out = (__gm__ uint64_t*)z;
    out[0] = (uint64_t)GetSysWorkSpacePtr();
    out[1] = (uint64_t)work;
    out[2] = which;
    out[3] = more;
}
extern "C" __global__ __aicore__ void k(GM_ADDR z, __kfc_workspace__ GM_ADDR work, uint32_t more) {
    if (TILING_KEY_IS(5)) Write<5>(z, work, more);
    else if (TILING_KEY_IS(9)) Write<9>(z, work, more);
}
"""


@pytest.mark.parametrize("key", [5, 9])
def test_kernels_with_tiling_keys_see_it_too(key: int) -> None:
    found, work, _ = run(Kernel(Program(KEYED).compile(), "k"), key)
    assert found == [work, work + SYSTEM, key, 77]


PROGRAM = """
#include <cstdio>
#include "acl/acl.h"
#include "kernel_operator.h"
__global__ __vector__ void look(GM_ADDR z, __kfc_workspace__ GM_ADDR work) {
    ((__gm__ uint64_t*)z)[0] = (uint64_t)AscendC::GetSysWorkSpacePtr();
    ((__gm__ uint64_t*)z)[1] = (uint64_t)work;
}
int main() {
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtStream stream;
    aclrtCreateStream(&stream);
    void *z, *work;
    aclrtMalloc(&z, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&work, (16 << 20) + 4096, ACL_MEM_MALLOC_HUGE_FIRST);
    look<<<1, nullptr, stream>>>((GM_ADDR)z, (GM_ADDR)work);
    if (aclrtSynchronizeStream(stream)) return 1;
    unsigned long long seen[2];
    aclrtMemcpy(seen, 16, z, 16, ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("%d %llu\\n", seen[0] == (unsigned long long)work, seen[1] - seen[0]);
    return 0;
}
"""


def test_a_program_with_its_kernel(tmp_path: Path) -> None:
    source = tmp_path / "look.asc"
    source.write_text(PROGRAM)
    done = subprocess.run([str(programs.build([str(source)], tmp_path / "look"))], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout.split()) == (0, ["1", str(SYSTEM)]), done.stderr
