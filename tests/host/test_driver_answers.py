# SPDX-License-Identifier: Apache-2.0
"""What the driver says and how it ends: architectures, options, errors that are remembered, kernels that hang; and what it makes is what
`aclimb build` makes."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from driver_calls import ARCH, Npu, call, silent

import acl
from aclimb import Program
from aclimb.compile import build as device_build
from aclimb.compile import failures, open_cache, unit, unit_build
from aclimb.compile.host_options import HostOptions
from aclimb.errors import CompileError, Diagnostic, InvalidArgument, Unsupported
from aclimb.host.command_line import parse
from aclimb.host.driver_options import Kind, find, options

KERNEL = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void one(__gm__ int32_t* y) { y[0] = 1; }
"""
LAUNCH = 'extern "C" void launch(void* s, int* y) { one<<<1, nullptr, s>>>(y); }\n'

# --- architectures

ACCEPTED = ["dav-2201", "dav-c220", "dav-c220-vec", "dav-c220-cube"]
REFUSED = {
    "dav-3510": " (Ascend 950)", "dav-c310": " (Ascend 950)", "dav-c310-vec": " (Ascend 950)", "dav-c310-cube": " (Ascend 950)",
    "dav-2002": " (310P)", "dav-m200": " (310P)", "dav-m200-vec": " (310P)", "dav-3002": " (310B)", "dav-1001": " (910)",
    "dav-c100": " (910)", "dav-l300": "", "dav-t200": "", "dav-5102": "", "dav-2201-vec": "", "": "",
}  # fmt: skip


@pytest.mark.requirement("tool-8")
@pytest.mark.parametrize("option", ["--npu-arch", "--cce-aicore-arch"])
def test_every_architecture_is_taken_or_refused_with_its_product(option: str) -> None:
    for name in ACCEPTED:
        command = parse([f"{option}={name}"])
        assert command.core == {"vec": "aiv", "cube": "aic"}.get(name.rpartition("-")[2], "")
    for name, product in REFUSED.items():
        with pytest.raises(InvalidArgument) as error:
            parse([f"{option}={name}"])
        assert str(error.value) == f"{option}={name}{product} is not modelled; aclimb builds for dav-2201, which is Atlas A2 and A3"


@pytest.mark.requirement("tool-8")
def test_a_chip_is_taken_by_name_and_loses_against_an_architecture() -> None:
    assert parse(["--npu-soc=Ascend910B1"]).soc == "Ascend910B1"
    assert parse(["--npu-soc=Ascend910B1", ARCH]).soc == parse([]).soc
    with pytest.raises(Unsupported, match=r"^Ascend310P3 is not modelled: "):
        parse(["--npu-soc=Ascend310P3"])


@pytest.mark.requirement("tool-8")
@pytest.mark.parametrize("option", ["--npu-arch=dav-3510", "--enable-simt", "--cce-pto-auto-enable"])
def test_a_refusal_is_one_sentence_and_leaves_no_output(option: str, tmp_path: Path) -> None:
    (tmp_path / "a.asc").write_text(KERNEL)
    (tmp_path / "a.o").write_text("of an earlier command")
    done = call("bisheng", "-c", "a.asc", option, "-o", "a.o", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith(f"bisheng: error: {option}")
    assert not (tmp_path / "a.o").exists()


def test_without_an_architecture_the_chip_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.asc").write_text(KERNEL)
    done = call("bisheng", "-c", "a.asc", folder=tmp_path, ACLIMB_SOC="Ascend910B1")
    assert (done.returncode, done.stderr) == (0, "bisheng: note: no --npu-arch is given; built for Ascend910B1\n")


# --- options

# Those that projects were seen to give, by what becomes of them.
SEEN = {
    Kind.quiet: """--cce-disable-kernel-global-attr-check --cce-enable-print --cce-mask-opt --cce-ignore-always-inline=true
        --cce-long-call=true --cce-no-dcache-flush --cce-pto-enable -cce-enable-pto-passes -fenable-matrix --cce-aicore-enable-tl
        --cce-simd-vf-fusion=true --cce-disable-asc-reserved-ubuf --cce-disable-vf-stack-reserved-ubuf -cce-kernel-launch=x
        --gcc-toolchain=/usr -mllvm -fcce-kernel-launch-custom""",
    Kind.noted: "--sanitizer --cce-enable-sanitizer -DASCENDC_CPU_DEBUG -DASCENDC_CPU_DEBUG=1 -flto",
    Kind.hang: "--cce-auto-sync --cce-auto-sync=on --cce-auto-sync=off -cce-auto-sync-log=x",
    Kind.refused: "--enable-simt --cce-pto-auto-enable --cce-link-aicore-ll-module=x -emit-llvm",
    Kind.own: """-o -c -E -fsyntax-only -shared --shared -M -MD -MF -MT -v -### --version --help -help -lib --cce-build-static-lib -dc
        --npu-arch=x --npu-soc=x --cce-aicore-arch=x --cce-aicore-only --cce-host-only -cce-enable-mix --asc-aicore-lang
        --cce-aicore-lang --cce-fatobj-link --run-mode=npu -Xhost-start -Xhost-end -Xaicore-start -Xaicore-end""",
    Kind.both: "-DX -UX -Ix -isystem -include -std=c++17 -O2 -g",
    Kind.host: "-fPIC -Wall -Wno-macro-redefined -w -pthread -dumpversion -print-search-dirs -fstack-protector-strong",
    Kind.link: "-Lx -lx -Wl,-rpath,x -s",
}


@pytest.mark.requirement("tool-9")
@pytest.mark.parametrize("kind", SEEN)
def test_options_that_projects_give_have_their_class(kind: Kind) -> None:
    for word in SEEN[kind].split():
        option = find(word)
        assert option is not None, word
        assert option.kind is kind, word


@pytest.mark.requirement("tool-9")
def test_the_reference_page_has_every_option() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "bisheng.md").read_text()
    assert [option.spelling for option in options() if f"| `{option.spelling}` |" not in page] == []


@pytest.mark.requirement("tool-9")
def test_an_unknown_option_of_the_vendor_is_one_note(tmp_path: Path) -> None:
    (tmp_path / "a.asc").write_text(KERNEL)
    done = call("bisheng", "-c", ARCH, "--cce-brand-new=3", "a.asc", "-o", "a.o", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "bisheng: note: --cce-brand-new=3 is not known here and has no effect\n")
    done = call("bisheng", "-c", ARCH, "a.asc", "-mllvm", folder=tmp_path)
    assert (done.returncode, done.stderr) == (1, "bisheng: error: -mllvm stands at the end; it takes another word\n")
    assert parse(["-mllvm", "-c", "-mllvm", "x.bc"]).flags == set()


def test_what_has_no_effect_and_may_surprise_is_noted() -> None:
    command = parse(["--run-mode=sim", "--cce-enable-sanitizer", "-DASCENDC_CPU_DEBUG=1", "-D", "ASCENDC_CPU_DEBUG"])
    assert command.both == ["-DASCENDC_CPU_DEBUG=1", "-D", "ASCENDC_CPU_DEBUG"]
    assert command.notes == [
        "--run-mode=sim: the same as npu here",
        "--cce-enable-sanitizer: checks are always on",
        "-DASCENDC_CPU_DEBUG=1: defined, and the kernel runs on the modelled chip all the same",
        "-DASCENDC_CPU_DEBUG: defined, and the kernel runs on the modelled chip all the same",
    ]


# --- a kernel that counts on flags that nobody inserts

HANGS = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void one(__gm__ int32_t* y) { AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(0); }
"""
NO_FLAGS = "the source was compiled with auto-sync, for which the vendor's compiler inserts flags; aclimb inserts none: write them"


@pytest.mark.requirement("tool-10")
@pytest.mark.parametrize(("word", "is_told"), [("--cce-auto-sync", True), ("--cce-auto-sync=off", False), ("-O2", False)])
def test_a_hang_says_that_no_flags_were_inserted(word: str, is_told: bool, tmp_path: Path, npu: Npu) -> None:
    (tmp_path / "a.asc").write_text(HANGS + LAUNCH)
    silent("bisheng", ARCH, word, "-shared", "a.asc", "-o", "liba.so", folder=tmp_path)
    ctypes.CDLL(str(tmp_path / "liba.so")).launch(ctypes.c_void_p(npu.stream), ctypes.c_void_p(npu.put(np.zeros(8, np.int32))))
    assert acl.rt.synchronize_stream(npu.stream) != 0
    said = acl.get_recent_err_msg()
    assert "nothing in this kernel sets MTE2_V" in said
    assert (NO_FLAGS in said) == is_told


# --- errors


@pytest.mark.requirement("tool-11")
def test_an_error_has_gccs_form_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.asc").write_text(KERNEL.replace("y[0]", "z[0]"))
    (tmp_path / "a.o").write_text("of an earlier command")
    first = call("bisheng", "-c", ARCH, "a.asc", "-o", "a.o", folder=tmp_path)
    again = call("bisheng", "-c", ARCH, "-mllvm", "-disable-machine-licm", "a.asc", "-o", "a.o", folder=tmp_path)
    assert (first.returncode, first.stdout) == (1, "")
    assert f"{tmp_path}/a.asc:2:47: error: 'z' was not declared in this scope" in first.stderr
    assert (again.returncode, again.stdout, again.stderr) == (1, "", first.stderr)
    assert not (tmp_path / "a.o").exists()


def fails(*_: object, **__: object) -> None:
    raise AssertionError("a compiler was started")


@pytest.mark.requirement("tool-11")
def test_the_same_failure_comes_from_the_cache_until_a_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, header, made = tmp_path / "a.asc", tmp_path / "h.h", tmp_path / "a.o"
    header.write_text("#define NAME z\n")
    source.write_text('#include "h.h"\n' + KERNEL.replace("y[0]", "NAME[0]") + LAUNCH)
    with pytest.raises(CompileError) as first:
        unit.compile_unit(source, HostOptions(), tmp_path / "a.o")
    with pytest.raises(CompileError) as device:
        Program(source).compile()
    with monkeypatch.context() as patched:
        patched.setattr(unit_build, "compile_both", fails)
        patched.setattr(device_build, "_build_with", fails)
        for build, error in ((lambda: unit.compile_unit(source, HostOptions(), made), first), (Program(source).compile, device)):
            with pytest.raises(CompileError) as again:
                build()
            assert (str(again.value), again.value.diagnostics) == (str(error.value), error.value.diagnostics)
    header.write_text("#define NAME y\n")
    unit.compile_unit(source, HostOptions(), tmp_path / "a.o")
    assert Program(source).compile().kernel_names == ("one",)


@pytest.mark.requirement("tool-11")
def test_a_header_that_is_missing_is_looked_for_again(tmp_path: Path) -> None:
    source = tmp_path / "a.asc"
    source.write_text('#include "later.h"\n' + KERNEL + LAUNCH)
    for build in (lambda: unit.compile_unit(source, HostOptions(), tmp_path / "a.o"), Program(source).compile):
        with pytest.raises(CompileError, match=r"later\.h: no such header"):
            build()
    (tmp_path / "later.h").write_text("")
    unit.compile_unit(source, HostOptions(), tmp_path / "a.o")
    Program(source).compile()


@pytest.mark.parametrize("text", ["error writing to /tmp/x.s: No space left on device", "Killed", "internal compiler error"])
def test_what_the_machine_says_is_not_kept(text: str) -> None:
    error = CompileError(f"a.asc does not compile, 1 error\n{text}", [Diagnostic("a.asc", 1, 1, "error", text)])
    error.read = []
    failures.keep(open_cache(), "0" * 32, error)
    assert failures.find(open_cache(), "0" * 32) is None


def test_a_damaged_failure_is_built_again() -> None:
    cache = open_cache()
    for data in (b"", b"[]", b'{"text": 3}', b'{"text": "t", "diagnostics": [[1]]}'):
        cache.keep("1" * 32 + "-failed", [], data)
        assert failures.find(cache, "1" * 32) is None


# --- the same binary


@pytest.mark.requirement("tool-31")
@pytest.mark.parametrize("host", ["", LAUNCH])
def test_it_is_the_binary_that_aclimb_build_makes(host: str, tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(KERNEL + host)
    for folder in ("by_aclimb", "by_driver", "in_object"):
        (tmp_path / folder).mkdir()
    build = [sys.executable, "-m", "aclimb", "build", "k.cpp", "-O", "2", "-D", "N=3", "-o", "by_aclimb/k.o"]
    done = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    silent("bisheng", "-c", "-x", "asc", ARCH, "-O2", "-DN=3", "--cce-aicore-only", "k.cpp", "-o", "by_driver/k.o", folder=tmp_path)
    expected = (tmp_path / "by_aclimb" / "k.o").read_bytes()
    assert (tmp_path / "by_driver" / "k.o").read_bytes() == expected
    if host:
        silent("bisheng", "-c", "-x", "asc", ARCH, "-O2", "-DN=3", "k.cpp", "-o", "both.o", folder=tmp_path)
        silent("bisheng", "--aclimb-image", "both.o", "-o", "in_object/k.o", folder=tmp_path)
        assert (tmp_path / "in_object" / "k.o").read_bytes() == expected
