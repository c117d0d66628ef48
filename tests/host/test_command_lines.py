# SPDX-License-Identifier: Apache-2.0
"""The command lines of projects that call the toolkit's compiler, word for word, with a small kernel: the command ends with 0 and what it
makes runs."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest
from driver_calls import ARCH, Npu, call, run, silent

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Stream, launch
from aclimb.host.prefix import prefix

# y[i] of each block becomes 10 * factor + 1, and the library's function launches it.
KERNEL = """#include "kernel_operator.h"
#ifndef KERNEL_TYPE
#define KERNEL_TYPE
#endif
extern "C" __global__ KERNEL_TYPE __aicore__ void fill(__gm__ int32_t* y, int32_t factor) {
    if ASCEND_IS_AIV {
        if (AscendC::GetSubBlockIdx() == 0) y[AscendC::GetBlockIdx() / AscendC::GetSubBlockNum()] = 10 * factor + 1;
    }
}
"""
HOST = """
extern "C" void call(void* y, int32_t factor, void* stream) { fill<<<4, nullptr, stream>>>((__gm__ int32_t*)y, factor); }
extern "C" void run(void* y, int32_t factor, void* stream) { call(y, factor, stream); }
"""
MAIN = """#include "acl/acl.h"
#include <cstdio>
extern "C" void call(void* y, int factor, void* stream);
int main() {
    void* y = nullptr;
    int back[4] = {};
    aclrtStream stream = nullptr;
    if (aclInit(nullptr) || aclrtSetDevice(0) || aclrtCreateStream(&stream) || aclrtMalloc(&y, 64, ACL_MEM_MALLOC_HUGE_FIRST)) return 1;
    call(y, 4, stream);
    if (aclrtSynchronizeStream(stream) || aclrtMemcpy(back, 16, y, 16, ACL_MEMCPY_DEVICE_TO_HOST)) return 2;
    std::printf("%d %d %d %d\\n", back[0], back[1], back[2], back[3]);
    return aclrtFree(y) || aclrtDestroyStream(stream) || aclrtResetDevice(0) || aclFinalize();
}
"""
FIVE = [
    "-mllvm", "-cce-aicore-stack-size=0x8000", "-mllvm", "-cce-aicore-function-stack-size=0x8000", "-mllvm",
    "-cce-aicore-record-overflow=true", "-mllvm", "-cce-aicore-addr-transform", "-mllvm", "-cce-aicore-dcci-insert-for-scalar=false",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kernel.cpp").write_text(KERNEL + HOST)
    (tmp_path / "kernel.asc").write_text(KERNEL + HOST)
    (tmp_path / "main.cpp").write_text(MAIN)
    return tmp_path


def check(library: Path, npu: Npu, symbol: str = "call") -> None:
    y = npu.put(np.zeros(8, np.int32))
    getattr(ctypes.CDLL(str(library)), symbol)(ctypes.c_void_p(y), ctypes.c_int32(3), ctypes.c_void_p(npu.stream))
    np.testing.assert_array_equal(npu.get(y, (8,), np.int32), [31, 31, 31, 31, 0, 0, 0, 0])


# --- pyasc: device code for each core, linked by ld.lld


def pyasc_words(core: str, output: str, *more: str) -> list[str | Path]:
    root = prefix()
    folders = [word for name in ("", "/impl", "/interface") for word in ("-I", f"{root}/compiler/tikcpp/tikcfw{name}")]
    return [
        "-c", "-x", "cce", "-O3", "input.cce", f"--cce-aicore-arch=dav-c220-{core}", "--cce-aicore-only", "-o", output, "-include",
        f"{root}/include/version/cann_version.h", *folders, "-std=c++17", "--cce-disable-kernel-global-attr-check", "-mllvm",
        "-cce-aicore-stack-size=0x8000", "-mllvm", "-cce-aicore-function-stack-size=0x8000", "-mllvm",
        "-cce-aicore-dcci-insert-for-scalar=false", "-DASCENDC_DUMP=0", "-g", "-mllvm", "--cce-aicore-jump-expand=true",
        "--cce-auto-sync", "-mllvm", "-api-deps-filter", "-cce-auto-sync-log=sync.log", *more, "-D__NPU_TILING__", "-DTILING_KEY_VAR=0",
    ]  # fmt: skip


def launched(binary: Path) -> list[int]:
    y, stream = Buffer.from_array(np.zeros(8, np.int32)), Stream()
    launch(stream, LaunchConfig(num_blocks=4), Kernel(KernelBinary.read(binary)), y, 3)
    return [int(each) for each in y.to_numpy()]


@pytest.mark.requirement("tool-3")
def test_pyasc_compiles_a_kernel_for_one_core_and_links_it_onto_itself(tmp_path: Path) -> None:
    (tmp_path / "input.cce").write_text(KERNEL)
    silent("bisheng", *pyasc_words("vec", "output.o"), folder=tmp_path)
    silent("ld.lld", "-m", "aicorelinux", "-Ttext=0", "output.o", "-static", "-o", "output.o", folder=tmp_path)
    assert launched(tmp_path / "output.o") == [31, 31, 31, 31, 0, 0, 0, 0]
    assert (tmp_path / "sync.log").read_bytes() == b""


@pytest.mark.requirement("tool-3")
def test_pyasc_compiles_a_mix_kernel_for_each_core(tmp_path: Path) -> None:
    (tmp_path / "input.cce").write_text(KERNEL)
    for core in ("vec", "cube"):
        silent("bisheng", *pyasc_words(core, f"{core}.o", "-cce-enable-mix", "-D__MIX_CORE_MACRO__=1"), folder=tmp_path)
    silent("ld.lld", "-m", "aicorelinux", "-Ttext=0", "vec.o", "cube.o", "-static", "-o", "output.o", folder=tmp_path)
    assert KernelBinary.read(tmp_path / "output.o").kernels[0].kernel_type.name == "MIX_AIC_1_2"
    assert launched(tmp_path / "output.o") == [31, 31, 31, 31, 0, 0, 0, 0]


# --- libraries that ctypes loads


def library_lines() -> dict[str, tuple[str, list[str]]]:
    root = prefix()
    links = [f"-L{root}/lib64", "-ltiling_api", "-lplatform", "-lc_sec", "-ldl"]
    folders = [f"-I{root}/include", f"-I{root}/include/experiment/runtime", f"-I{root}/pkg_inc", "-I/usr/local/Ascend/driver/kernel/inc"]
    simulator = f"{root}/tools/simulator/Ascend910B1/lib"
    quiet = ["-Wno-macro-redefined", "-Wno-ignored-attributes"]
    return {
        "TileLang, target pto": ("bisheng", [
            "--cce-aicore-arch=dav-c220", "-DMEMORY_BASE", "-O2", "-std=gnu++17", "-xcce", *FIVE, *folders, *quiet, *links, "-lruntime",
            "-lascendcl", "-lm", "-lstdc++", "-D_DEBUG", "--cce-enable-print", "-fPIC", "--shared", "kernel.cpp", "-o", "lib.so"]),
        "TileLang, simulator": ("bisheng", [
            ARCH, "-O2", "-std=c++17", "-xasc", *folders, *links, f"-L{simulator}", f"-Wl,-rpath,{simulator}", "-Wl,--disable-new-dtags",
            "-lruntime_camodel", "-lascendcl", "-fPIC", "--shared", "kernel.cpp", "-o", "lib.so"]),
        "PTO, JIT": ("bisheng", ["-fPIC", "-shared", "-xcce", ARCH, "-O2", "-std=c++17", *folders, "kernel.cpp", "-o", "lib.so"]),
        "PTO, JIT with mix": ("bisheng", [
            "-fPIC", "-shared", "-xcce", ARCH, "-cce-enable-mix", "-O2", "-std=c++17", "-I.", '-DKERNEL_CPP="kernel.cpp"', "outer.cpp",
            "-o", "lib.so"]),
        "catlass, JIT": ("ccec", [
            "-x", "asc", "-std=c++17", "-O2", "-shared", "-fPIC", ARCH, "-DCATLASS_ARCH=2201", "-DKERNEL_TYPE=__mix__(1,2)", "-I.",
            "kernel.cpp", "-o", "lib.so"]),
        "sample, -shared": ("bisheng", [ARCH, "-shared", "-fPIC", "kernel.asc", "-o", "lib.so"]),
    }  # fmt: skip


@pytest.mark.requirement("tool-3", "tool-6", "tool-7")
@pytest.mark.parametrize("name", library_lines())
def test_a_library_is_built_and_launches_from_ctypes(name: str, folder: Path, npu: Npu) -> None:
    (folder / "outer.cpp").write_text("#include KERNEL_CPP\n")
    command, words = library_lines()[name]
    silent(command, *words, folder=folder)
    check(folder / "lib.so", npu, "run" if command == "ccec" else "call")


@pytest.mark.requirement("tool-3")
def test_scripts_that_do_not_name_the_language(folder: Path, npu: Npu) -> None:
    done = call("bisheng", "-fPIC", "-shared", "-O2", ARCH, "-DMEMORY_BASE", "kernel.cpp", "-o", "lib.so", folder=folder)
    assert done.returncode == 0
    assert done.stderr.startswith("bisheng: note: kernel.cpp has kernels and the suffix of host code")
    check(folder / "lib.so", npu)


@pytest.mark.requirement("tool-6")
def test_a_library_launches_from_a_program_that_opens_it(folder: Path) -> None:
    silent("bisheng", ARCH, "-xasc", "--shared", "-fPIC", "kernel.cpp", "-o", "lib.so", folder=folder)
    text = (folder / "main.cpp").read_text().replace('extern "C" void call(void* y, int factor, void* stream);', "#include <dlfcn.h>")
    opened = 'auto call = (void (*)(void*, int, void*))dlsym(dlopen("./lib.so", RTLD_NOW), "call");\n    void* y = nullptr;'
    (folder / "main.cpp").write_text(text.replace("void* y = nullptr;", opened))
    silent("bisheng", "main.cpp", "-o", "opens", "-ldl", folder=folder)
    done = subprocess.run([folder / "opens"], cwd=folder, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout, done.stderr) == (0, "41 41 41 41\n", "")


# --- the vendor's samples: compile, link, archive


@pytest.mark.requirement("tool-3")
def test_sample_of_mixed_sources_in_one_command(folder: Path) -> None:
    silent("bisheng", ARCH, "main.cpp", "kernel.asc", "-o", "demo", folder=folder)
    assert run(folder / "demo") == "41 41 41 41\n"


@pytest.mark.requirement("tool-3")
@pytest.mark.parametrize("compile_only", ["-c", "-dc"])
def test_samples_that_compile_first_and_link_objects_only(compile_only: str, folder: Path) -> None:
    silent("bisheng", ARCH, compile_only, "kernel.asc", "-o", "kernel.o", folder=folder)
    silent("bisheng", "-c", "main.cpp", "-o", "main.o", folder=folder)
    silent("bisheng", "main.o", "kernel.o", "-o", "demo", folder=folder)
    assert run(folder / "demo") == "41 41 41 41\n"


@pytest.mark.requirement("tool-3", "tool-16")
def test_sample_of_a_static_library_which_strip_and_ar_leave_whole(folder: Path) -> None:
    silent("bisheng", ARCH, "-lib", "kernel.asc", "-o", "libkernel.a", folder=folder)
    silent("bisheng", "main.cpp", "-L.", "-lkernel", "-s", "-o", "demo", folder=folder)
    assert run(folder / "demo") == "41 41 41 41\n"
    silent("bisheng", ARCH, "-c", "kernel.asc", folder=folder)
    assert call("llvm-ar", "rcs", "libagain.a", "kernel.o", folder=folder).returncode == 0
    silent("bisheng", "main.cpp", "-L.", "-lagain", "-o", "demo", folder=folder)
    silent("bisheng", "-shared", "kernel.o", "-o", "lib.so", folder=folder)
    for file in ("demo", "lib.so"):
        assert call("llvm-strip", "-s", file, folder=folder).returncode == 0
    assert run(folder / "demo") == "41 41 41 41\n"
