# SPDX-License-Identifier: Apache-2.0
"""`aclimb coverage`: which names of Ascend C sources use, and what is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aclimb import cli
from aclimb.compile import api_names, coverage, headers
from aclimb.compile.product_branches import of_this_product
from aclimb.errors import SourceNotFound

pytestmark = pytest.mark.usefixtures("real_headers")
KERNEL = '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void f(GM_ADDR x) {{ AscendC::TPipe pipe; {} }}\n'


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Names that no later work makes supported: of other products, or in no list."""
    folder = tmp_path / "sources"
    (folder / "inner").mkdir(parents=True)
    for name, body in {
        "whole.cpp": "AscendC::PipeBarrier<PIPE_ALL>();",
        "alone.asc": "AscendC::Scatter(a, b, c, 0, 8);",
        "inner/alone_too.cpp": "Scatter(a, b, c, 0, 8); // Interleave is only a word here",
        "both.cpp": 'AscendC::Mutex m; m.Lock(0); AscendC::Scatter(a); const char* t = "RpSort16";',
        "misspelt.cpp": "AscendC::PipeBarier<PIPE_ALL>();",
    }.items():
        (folder / name).write_text(KERNEL.format(body))
    (folder / "own.h").write_text("template <typename T> __aicore__ inline void Scatter(const T& a) { a.Lock(); }\n#define Nop(x)\n")
    (folder / "uses_own.cpp").write_text('#include "own.h"\n' + KERNEL.format("Scatter(pipe); Nop(1); GetSpr(1);"))
    (folder / "host.cpp").write_text("#include <vector>\nint main() { return Scatter(1); }\n")
    (folder / "notes.txt").write_text("AscendC::Scatter")
    return folder


def by_name(found: coverage.Coverage) -> dict[str, coverage.FileCoverage]:
    return {each.path.name: each for each in found.files}


def test_each_file_has_its_supported_and_its_missing_names(sources: Path) -> None:
    found = by_name(coverage.scan([sources]))
    assert sorted(found) == ["alone.asc", "alone_too.cpp", "both.cpp", "misspelt.cpp", "own.h", "uses_own.cpp", "whole.cpp"]
    assert found["whole.cpp"].is_covered
    assert {"PipeBarrier", "PIPE_ALL", "TPipe", "GM_ADDR", "__global__"} <= set(found["whole.cpp"].supported)
    assert [each.name for each in found["alone.asc"].missing] == ["Scatter"]
    assert [each.name for each in found["alone_too.cpp"].missing] == ["Scatter"]
    assert [each.name for each in found["both.cpp"].missing] == ["Lock", "Mutex", "Scatter"]
    assert found["misspelt.cpp"].unknown == ("PipeBarier",)
    assert not found["misspelt.cpp"].is_covered


def test_names_that_the_sources_define_are_theirs(sources: Path) -> None:
    found = by_name(coverage.scan([sources]))
    assert found["own.h"].is_covered  # and Lock, after a dot, belongs to nothing here
    assert [each.name for each in found["uses_own.cpp"].missing] == ["GetSpr"]


def test_what_an_included_header_lacks_blocks_the_file_too(sources: Path) -> None:
    (sources / "inner" / "lacking.h").write_text("__aicore__ inline void g() { AscendC::RpSort16(a); }\n")
    (sources / "whole.cpp").write_text('#include "inner/lacking.h"\n' + KERNEL.format("g();"))
    found = by_name(coverage.scan([sources]))
    assert [each.name for each in found["whole.cpp"].missing] == ["RpSort16"]
    assert "TPipe" not in found["lacking.h"].supported


def test_what_alone_blocks_most_files_comes_first(sources: Path) -> None:
    rows = coverage.scan([sources]).blockers()
    assert [(row.part, row.files, row.alone) for row in rows] == [
        ("Scatter", 3, 2),
        ("PipeBarier", 1, 1),
        ("registers of later products", 1, 1),
        ("buffer locks of later products", 1, 0),
    ]
    assert [row.is_elsewhere for row in rows] == [True, False, True, True]


def test_branches_of_other_products_do_not_count(sources: Path) -> None:
    path = sources / "whole.cpp"
    path.write_text(
        "#if __NPU_ARCH__ == 3510\nAscendC::Scatter(a);\n#elif defined(__NPU_ARCH__) && (__NPU_ARCH__ == 2201)\nAscendC::Add(a);\n"
        "#else\nAscendC::RpSort16(a);\n#endif\n#ifdef ASCENDC_CPU_DEBUG\nAscendC::Interleave(a);\n#endif\n"
        "#if MINE\nAscendC::Mutex a;\n#endif\n"
    )
    (found,) = coverage.scan([path]).files
    assert [each.name for each in found.missing] == ["Mutex"]
    assert "Add" in found.supported


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("#ifndef __CCE_AICORE__\na\n#else\nb\n#endif", "b"),
        ("#if !defined(ASCENDC_CPU_DEBUG)\na\n#else\nb\n#endif", "a"),
        ("#if MINE > 3\na\n#elif __NPU_ARCH__ >= 3510\nb\n#else\nc\n#endif", "ac"),
        ("#if __CCE_AICORE__ == 220 || MINE\na\n#else\nb\n#endif", "ab"),
        ("#if __NPU_ARCH__ == 2201\n#if MINE\na\n#endif\nb\n#else\n#if 1\nc\n#endif\nd\n#endif\ne", "abe"),
        ("#if __NPU_ARCH__ == \na\n#endif", "a"),
        ("#endif\na\n#else\nb", "ab"),
    ],
)
def test_a_branch_is_left_out_when_the_product_alone_decides(text: str, kept: str) -> None:
    plain = of_this_product(text).split("\n")
    assert "".join(line for line in plain if not line.startswith("#")) == kept
    assert len(plain) == len(text.split("\n"))


def test_conditions_that_something_else_decides_stay() -> None:
    text = "#if ORIG_DTYPE_X == DT_FLOAT\na\n#elif __NPU_ARCH__ == 2201\nb\n#endif\n#ifdef __CCE_KT_TEST__\n#if MINE\nc\n#endif\n#endif"
    assert [line for line in of_this_product(text).split("\n") if line] == ["#if ORIG_DTYPE_X == DT_FLOAT", "a", "b"]


def run(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    cli.app(["coverage", *map(str, words)], standalone_mode=False)
    return capsys.readouterr().out


def test_the_command_prints_short_tables(sources: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    lines = [" ".join(line.split()) for line in run(capsys, sources).splitlines()]
    assert lines[0] == f"{sources}: 7 files with Ascend C, 2 with every name supported"
    assert lines[2:4] == ["missing files alone instead", "Scatter 3 2 not on A2 and A3: SetValue in a loop"]
    assert "buffer locks of later products: Mutex, Lock 1 0 not on A2 and A3: SetFlag and WaitFlag, or TQue" in lines
    start = lines.index("file has of missing")
    assert [line.split()[0] for line in lines[start + 1 :]] == [
        "alone.asc", "both.cpp", "inner/alone_too.cpp", "misspelt.cpp", "own.h", "uses_own.cpp", "whole.cpp"]  # fmt: skip
    assert lines[start + 2].endswith("Lock, Mutex, Scatter")


def test_build_tries_every_file_with_a_kernel(sources: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    found = json.loads(run(capsys, sources / "whole.cpp", sources / "alone.asc", sources / "own.h", "--build", "--json"))
    assert (found["files"], found["covered"]) == (3, 2)
    rows = {Path(row["file"]).name: row for row in found["perFile"]}
    assert rows["whole.cpp"]["builds"] is True
    assert rows["alone.asc"]["builds"] is False
    assert rows["alone.asc"]["error"].startswith("alone.asc:2: ")
    assert rows["alone.asc"]["missing"] == [{"name": "Scatter", "reason": "not on A2 and A3", "nearest": "SetValue in a loop"}]
    assert "builds" not in rows["own.h"]
    assert found["blockers"][0]["part"] == "Scatter"
    out = run(capsys, sources / "whole.cpp", sources / "alone.asc", "--build")
    assert "1 of 2 files with a kernel build" in out


def test_nothing_to_look_at_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match=r"nope does not exist; give a folder of Ascend C sources, or files$"):
        coverage.scan([tmp_path / "nope"])
    with pytest.raises(SourceNotFound, match=r"has no source; looked for \.cpp, \.cc, \.cxx, \.asc, \.cce, \.h, \.hpp$"):
        coverage.scan([tmp_path])


def test_headers_win_over_the_lists() -> None:
    folder = headers.include_dir()
    assert not api_names.supported(folder) & set(api_names.missing(folder))
    for name in ("Add", "LocalTensor", "GetSysWorkSpacePtr", "KERNEL_LOG", "DT_BF16", "CAST_RINT", "likely", "WholeReduceMax", "set_flag"):
        assert name in api_names.supported(folder), name
    for name in ("Scatter", "Mutex", "no_such_name", "vector_call", "Place"):
        assert name not in api_names.supported(folder), name


def test_what_is_declared_of_other_products_is_missing_where_it_is_used(tmp_path: Path) -> None:
    (tmp_path / "v2.cpp").write_text(KERNEL.format("AscendC::LoadData2DParamsV2 p; AscendC::LoadData(a, b, p);"))
    (tmp_path / "v1.cpp").write_text(KERNEL.format("AscendC::LoadData2DParams p; AscendC::LoadData(a, b, p);"))
    found = by_name(coverage.scan([tmp_path]))
    assert [(each.name, each.reason) for each in found["v2.cpp"].missing] == [("LoadData2DParamsV2", "not on A2 and A3")]
    assert found["v1.cpp"].is_covered
