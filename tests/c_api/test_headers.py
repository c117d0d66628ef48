# SPDX-License-Identifier: Apache-2.0
"""The headers compile in every standard without a warning, and have the published types and values."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from native import FOLDERS, INCLUDE, PROTOTYPES, check
from values import static_asserts

HEADERS = sorted(str(path.relative_to(INCLUDE)) for folder in (*FOLDERS, "profiling") for path in (INCLUDE / folder).rglob("*.h"))
HERE = Path(__file__).parent


@pytest.mark.requirement("cpp-1")
def test_every_header_is_there() -> None:
    wanted = "acl acl_base acl_base_rt acl_base_mdl acl_rt acl_rt_api acl_rt_allocator acl_rt_memory_soma acl_op acl_mdl acl_prof acl_dump "
    wanted += "acl_tdt acl_tdt_queue acl_platform error_codes/rt_error_codes error_codes/ge_error_codes"
    assert {f"acl/{name}.h" for name in wanted.split()} | {"aclnn/acl_meta.h", "aclnn/aclnn_base.h"} <= set(HEADERS)
    assert {f"runtime/{name}.h" for name in ("rt", "rt_ffts", "base", "kernel", "mem", "stream", "dev")} <= set(HEADERS)
    assert {f"profiling/{name}.h" for name in ("prof_api", "prof_common", "aprof_pub")} <= set(HEADERS)


@pytest.mark.requirement("cpp-1")
@pytest.mark.parametrize("standard", ["c99", "c++11", "c++20"])
def test_each_header_alone_compiles_without_a_warning(tmp_path: Path, standard: str) -> None:
    sources = [tmp_path / f"{header.replace('/', '_')}.c" for header in HEADERS]
    for source, header in zip(sources, HEADERS, strict=True):
        source.write_text(f'#include "{header}"\n#include "{header}"\nextern int used;\n')
    assert check(standard, *sources, options=["-pedantic"]) == ""


@pytest.mark.requirement("cpp-1")
@pytest.mark.parametrize("standard", ["c11", "c++14", "c++17", "gnu++20"])
@pytest.mark.parametrize("abi", [0, 1])
def test_all_headers_together_compile_in_every_standard(tmp_path: Path, standard: str, abi: int) -> None:
    source = tmp_path / "together.c"
    source.write_text("".join(f'#include "{header}"\n' for header in reversed(HEADERS)) + "int used;\n")
    assert check(standard, source, options=[f"-D_GLIBCXX_USE_CXX11_ABI={abi}"]) == ""


@pytest.mark.requirement("cpp-1")
def test_a_deprecated_function_gives_no_warning(tmp_path: Path) -> None:
    source = tmp_path / "old.cpp"
    source.write_text('#include "acl/acl.h"\nint main() { int32_t a, b, c; ACL_APP_LOG(ACL_INFO, "x"); ACL_APP_LOG(ACL_INFO, "%d", 1);\n'
                      "return aclrtGetVersion(&a, &b, &c) + aclrtQueryEvent(nullptr, nullptr); }\n")  # fmt: skip
    assert check("c++17", source, options=["-pedantic"]) == ""


@pytest.mark.requirement("cpp-2")
def test_values_sizes_and_offsets_are_the_published_ones(tmp_path: Path) -> None:
    source = tmp_path / "values.cpp"
    includes = '#include <type_traits>\n#include "acl/acl.h"\n#include "acl/acl_rt_memory_soma.h"\n#include "aclnn/acl_meta.h"\n'
    includes += '#include "runtime/rt.h"\n#include "profiling/prof_api.h"\n'
    source.write_text(includes + "\n".join(static_asserts()) + "\n")
    assert check("c++11", source) == ""


@pytest.mark.requirement("cpp-2")
@pytest.mark.parametrize("standard", ["c99", "c++11"])
def test_prototypes_are_the_published_ones(tmp_path: Path, standard: str) -> None:
    """A second declaration of a C function has to agree with the first."""
    source = tmp_path / "prototypes.c"
    text = (HERE / "prototypes.h").read_text()
    headers = ("acl/acl.h", "aclnn/aclnn_base.h", "runtime/rt.h", "profiling/prof_api.h")
    includes = "".join(f'#include "{header}"\n' for header in headers)
    source.write_text(f'{includes}#ifdef __cplusplus\nextern "C" {{\n#endif\n{text}\n#ifdef __cplusplus\n}}\n#endif\n')
    assert check(standard, source) == ""
    assert set(re.findall(r"\b((?:[aA]cl|rt)\w+)\(", text)) <= set(PROTOTYPES)


@pytest.mark.requirement("cpp-2")
def test_a_prototype_that_differs_would_be_found(tmp_path: Path) -> None:
    source = tmp_path / "wrong.c"
    source.write_text('#include "acl/acl.h"\naclError aclrtSetDevice(int64_t device);\n')
    assert "aclrtSetDevice" in check("c99", source)


@pytest.mark.requirement("cpp-1")
def test_overloads_take_pointers_of_any_type(tmp_path: Path) -> None:
    source = tmp_path / "overloads.cpp"
    source.write_text("""#include "acl/acl_rt_api.h"
struct Tiling { int n; };
Tiling table;
int main() {
    float* x = nullptr; Tiling* t = nullptr; aclrtStream stream = nullptr; aclrtEvent event = nullptr; uint64_t actual; size_t size;
    aclrtPtrAttributes attributes; void* address;
    return aclrtMalloc(&x, 64) + aclrtMalloc(&t, 64, ACL_MEM_MALLOC_HUGE_ONLY) + aclrtMallocHost(&t, 64) +
           aclrtCreateStream(&stream, 0, 0) + aclrtMemcpy(x, 64, t, 64, ACL_MEMCPY_DEVICE_TO_HOST) +
           aclrtMemcpyAsync(x, 64, t, 64, ACL_MEMCPY_DEFAULT, stream) +
           aclrtCreateEvent(&event, ACL_EVENT_SYNC) + aclrtSynchronizeStream(stream, 5) + aclrtSynchronizeEvent(event, 5) +
           aclrtSynchronizeDevice(5) + aclrtStreamWaitEvent(stream, event, 5) + aclrtSetOpExecuteTimeOut(5, &actual) +
           aclrtPointerGetAttributes(x, &attributes) + aclrtHostUnregister(t) + aclrtGetSymbolAddress(table, &address) +
           aclrtGetSymbolSize(table, &size) + aclrtMalloc(&address, 64, ACL_MEM_MALLOC_HUGE_FIRST);
}
""")
    for standard in ("c++11", "c++20"):
        assert check(standard, source) == ""


@pytest.mark.requirement("cpp-1")
def test_overloads_of_batches_and_managed_memory_are_not_ambiguous(tmp_path: Path) -> None:
    source = tmp_path / "batches.cpp"
    source.write_text("""#include "acl/acl_rt_api.h"
template <typename T, typename U> int copies(T** to, U** from, aclrtStream stream) {
    size_t sizes[1] = {64}, fail = 0, first[1] = {0};
    aclrtMemcpyBatchAttr attr = aclrtMemcpyBatchAttr();
    return aclrtMemcpyBatch(to, sizes, from, sizes, 1, attr) + aclrtMemcpyBatch(to, sizes, from, sizes, 1, &attr, first, 1, &fail) +
           aclrtMemcpyBatchAsync(to, sizes, from, sizes, 1, attr, stream) +
           aclrtMemcpyBatchAsync(to, sizes, from, sizes, 1, &attr, first, 1, stream) +
           aclrtMemcpyBatchAsync(to, sizes, from, sizes, 1, attr, &fail, stream) +
           aclrtMemcpyBatchAsync(to, sizes, from, sizes, 1, &attr, first, 1, &fail, stream);
}
int main() {
    float* x = nullptr;
    void* y = nullptr;
    const float* z = nullptr;
    aclrtStream stream = nullptr;
    size_t size = 64;
    aclrtMemManagedLocation location = aclrtMemManagedLocation();
    return copies(&x, &x, stream) + copies(&y, &y, stream) + aclrtMemAllocManaged(&x, 64) +
           aclrtMemcpy2d(x, 8, x, 8, 8, 8, ACL_MEMCPY_DEFAULT) +
           aclrtMemManagedPrefetchAsync(x, 64, location, 0, stream) + aclrtMemManagedPrefetchBatchAsync(&z, &size, 1, location, 0, stream) +
           aclrtHostRegister(x, 64, ACL_HOST_REGISTER_MAPPED, &x) + aclrtHostRegister(x, 64, 0u) + aclrtHostGetDevicePointer(x, &x, 0) +
           aclrtMemcpyToSymbol(location, x, 8, 0, ACL_MEMCPY_HOST_TO_DEVICE) +
           aclrtMemcpyFromSymbol(x, 8, location, 8, 0, ACL_MEMCPY_DEFAULT);
}
""")
    for standard in ("c++11", "c++20"):
        assert check(standard, source) == ""
