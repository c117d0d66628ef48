# SPDX-License-Identifier: Apache-2.0
"""k<<<blocks, nullptr, stream>>>(...) in programs that run: every form, refusals, faults, several files and libraries."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from aclimb.compile.host_options import HostOptions
from aclimb.compile.unit import compile_unit
from aclimb.errors import CompileError
from aclimb.host.link import link_program

SOURCES = Path(__file__).parent / "sources"
Build: TypeAlias = Callable[..., Path]
Run: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]
EXPECTED = {
    "extern C, one to three values, macros, pointers, lambdas, threads, another file": 20,
    "parameters without a name, default arguments": 10,
    "a namespace, a struct by value": 5,
    "an unnamed namespace, a type of it": 4,
    "a template of such a type": 3,
    "an enumeration as template argument": -1,
    "a static kernel, an enumeration by value": -4,
    "an overload": 3,
    "another overload": 7,
    "a template that overloads both": 8,
    "templates, from a template too": 302,
    "a specialisation": 7,
    "a pack": 13,
    "a template of templates": 6,
    "negative and computed template arguments, pointers to instances": 8,
    "two kernels of one line": 22,
    "scalars of every size": 118,
    "half": 9,
    "assert in a kernel": 1,
    "a class template of the device": 1,
    "members that are defined outside their class": 1,
    "the same instance in two files": 3,
    "the same names in two files": 11,
}
PRELUDE = '#include "acl/acl.h"\n#include "kernel_operator.h"\n'


PRINTS = """#include <cstdio>
USE
__global__ __vector__ void k(__gm__ int32_t* y) { AscendC::printf("kernel %d %.1f\\n", y[0], (half)1.5); }
int main() {
    aclInit(nullptr);
    aclrtStream stream;
    int32_t* y = nullptr;
    if (aclrtSetDevice(0) || aclrtCreateStream(&stream) || aclrtMalloc((void**)&y, 32, ACL_MEM_MALLOC_HUGE_FIRST)) return 2;
    aclrtMemset(y, 32, 1, 32);
    k<<<1, nullptr, stream>>>(y);
    aclrtSynchronizeStream(stream);
    const int written = printf("host %s %d %.2f", "text", 7, (half)0.5);
    printf(" %d\\n", written);
    printf("plain\\n");
}
"""


@pytest.mark.parametrize("use", ["using namespace AscendC;", '#include "utils/debug/asc_printf.h"'])
def test_printf_of_a_host_function_is_the_hosts(use: str, tmp_path: Path, build: Build, run: Run) -> None:
    source = tmp_path / "prints.asc"
    source.write_text(PRELUDE + PRINTS.replace("USE", use))
    answer = run(build(tmp_path, [source], HostOptions()))
    assert answer.stdout.splitlines() == ["kernel 16843009 1.5", "host text 7 0.50 16", "plain"]


@pytest.fixture(scope="module", params=["", pytest.param("zig", marks=pytest.mark.slow)])
def forms(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, build: Build, run: Run) -> list[str]:
    """What the program of all forms prints, started by itself and by `aclimb run`. zig may have to build its C++ library first."""
    folder = tmp_path_factory.mktemp("forms")
    options = HostOptions(opt_level="2", flags=("-Wall", "-Wextra", "-Werror"))
    with pytest.MonkeyPatch.context() as patched:
        if request.param:
            pytest.importorskip("ziglang")
            patched.setenv("ACLIMB_CXX", request.param)
        program = build(folder, [SOURCES / "forms.asc", SOURCES / "elsewhere.asc"], options)
    said: str = run(program, code=7).stdout
    assert run(Path(sys.executable), "-m", "aclimb", "run", str(program), code=7).stdout == said
    return said.split("\n")


@pytest.mark.requirement("cpp-9", "cpp-15", "cpp-16", "cpp-19")
@pytest.mark.parametrize("form", EXPECTED)
def test_every_form_of_a_launch_reaches_its_kernel(forms: list[str], form: str) -> None:
    values = [int(value) for value in forms[0].split()]
    assert values[list(EXPECTED).index(form)] == EXPECTED[form]


@pytest.mark.requirement("cpp-17")
def test_exceptions_static_objects_and_streams_of_the_same_file_work(forms: list[str]) -> None:
    assert forms[1] == "-8 5 2 42 <<<1>>> 3"


@pytest.mark.requirement("cpp-16")
def test_template_arguments_of_every_sort_reach_the_device(tmp_path: Path, build: Build, run: Run) -> None:
    said = run(build(tmp_path, [SOURCES / "instances.asc"], HostOptions())).stdout
    assert said == "0 -\n28 71 9 8 5 4 5 5 97 3 5 4 1 1 1 1 1 \n"


def test_a_type_without_a_name_is_refused_at_the_kernel(tmp_path: Path) -> None:
    source = tmp_path / "local.asc"
    text = "template <class T> __global__ __aicore__ void k(T t) {}\nint main() { struct Local { int v; }; k<<<1>>>(Local{1}); }\n"
    source.write_text(PRELUDE + text)
    with pytest.raises(CompileError, match="one of its types has no name outside of a function") as caught:
        compile_unit(source, HostOptions(), tmp_path / "local.o")
    assert caught.value.diagnostics[0].line == 3


ERRORS = (
    PRELUDE
    + """
extern "C" __global__ __aicore__ void two(GM_ADDR x, int n) {}
struct Plain { int a; };
template <typename T> __global__ __aicore__ void typed(T value) {}
void f(uint8_t* x, void* stream) {
    two<<<1, nullptr, stream>>>(x);
    two<<<1, nullptr, stream>>>(x, 1, 2);
    two<<<1, nullptr, stream>>>(x, Plain{});
    two<<<1, 32, 0, stream>>>(x, 1);
    two<<<1, nullptr, x[0]>>>(x, 1);
    nothing<<<1, nullptr, stream>>>(x);
    typed<Plain><<<1, nullptr, stream>>>(3);
    int code = two<<<1, nullptr, stream>>>(x, 1);
    two<<<Plain{}, nullptr, stream>>>(x, 1);
}
"""
)


@pytest.mark.requirement("cpp-15", "cpp-17")
def test_wrong_arguments_and_values_are_errors_at_the_users_line(tmp_path: Path) -> None:
    source = tmp_path / "errors.asc"
    source.write_text(ERRORS)
    with pytest.raises(CompileError) as caught:
        compile_unit(source, HostOptions(), tmp_path / "errors.o")
    found = {each.line: each.text for each in caught.value.diagnostics}
    assert {each.file for each in caught.value.diagnostics} == {str(source)}
    assert sorted(found) == list(range(8, 17))
    assert "too few arguments" in found[8]
    assert "too many arguments" in found[9]
    assert "Plain" in found[10]
    assert "SIMT" in found[11]
    assert "Ascend 950" in found[11]
    assert found[12].startswith("the values between <<< and >>> are the number of blocks, nullptr and a stream")
    assert "nothing" in found[13]
    assert "Plain" in found[14]
    assert "void" in found[15]
    assert found[16].startswith("the values between <<< and >>>")


HOST_CALL = (
    PRELUDE
    + """#include <vector>
static int helper(int x) { return std::vector<int>(x, 1).size(); }
namespace a { int other(float) { return 2; } }
class Op { public: __aicore__ inline int run(int n) { return n > 3 ?
    helper(n) : a::other(1); } };
extern "C" __global__ __aicore__ void calls(GM_ADDR x, int n) {
    Op op;
    x[0] = op.run(n);
}
int main() { return helper(1); }
"""
)


@pytest.mark.parametrize("cxx", ["", "zig"])
def test_a_kernel_that_calls_a_host_function_is_told_so_at_its_line(cxx: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if cxx:
        pytest.importorskip("ziglang")
        monkeypatch.setenv("ACLIMB_CXX", cxx)
    source = tmp_path / "calls.asc"
    source.write_text(HOST_CALL)
    with pytest.raises(CompileError, match=r"is a host function, and code for the AI Core calls it; mark it __aicore__") as caught:
        compile_unit(source, HostOptions(), tmp_path / "calls.o")
    assert {(each.file, each.line, each.text.partition(" is ")[0]) for each in caught.value.diagnostics} == {
        (str(source), 7, "helper(int)"),
        (str(source), 7, "a::other(float)"),
    }


def test_errors_of_both_sides_are_told_together(tmp_path: Path) -> None:
    source = tmp_path / "both.asc"
    source.write_text(
        PRELUDE + 'extern "C" __global__ __aicore__ void k(GM_ADDR x) {\n    nowhere(x);\n}\nint main() {\n    return nothing;\n}\n'
    )
    with pytest.raises(CompileError, match="2 errors") as caught:
        compile_unit(source, HostOptions(), tmp_path / "both.o")
    assert sorted(each.line for each in caught.value.diagnostics) == [4, 7]


def test_a_kernel_for_the_host_only_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "only.asc"
    text = "#ifndef __CCE_AICORE__\n__global__ __aicore__ void k(GM_ADDR) {}\n#endif\n__global__ __aicore__ void other(GM_ADDR) {}\n"
    source.write_text(PRELUDE + text)
    with pytest.raises(CompileError, match="kernel k is defined for the host only") as caught:
        compile_unit(source, HostOptions(), tmp_path / "only.o")
    assert caught.value.diagnostics[0].line == 4


REFUSALS = (
    PRELUDE
    + r"""
#include <cstdio>
extern "C" __global__ __aicore__ void writes(GM_ADDR x, int at) {
    AscendC::GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer((__gm__ int32_t*)x);
    gm.SetValue(at, 1);
}
template <typename T> __global__ __aicore__ void of_type(GM_ADDR x) { writes(x, 0); }
static void tell(const char* what) {
    const int code = aclrtGetLastError(ACL_RT_THREAD_LEVEL);
    const char* text = aclGetRecentErrMsg();
    std::printf("%s: %d %s\n", what, code, text ? text : "-");
}
static void not_a_kernel(uint8_t*) {}
struct BeforeMain {
    BeforeMain() { writes<<<1>>>(nullptr, 0); tell("constructor"); }
} before_main;
int main() {
    uint8_t* x = nullptr;
    void* stream = nullptr;
    writes<<<1, nullptr, stream>>>(x, 0);
    tell("no device");
    if (aclInit(nullptr) || aclrtSetDevice(0) || aclrtCreateStream(&stream)) return 1;
    if (aclrtMalloc((void**)&x, 64, ACL_MEM_MALLOC_HUGE_FIRST)) return 2;
    writes<<<0, nullptr, stream>>>(x, 0);
    tell("0 blocks");
    writes<<<65536, nullptr, stream>>>(x, 0);
    tell("65536 blocks");
    writes<<<-1, nullptr, stream>>>(x, 0);
    tell("-1 blocks");
    writes<<<1, nullptr, (void*)12345>>>(x, 0);
    tell("bad stream");
    writes(x, 0);
    tell("a call");
    not_a_kernel<<<1, nullptr, stream>>>(x);
    tell("no kernel");
    writes<<<65535, nullptr, stream>>>(x, 0);
    tell("65535 blocks");
    std::printf("synchronise: %d\n", aclrtSynchronizeStream(stream));
    of_type<int><<<1, nullptr, stream>>>(nullptr);
    tell("a launch");
    const int code = aclrtSynchronizeStream(stream);
    std::printf("fault: %d %s\n", code, aclGetRecentErrMsg());
    return 0;
}
"""
)


@pytest.mark.requirement("cpp-18", "cpp-20")
def test_a_refused_launch_is_the_threads_last_error_and_a_fault_comes_with_the_next_synchronise(build_text: Build, run: Run) -> None:
    said = run(build_text(REFUSALS)).stdout
    lines = {line.partition(": ")[0]: line.partition(": ")[2] for line in said.split("\n") if ": " in line}

    def refused(what: str, code: int, launch: str) -> str:
        """The words behind the place of the launch."""
        line = 1 + REFUSALS[: REFUSALS.index(launch)].count("\n")
        assert lines[what].startswith(f"{code} {code}: writes<<<>>> at /"), lines[what]
        return lines[what].partition(f"/program.asc:{line}: ")[2]

    assert "no context" in refused("no device", 107002, "writes<<<1, nullptr, stream")
    assert "no context" in refused("constructor", 107002, "writes<<<1>>>")
    assert refused("0 blocks", 107000, "writes<<<0") == "num_blocks is 0; it takes 1 to 65535"
    assert refused("65536 blocks", 107000, "writes<<<65536") == "num_blocks is 65536; it takes 1 to 65535"
    assert refused("-1 blocks", 107000, "writes<<<-1").startswith("num_blocks is 4294967295;")
    assert refused("bad stream", 107017, "writes<<<1, nullptr, (void*)")
    assert lines["a call"] == "107000 107000: writes: a kernel was called like a function; launch it with <<<blocks, nullptr, stream>>>"
    assert lines["no kernel"].startswith("107000 107000: <<<>>> at /")
    assert lines["no kernel"].endswith(": what stands before <<< is not a kernel; mark it __global__")
    assert lines["65535 blocks"] == "0 -"
    assert lines["synchronise"] == "0"
    assert lines["a launch"] == "0 -"
    assert lines["fault"].startswith("507035 507035: ")
    assert "of_type<int>" in said
    assert "gm.SetValue(at, 1);" in said
    assert "   of_type<int><<<1, nullptr, stream>>>(nullptr);" in said


LIBRARY = (
    PRELUDE
    + """
namespace library { __global__ __aicore__ void add(GM_ADDR x, int n) { reinterpret_cast<__gm__ int*>(x)[0] += n; } }
template <typename T> __global__ __aicore__ void shared_instance(GM_ADDR x) { reinterpret_cast<__gm__ T*>(x)[0] += NUMBER; }
extern "C" void CALL(uint8_t* x, void* stream) {
    library::add<<<1, nullptr, stream>>>(x, NUMBER);
    shared_instance<int><<<1, nullptr, stream>>>(x);
}
"""
)
USER = """#include "acl/acl.h"
#include <cstdio>
#include <dlfcn.h>
extern "C" void from_static(uint8_t*, void*);
extern "C" void from_shared(uint8_t*, void*);
int main() {
    int value = 0;
    uint8_t* x = nullptr;
    if (aclInit(nullptr) || aclrtSetDevice(0) || aclrtMalloc((void**)&x, 64, ACL_MEM_MALLOC_HUGE_FIRST)) return 1;
    if (aclrtMemset(x, 64, 0, 64)) return 3;
    from_static(x, nullptr);
    from_shared(x, nullptr);
    for (int i = 0; i < 2; ++i) { // a library with kernels may be closed and opened again
        void* opened = dlopen(OPENED, RTLD_NOW);
        auto call = reinterpret_cast<void (*)(uint8_t*, void*)>(dlsym(opened, "from_opened"));
        call(x, nullptr);
        if (aclrtSynchronizeDevice() || dlclose(opened)) return 4;
    }
    if (dlopen(OPENED, RTLD_NOW | RTLD_NOLOAD)) return 5;
    if (aclrtSynchronizeDevice() || aclrtMemcpy(&value, 4, x, 4, ACL_MEMCPY_DEVICE_TO_HOST)) return 2;
    std::printf("%d\\n", value);
}
"""


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """user.o, libstatic.a and libshared.so, both of which have kernels of the same names."""
    folder = tmp_path_factory.mktemp("libraries")
    (folder / "library.asc").write_text(LIBRARY)
    (folder / "user.cpp").write_text(USER)
    for kind, number in (("static", 1), ("shared", 100), ("opened", 10000)):
        options = HostOptions(defines=(("NUMBER", str(number)), ("CALL", f"from_{kind}")))
        compile_unit(folder / "library.asc", options, folder / f"{kind}.o")
    opened = f'"{folder / "libopened.so"}"'
    compile_unit(folder / "user.cpp", HostOptions(defines=(("OPENED", opened),)), folder / "user.o")
    subprocess.run([shutil.which("ar") or "ar", "rcs", "libstatic.a", "static.o"], cwd=folder, check=True)
    link_program([folder / "shared.o"], folder / "libshared.so", "shared")
    link_program([folder / "opened.o"], folder / "libopened.so", "shared")
    return folder


@pytest.mark.requirement("cpp-19")
def test_kernels_of_static_shared_and_opened_libraries_with_the_same_names_stay_apart(libraries: Path, run: Run) -> None:
    flags = [f"-L{libraries}", "-lstatic", "-lshared", f"-Wl,-rpath,{libraries}"]
    link_program([libraries / "user.o"], libraries / "program", "executable", flags)
    assert run(libraries / "program").stdout == "40202\n"


def test_a_function_that_nobody_defines_is_an_error_of_the_link(libraries: Path) -> None:
    with pytest.raises(CompileError, match="from_shared is used and nobody defines it"):
        link_program([libraries / "user.o", libraries / "static.o"], libraries / "missing", "executable")


def test_a_unit_is_compiled_once_and_again_when_a_header_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "n.h").write_text("#define N 1\n")
    source = tmp_path / "cached.asc"
    source.write_text(
        PRELUDE + '#include "n.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR x) { x[0] = N; }\nint main() { return N; }\n'
    )
    first = compile_unit(source, HostOptions(), tmp_path / "a.o")
    assert first.files == [tmp_path / "n.h"]
    assert first.kernels == ["k"]

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a compiler was started")

    with monkeypatch.context() as patched:
        patched.setattr(subprocess, "run", refuse)
        again = compile_unit(source, HostOptions(), tmp_path / "b.o")
    assert again.files == first.files
    assert (tmp_path / "a.o").read_bytes() == (tmp_path / "b.o").read_bytes()
    (tmp_path / "n.h").write_text("#define N 2\n")
    compile_unit(source, HostOptions(), tmp_path / "c.o")
    assert (tmp_path / "a.o").read_bytes() != (tmp_path / "c.o").read_bytes()
