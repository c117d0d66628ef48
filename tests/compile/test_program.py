# SPDX-License-Identifier: Apache-2.0
"""From source to operator binary: kernels found, parameters, kernel types, facts, and values out of a real image."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from aclimb.binary import ABI_VERSION, KernelBinary
from aclimb.compile import Program, headers, toolchain
from aclimb.compile.facts import Fact
from aclimb.errors import CompileError, InvalidArgument, SourceNotFound, UnknownSoc, Unsupported
from aclimb.flow import KernelType

Build = Callable[..., KernelBinary]
EVERY_FORM = """
#include "more.h"
/* extern "C" __global__ __aicore__ void in_comment(GM_ADDR x) {} */
const char* text = "__global__ void in_string() {";
const char* raw = R"x(extern "C" __global__ __aicore__ void in_raw_string(GM_ADDR x) {} )" )x";
enum class Mode : int16_t { a, b };
struct Inner { int64_t a; };
struct Tile { uint32_t n; Inner inner; float scale; };
template <typename T> struct Holder { T t; };
extern "C" {
__global__ __aicore__ void in_block(GM_ADDR x, Tile t, Mode m, bool flag, double d, const float scale) {
    auto* out = reinterpret_cast<double*>(x);
    out[0] = t.n; out[1] = t.inner.a; out[2] = t.scale;
    out[3] = static_cast<int>(m); out[4] = flag; out[5] = d; out[6] = scale;
}
}
namespace a::b { inline namespace v1 { namespace {
__vector__ __global__ __aicore__ void hidden(__gm__ float* x, Holder<int> h) { x[0] = h.t; }
} }
using My = int;
template <typename T, int N = (3 > 2)> __global__ __vector__ void pattern(__gm__ T* x, T value) { x[0] = value + N; }
template __global__ __vector__ void pattern<My>(__gm__ My* x, My value);
}
__global__ void unnamed(GM_ADDR, uint16_t) {}
extern "C" __global__ __aicore__ void declared_only(GM_ADDR x);
"""


def call(binary: KernelBinary, name: str, args: bytes, tmp_path: Path, core: str = "aiv") -> None:
    """Runs an entry in this process; only for kernels that do not touch the core."""
    path = tmp_path / f"{name.replace('<', '_')}.so"
    path.write_bytes(binary.images[core])
    ctypes.CDLL(str(path))[binary.kernel_info(name).entry](ctypes.create_string_buffer(args, len(args) or 1))


def test_every_form_of_kernel_is_found_with_its_parameters(compiler: str, build: Build, tmp_path: Path) -> None:
    macro = '#define MAKE(n) extern "C" __global__ __aicore__ void n(GM_ADDR x) { x[0] = 1; }\nMAKE(from_macro)\n'
    (tmp_path / "more.h").write_text(macro)
    binary = build(EVERY_FORM, instances=["a::b::pattern< float,7 >"])
    assert [kernel.signature for kernel in binary.kernels] == [
        "from_macro(x: GM_ADDR)",
        "in_block(x: GM_ADDR, t: Tile, m: int16, flag: bool, d: double, scale: float)",
        "a::b::v1::hidden(x: float*, h: Holder<int>)",
        "a::b::pattern<My>(x: My*, value: int32)",
        "unnamed(arg0: GM_ADDR, arg1: uint16)",
        "a::b::pattern<float, 7>(x: float*, value: float)",
    ]
    assert [(p.offset, p.size, p.kind) for p in binary.kernel_info("in_block").parameters] == [
        (0, 8, "pointer"),
        (8, 24, "struct"),
        (32, 2, "int"),
        (40, 1, "bool"),
        (48, 8, "float"),
        (56, 4, "float"),
    ]


def test_the_entry_unpacks_arguments_by_the_kernels_own_types(compiler: str, build: Build, tmp_path: Path) -> None:
    (tmp_path / "more.h").write_text("")
    binary = build(EVERY_FORM, instances=["a::b::pattern<float, 7>"])
    out = np.zeros(7)
    layout = np.dtype(
        {
            "names": ["x", "n", "a", "t", "m", "flag", "d", "scale"],
            "offsets": [0, 8, 16, 24, 32, 40, 48, 56],
            "formats": ["u8", "u4", "i8", "f4", "i2", "?", "f8", "f4"],
            "itemsize": 60,
        }
    )
    args = np.zeros((), layout)
    args[()] = (out.ctypes.data, 5, -6, 0.5, 1, True, 2.25, 8.0)
    call(binary, "in_block", args.tobytes(), tmp_path)
    np.testing.assert_array_equal(out, [5, -6, 0.5, 1, 1, 2.25, 8.0])
    single = np.zeros(1, "f4")
    packed = np.array([(single.ctypes.data, 1.5)], [("x", "u8"), ("value", "f4")]).tobytes()
    call(binary, "a::b::pattern<float, 7>", packed, tmp_path)
    assert single[0] == 8.5


TILING = """
struct Tile { int32_t a; float b[4]; };
BEGIN_TILING_DATA_DEF(Described)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF_ARR(uint16_t, 3, list);
TILING_DATA_FIELD_DEF_STRUCT(Tile, tile);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(AddCustom, Described)
static_assert(sizeof(Described) == 40, "");
extern "C" __global__ __aicore__ void f(GM_ADDR x, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(Tile);
    GET_TILING_DATA(t, tiling);
    GET_TILING_DATA_WITH_STRUCT(Tile, again, tiling);
    GET_TILING_DATA_MEMBER(Tile, b, member, tiling);
    GET_TILING_DATA_PTR_WITH_STRUCT(Tile, pointer, tiling);
    COPY_TILING_WITH_STRUCT(Tile, pointer, whole);
    COPY_TILING_WITH_STRUCT(Tile, *pointer, by_value);
    COPY_TILING_WITH_ARRAY(float, 4, &pointer->b, list);
    auto* out = reinterpret_cast<float*>(x);
    out[0] = t.a; out[1] = again.b[0]; out[2] = member[1];
    out[3] = pointer->b[2]; out[4] = whole->a; out[5] = by_value->b[3];
    out[6] = (*list)[3];
}
extern "C" __global__ __aicore__ void keys(GM_ADDR x) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    KERNEL_TASK_TYPE(30000000000, KERNEL_TYPE_MIX_AIV_1_0);
    constexpr int named = 7;
    if (TILING_KEY_IS(1) || TILING_KEY_IS(2UL)) { x[0] = 1; }
    else if (TILING_KEY_IS(30000000000)) { x[0] = 3; }
    else if (TILING_KEY_IS(named) && TILING_KEY_VAR != 8) x[0] = 4;
}
"""


def test_tiling_macros_read_the_struct_in_every_spelling(build: Build, tmp_path: Path) -> None:
    tile = np.array([(11, (1.0, 2.0, 3.0, 4.0))], [("a", "i4"), ("b", "4f4")])
    out = np.zeros(7, "f4")
    call(build(TILING), "f", np.array([out.ctypes.data, tile.ctypes.data], "u8").tobytes(), tmp_path)
    np.testing.assert_array_equal(out, [11, 1, 2, 3, 11, 4, 4])


def test_tiling_keys_and_their_kernel_types_are_listed(build: Build) -> None:
    kernel = build(TILING).kernel_info("keys")
    assert kernel.tiling_keys == (1, 2, 7, 30000000000)
    assert kernel.kernel_type == KernelType.AIV_ONLY
    assert kernel.type_for(30000000000) == KernelType.MIX_AIV_1_0
    assert kernel.type_for(1) == KernelType.AIV_ONLY


TYPES = """
#define K(name) extern "C" __global__ __aicore__ void name(GM_ADDR x)
__attribute__((noinline)) static void far_away(uint8_t* x) { x[1]++; aclimb::fact<aclimb::Fact::float_atomic, 11>(); }
K(vector) { AscendC::Vector(); far_away(x); }
K(nothing) { x[0] = 1; }
K(vector_sync) { AscendC::Vector(); AscendC::SyncAll(); }
#ifdef __DAV_C220_CUBE__
K(cube) { AscendC::Mmad(); }
K(cube_sync) { AscendC::Mmad(); AscendC::CrossCoreSetFlag(); }
#endif
K(both) {
#ifdef __DAV_C220_CUBE__
    AscendC::Mmad();
#else
    AscendC::Vector();
#endif
}
K(declared) { KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1); AscendC::Vector(); }
__global__ __cube__ void qualified_cube(GM_ADDR x) {}
__schedmode__(1) __global__ __mix__(1, 2) __aicore__ void mixed(GM_ADDR x) {}
"""


def test_kernel_types_follow_qualifier_then_declaration_then_use(compiler: str, build: Build) -> None:
    binary = build(TYPES)
    assert {kernel.name: kernel.kernel_type.name for kernel in binary.kernels} == {
        "vector": "AIV_ONLY",
        "nothing": "AIV_ONLY",
        "vector_sync": "MIX_AIV_1_0",
        "cube": "AIC_ONLY",
        "cube_sync": "MIX_AIC_1_0",
        "both": "MIX_AIC_1_2",
        "declared": "MIX_AIC_1_1",
        "qualified_cube": "AIC_ONLY",
        "mixed": "MIX_AIC_1_2",
    }
    assert set(binary.images) == {"aiv", "aic"}
    assert binary.kernel_info("mixed").schedule_mode == 1


def test_a_fact_holds_for_the_kernels_that_reach_it_and_no_others(compiler: str, build: Build) -> None:
    binary = build(TYPES)
    assert [kernel.name for kernel in binary.kernels if kernel.float_atomics] == ["vector"]
    assert [kernel.name for kernel in binary.kernels if kernel.uses_sync_all] == ["vector_sync"]
    assert [kernel.name for kernel in binary.kernels if kernel.uses_cross_core] == ["cube_sync"]


def test_an_aic_pass_that_found_nothing_leaves_no_image(build: Build) -> None:
    binary = build('// mentions Mmad, so the AIC pass is tried\nextern "C" __global__ __aicore__ void f(GM_ADDR x) { x[0] = 1; }\n')
    assert set(binary.images) == {"aiv"}


def test_an_image_imports_nothing_and_exports_only_entries(compiler: str, build: Build, tmp_path: Path) -> None:
    binary = build(
        "struct Big { int64_t n[64]; };\n"
        'extern "C" __global__ __aicore__ void f(GM_ADDR x, Big b) { Big copy = b; copy.n[1] = x[0];'
        " *reinterpret_cast<Big*>(x) = copy; }\n"
    )
    from elftools.elf.elffile import ELFFile

    path = tmp_path / "image.so"
    path.write_bytes(binary.images["aiv"])
    with path.open("rb") as file:
        image = ELFFile(file)
        symbols = [s for s in image.get_section_by_name(".dynsym").iter_symbols() if s.name]
        needed = [t for t in image.get_section_by_name(".dynamic").iter_tags() if t.entry.d_tag == "DT_NEEDED"]
    assert [s.name for s in symbols] == ["aclimb_entry_f"]
    assert needed == []


def test_block_local_variables_have_a_section_of_their_own(build: Build) -> None:
    from aclimb.binary.elf import Elf

    image = build('__BLOCK_LOCAL__ int counter;\nextern "C" __global__ __aicore__ void f(GM_ADDR x) { x[0] = ++counter; }\n').images["aiv"]
    section = Elf(image).find(".aclimb.block_local")
    assert section is not None
    assert section.size == 4


def test_defines_and_include_folders_reach_the_source(build: Build, tmp_path: Path) -> None:
    (tmp_path / "extra").mkdir()
    (tmp_path / "extra" / "width.h").write_text("constexpr int width = 4;\n")
    text = '#include "width.h"\nextern "C" __global__ __aicore__ void f(__gm__ DTYPE_X* x) { static_assert(sizeof(*x) == width, ""); }\n'
    binary = build(text, defines={"DTYPE_X": "float"}, include_dirs=[tmp_path / "extra"])
    assert binary.kernels[0].signature == "f(x: float*)"
    assert binary.meta["aclimb"]["options"]["defines"] == [["DTYPE_X", "float"]]


def test_equal_input_gives_equal_bytes_without_the_cache(
    compiler: str, write: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write('extern "C" __global__ __aicore__ void f(GM_ADDR x) { x[0] = 1; }\n')
    results = []
    for name in ("one", "two"):
        monkeypatch.setenv("ACLIMB_CACHE_DIR", str(tmp_path / name))
        results.append(Program(source).compile().to_bytes())
    assert results[0] == results[1]


def test_a_program_can_be_given_as_text() -> None:
    binary = Program('#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void f(GM_ADDR x) {}\n', name="typed").compile()
    assert binary.name == "typed"
    assert Path(binary.record.source).name == "typed.cpp"


def test_the_fact_numbers_are_those_of_the_header() -> None:
    text = (headers.include_dir() / "aclimb" / "facts.h").read_text()
    listed = re.search(r"enum class Fact.*?\{(.*?)\};", text, re.DOTALL)
    assert listed
    pairs = {name: int(value) for name, value in re.findall(r"(\w+) = (\d+),", listed[1])}
    assert pairs == {fact.name: fact.value for fact in Fact}


def test_the_abi_version_is_that_of_the_header() -> None:
    assert headers.abi_version(headers.include_dir()) == ABI_VERSION


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opt_level": 4}, r"^opt_level is 4; it takes 0, 1, 2 or 3$"),
        ({"defines": ["9X"]}, r"^define '9X' is not a macro name; write NAME or NAME=value$"),
        (
            {"defines": {"__NPU_ARCH__": 1}},
            r"^define '__NPU_ARCH__' belongs to aclimb, which sets it itself; choose another name$",
        ),
        ({"defines": "X=1"}, r"^defines is the text 'X=1'; it takes a list: defines=\['X=1'\]$"),
        ({"instances": ["f"]}, r"^instance 'f' is not a template with its arguments; write it as in C\+\+, f<float>$"),
        ({"name": "a/b"}, r"^name is 'a/b'; it takes letters, digits, _ \. \+ and -, because it names a file$"),
    ],
)
def test_bad_options_fail_where_they_are_written(options: dict[str, object], message: str, write: Callable[..., Path]) -> None:
    with pytest.raises(InvalidArgument, match=message):
        Program(write(""), **options)  # type: ignore[arg-type]


def test_sources_and_folders_that_do_not_exist_are_named(tmp_path: Path, write: Callable[..., Path]) -> None:
    with pytest.raises(SourceNotFound, match=r"^kernel source .*/nope\.cpp does not exist; give the path of a \.cpp or"):
        Program(tmp_path / "nope.cpp")
    with pytest.raises(SourceNotFound, match=r"is a folder; give the \.cpp file in it$"):
        Program(tmp_path)
    with pytest.raises(SourceNotFound, match=r"^include folder .*/nope does not exist$"):
        Program(write(""), include_dirs=[tmp_path / "nope"])


def test_unknown_and_other_chips_are_refused_before_anything_is_built(write: Callable[..., Path]) -> None:
    with pytest.raises(UnknownSoc, match=r"^SoC 'Ascend910_9393' is not known; did you mean Ascend910_9392"):
        Program(write(""), soc="Ascend910_9393")
    with pytest.raises(Unsupported, match=r"^Ascend310P3 is not modelled: .*; aclimb builds for Atlas A2 .* and A3 "):
        Program(write(""), soc="Ascend310P3")


def test_without_any_compiler_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch, build: Build) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr(toolchain, "_zig_of_package", lambda: None)
    with pytest.raises(
        CompileError,
        match=r"^there is no C\+\+ compiler .* `pip install ziglang` is enough, or install g\+\+, or set ACLIMB_CXX$",
    ):
        build("int x;\n")


def test_a_compiler_that_does_not_exist_is_named(monkeypatch: pytest.MonkeyPatch, build: Build) -> None:
    monkeypatch.setenv("ACLIMB_CXX", "no-such-compiler")
    with pytest.raises(CompileError, match=r"^ACLIMB_CXX is 'no-such-compiler', which is not a program; give the name or path of g\+\+"):
        build("int x;\n")


def test_without_gcc_and_clang_the_ziglang_package_is_used(monkeypatch: pytest.MonkeyPatch, build: Build) -> None:
    pytest.importorskip("ziglang")
    monkeypatch.setenv("PATH", "/nonexistent")
    assert toolchain.find().kind == "zig"
    assert build('extern "C" __global__ __aicore__ void f(GM_ADDR x) {}\n').kernel_names == ("f",)


def test_saved_files_are_the_object_and_its_json(build: Build, tmp_path: Path) -> None:
    binary = build('extern "C" __global__ __aicore__ void f(GM_ADDR x) {}\n')
    path = binary.save(tmp_path / "out" / "add.o")
    assert KernelBinary.read(path) == binary.renamed("add")
    assert (tmp_path / "out" / "add.json").read_text().startswith("{")
    if shutil.which("nm"):
        listed = subprocess.run(["nm", str(path)], capture_output=True, text=True, check=True).stdout
        assert listed.split() == ["0000000000000000", "T", "f"]


def test_a_host_function_that_launches_does_not_disturb_the_kernel(compiler: str, build: Build, tmp_path: Path) -> None:
    (tmp_path / "part.h").write_text("constexpr int one = 1;\n")
    text = (
        '#include "part.h"\nextern "C" __global__ __aicore__ void f(GM_ADDR x) { x[0] = one; }\n'
        "void f_do(uint32_t n, void* stream, uint8_t* x) {\n    f<<<n, nullptr, stream>>>(x);\n}\n"
    )
    binary = build(text)
    assert binary.kernel_names == ("f",)
    assert binary.record.source == str(tmp_path / "kernel.cpp")
    with pytest.raises(CompileError) as caught:
        build(text + "int broken = nope;\n")
    assert [(d.file, d.line, d.column) for d in caught.value.diagnostics] == [(str(tmp_path / "kernel.cpp"), 7, 14)]


def test_an_image_keeps_its_facts_with_the_addresses_they_hold_for(compiler: str, build: Build) -> None:
    import struct

    from aclimb.binary.elf import Elf
    from aclimb.binary.source_lines import lines_of

    text = (
        'extern "C" __global__ __aicore__ void f(GM_ADDR x) {\n    x[0] = 1;\n'
        '    aclimb::fact<aclimb::Fact::set_flag, 33>(); asm volatile("nop");\n}\n'
    )
    image = build(text).images["aiv"]
    section = Elf(image).find(".aclimb.facts")
    assert section is not None
    found = struct.iter_unpack("<QQQ", Elf(image).content(section))
    ((address, fact, value),) = (row for row in found if row[1] != Fact.rows)  # which every entry leaves
    assert (fact, value) == (Fact.set_flag, 33)
    assert 4 in [frame.line for frame in lines_of(image).frames(address)]
