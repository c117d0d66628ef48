# SPDX-License-Identifier: Apache-2.0
"""What each pass of the driver sees: macros, words of the vendor's compiler, and the text of -E."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import numpy as np
import pytest
from driver_calls import ARCH, Npu, call, run, silent

import acl
from aclimb import KernelBinary

HEAD = '#include "kernel_operator.h"\n'
KERNEL = 'extern "C" __global__ __aicore__ void one(__gm__ int32_t* y) { y[0] = 1; }\n'
LAUNCH = 'extern "C" void launch(void* s, int* y) { one<<<1, nullptr, s>>>(y); }\n'
# Macro -> in which of vector pass, cube pass, host pass and host mode it is.
MACROS = {
    "__CCE__": "vch-",
    "__NPU_ARCH__": "vch-",
    "__CCE_AICORE__": "vc--",
    "__DAV_C220_VEC__": "v---",
    "__DAV_VEC__": "v---",
    "__DAV_C220_CUBE__": "-c--",
    "__DAV_CUBE__": "-c--",
}


def as_in(column: int) -> str:
    """Errors for every macro that is not as the table says."""
    lines = []
    for name, passes in MACROS.items():
        wrong = "ifndef" if passes[column] != "-" else "ifdef"
        lines.append(f"#{wrong} {name}\n#error {name}\n#endif\n")
    return "".join(lines)


IN_DEVICE = (
    "#if defined(__CCE_AICORE__) && (__CCE_AICORE__ != 220 || __NPU_ARCH__ != 2201)\n#error value\n#endif\n"
    f"#if defined(__DAV_C220_VEC__)\n{as_in(0)}#elif defined(__DAV_C220_CUBE__)\n{as_in(1)}#else\n{as_in(2)}#endif\n"
)


@pytest.mark.requirement("tool-12")
def test_each_pass_has_the_macros_of_the_vendors_compiler(tmp_path: Path) -> None:
    (tmp_path / "a.asc").write_text(HEAD + IN_DEVICE + KERNEL.replace("__global__", "__global__ __mix__(1, 2)"))
    silent("bisheng", "-c", "a.asc", ARCH, "-o", "a.o", folder=tmp_path)
    for core, macro in (("vec", "CUBE"), ("cube", "VEC")):  # one core, one pass
        (tmp_path / "b.cce").write_text(HEAD + IN_DEVICE + f"#ifdef __DAV_{macro}__\n#error another pass\n#endif\n" + KERNEL)
        silent("bisheng", "-c", "b.cce", "--cce-aicore-only", f"--cce-aicore-arch=dav-c220-{core}", "-o", "b.o", folder=tmp_path)
        names = {"vec": "AIV_ONLY", "cube": "AIC_ONLY"}
        assert KernelBinary.read(tmp_path / "b.o").kernels[0].kernel_type.name == names[core]


@pytest.mark.requirement("tool-12")
@pytest.mark.parametrize("words", [["a.cpp"], ["-x", "c++", "a.cpp"], ["-x", "c", "a.cpp"]])
def test_host_mode_has_none_of_them(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "a.cpp").write_text(as_in(3) + "int main(void) { return 0; }\n")
    silent("bisheng", ARCH, *words, "-o", "a", folder=tmp_path)


def test_a_wrong_macro_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "a.asc").write_text(HEAD + "#ifdef __DAV_VEC__\n#error seen\n#endif\n" + KERNEL)
    done = call("bisheng", "-c", "a.asc", ARCH, folder=tmp_path)
    assert done.returncode == 1
    assert f"{tmp_path}/a.asc:3:2: error: #error seen" in done.stderr


# Every word directly and through a macro, in functions of either side and of both.
WORDS = """
#if defined(__CCE__)
#define BOTH __forceinline__ [host, aicore]
#define DEVICE __forceinline__ [aicore]
#else
#error neither
#endif
struct Shape {
    BOTH Shape(int rows) : rows(rows) {}
    [host, aicore] inline int twice() const { return rows * 2; }
    template <int n> DEVICE int times() const { return rows * n; }
    int rows;
};
BOTH int both(int x) { return x + 1; }
inline [aicore] int device(int x) { return x + 10; }
__attribute__((aic)) inline __forceinline__ int on_cube(int x) { return x; }
template <typename T> DEVICE T added(T a, T b) { return a + b; }
#define KERNEL extern "C" [[bisheng::core_ratio(1, 2)]] __global__ [aicore]
KERNEL void words(__gm__ int32_t* y) {
    int aicore = 2, list[3] = {1, 2, 3};
    if ASCEND_IS_AIV {
        if (AscendC::GetBlockIdx() == 0) {
            y[0] = both(device(added(list[aicore], 0)));
            y[1] = Shape(4).twice() + Shape(5).times<3>();
        }
        y[2 + AscendC::GetBlockIdx()] = AscendC::GetSubBlockNum();
    }
}
extern "C" int on_host(int x) { return both(x) + Shape(x).twice(); }
extern "C" void launch(void* stream, void* y) { words<<<2, nullptr, stream>>>((__gm__ int32_t*)y); }
"""


@pytest.mark.requirement("tool-13", "tool-6")
def test_words_of_the_vendors_compiler_are_read_in_every_pass(tmp_path: Path, npu: Npu) -> None:
    (tmp_path / "words.cpp").write_text(HEAD + WORDS)
    silent("bisheng", "-xcce", ARCH, "-O2", "-Wall", "-shared", "-fPIC", "words.cpp", "-o", "libwords.so", folder=tmp_path)
    library = ctypes.CDLL(str(tmp_path / "libwords.so"))
    assert library.on_host(20) == 61
    y = npu.put(np.zeros(8, np.int32))
    library.launch(ctypes.c_void_p(npu.stream), ctypes.c_void_p(y))
    np.testing.assert_array_equal(npu.get(y, (8,), np.int32), [14, 23, 2, 2, 2, 2, 0, 0])


def test_text_of_a_pass_is_shown(tmp_path: Path) -> None:
    (tmp_path / "a.asc").write_text(HEAD + "#ifdef __CCE_AICORE__\nint on_device;\n#else\nint on_host;\n#endif\n" + KERNEL)
    host, device = (
        call("bisheng", "-E", "a.asc", ARCH, folder=tmp_path),
        call("bisheng", "-E", "--cce-aicore-only", "a.asc", ARCH, folder=tmp_path),
    )
    assert re.search(r"^int on_host;$", host.stdout, re.MULTILINE)
    assert re.search(r"^int on_device;$", device.stdout, re.MULTILINE)
    assert "aclimb_aicore" not in host.stdout + device.stdout
    assert (host.returncode, device.returncode, host.stderr, device.stderr) == (0, 0, "", "")
    silent("bisheng", "-E", "a.asc", ARCH, "-o", "a.ii", folder=tmp_path)
    assert (tmp_path / "a.ii").read_text() == host.stdout


def test_a_check_alone_writes_nothing_and_a_rule_is_printed(tmp_path: Path) -> None:
    (tmp_path / "h.h").write_text("#pragma once\n")
    (tmp_path / "a.asc").write_text('#include "h.h"\n' + HEAD + KERNEL)
    silent("bisheng", "-fsyntax-only", ARCH, "a.asc", folder=tmp_path)
    assert call("bisheng", "-M", ARCH, "a.asc", folder=tmp_path).stdout == f"a.o: {tmp_path}/a.asc \\\n {tmp_path}/h.h\n"
    (tmp_path / "a.asc").write_text(HEAD + KERNEL.replace("y[0]", "x[0]"))
    done = call("bisheng", "-fsyntax-only", ARCH, "a.asc", folder=tmp_path)
    assert done.returncode == 1
    assert f"{tmp_path}/a.asc:2:" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.asc", "h.h"]


PRINTS = HEAD + 'extern "C" __global__ __aicore__ void say(__gm__ int32_t* y) { AscendC::printf("said %d\\n", 3); y[0] = 1; }\n'
MAIN = """#include "acl/acl.h"
int main() {
    void* y = nullptr;
    if (aclInit(nullptr) || aclrtSetDevice(0) || aclrtMalloc(&y, 64, ACL_MEM_MALLOC_HUGE_FIRST)) return 1;
    say<<<1, nullptr, nullptr>>>((__gm__ int32_t*)y);
    return aclrtSynchronizeStream(nullptr) || aclFinalize();
}
"""


@pytest.mark.parametrize(("words", "said"), [([], "said 3\n"), (["-DASCENDC_DUMP=1"], "said 3\n"), (["-DASCENDC_DUMP=0"], "")])
def test_a_macro_switches_the_output_of_kernels_off(tmp_path: Path, words: list[str], said: str) -> None:
    (tmp_path / "say.asc").write_text(PRINTS + MAIN)
    silent("bisheng", ARCH, *words, "say.asc", "-o", "say", folder=tmp_path)
    assert run(tmp_path / "say") == said


def test_host_code_alone_says_at_the_launch_what_is_missing(tmp_path: Path, npu: Npu) -> None:
    (tmp_path / "a.asc").write_text(HEAD + KERNEL + LAUNCH)
    silent("bisheng", ARCH, "--cce-host-only", "-fcce-kernel-launch-custom", "-c", "a.asc", "-o", "a.o", folder=tmp_path)
    silent("bisheng", "-shared", "a.o", "-o", "liba.so", folder=tmp_path)
    acl.get_recent_err_msg()
    ctypes.CDLL(str(tmp_path / "liba.so")).launch(ctypes.c_void_p(npu.stream), ctypes.c_void_p(npu.put(np.zeros(8, np.int32))))
    said = f"{tmp_path}/a.asc was compiled with --cce-host-only, so its kernels have no device code: compile it whole"
    assert said in acl.get_recent_err_msg()


def test_kernels_in_a_file_of_host_code_are_built_with_a_note(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(HEAD + KERNEL + LAUNCH)
    done = call("bisheng", "-fPIC", "-shared", "-O2", ARCH, "-DMEMORY_BASE", "a.cpp", "-o", "liba.so", folder=tmp_path)
    note = "a.cpp has kernels and the suffix of host code: they are built here, and the vendor's compiler wants -x asc"
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"bisheng: note: {note}\n")
