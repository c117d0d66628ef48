# SPDX-License-Identifier: Apache-2.0
"""The driver's command line: what the words ask for, and the sentences of what is refused."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclimb.errors import InvalidArgument
from aclimb.host.command_line import Command, parse
from aclimb.host.driver_options import Kind, find, options


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("a.asc", "b.cpp", "c.c", "d.o", "e.txt"):
        (tmp_path / name).write_text("")
    (tmp_path / "itself").write_text("-c @itself")
    (tmp_path / "open").write_text("-DX='a")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def languages(command: Command) -> list[tuple[str, str]]:
    return [(source.path.name, source.language) for source in command.sources]


def test_suffixes_say_the_language(sources: Path) -> None:
    command = parse(["a.asc", "b.cpp", "c.c", "d.o", "-o", "demo"])
    assert languages(command) == [("a.asc", "asc"), ("b.cpp", "c++"), ("c.c", "c")]
    assert command.objects == ["d.o"]
    assert command.output == Path("demo")


@pytest.mark.parametrize("words", [["-x", "asc", "b.cpp"], ["-xcce", "b.cpp"], ["b.cpp", "--asc-aicore-lang"]])
def test_a_language_holds_whatever_the_suffix(sources: Path, words: list[str]) -> None:
    assert languages(parse(words)) == [("b.cpp", "asc")]


def test_a_language_holds_for_the_sources_behind_it(sources: Path) -> None:
    command = parse(["b.cpp", "-x", "asc", "b.cpp", "-x", "none", "c.c"])
    assert languages(command) == [("b.cpp", "c++"), ("b.cpp", "asc"), ("c.c", "c")]


def test_options_go_to_host_device_or_linker(sources: Path) -> None:
    command = parse(
        ["-DN=8", "-D", "M", "-Ifolder", "-O2", "-Wall", "-fPIC", "-Lfolder", "-l", "m", "-Wl,-rpath,x", "a.asc",
         "-Xhost-start", "-Wextra", "-Xhost-end", "-Xaicore-start", "-DDEVICE", "-Xaicore-end"]
    )  # fmt: skip
    assert command.both == ["-DN=8", "-D", "M", "-Ifolder", "-O2"]
    assert command.host == ["-Wall", "-fPIC", "-Wextra"]
    assert command.device == ["-DDEVICE"]
    assert command.link == ["-Lfolder", "-l", "m", "-Wl,-rpath,x"]


def test_the_vendors_own_options_have_no_effect(sources: Path) -> None:
    command = parse(["-mllvm", "-cce-aicore-stack-size=0x8000", "--cce-mask-opt", "--cce-auto-sync=on", "--npu-arch=dav-2201", "a.asc"])
    assert (command.both, command.host, command.link, command.notes) == ([], [], [], [])
    assert command.values == {"--npu-arch": "dav-2201", "--cce-auto-sync": "on"}


@pytest.mark.requirement("cpp-41")
def test_an_unknown_option_of_the_vendor_is_noted_and_another_is_refused(sources: Path) -> None:
    assert parse(["--cce-brand-new=3", "a.asc"]).notes == ["--cce-brand-new=3 is not known here and has no effect"]
    with pytest.raises(InvalidArgument, match=r"^--brand-new is not an option; --help lists those that are known$"):
        parse(["--brand-new", "a.asc"])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--enable-simt"], "--enable-simt is not supported: SIMT kernels exist on Ascend 950 only, which aclimb does not model"),
        (
            ["--cce-host-only", "--cce-aicore-only"],
            "--cce-aicore-only and --cce-host-only exclude each other; leave both out for host and device code",
        ),
        (
            ["--cce-pto-auto-enable"],
            "--cce-pto-auto-enable is not supported: the vendor's compiler would allocate buffers and insert flags; aclimb inserts none",
        ),
        (["-Xhost-start", "-Wall"], "-Xhost-start has no -Xhost-end behind it"),
        (["a.asc", "-o", "a.asc"], "-o a.asc is also a source; give the output another name"),
        (["k.bc"], "k.bc is no source: aclimb has no bitcode of kernels; give the C++ that it was made of"),
        (["--cce-auto-sync=maybe"], "--cce-auto-sync=maybe: it takes on or off"),
        (["-x", "asc", "-"], "- stands for standard input, and sources with kernels are read from files only"),
        (["@itself"], "@itself names itself, or a file that names it; a file of options cannot"),
        (["@open"], "@open cannot be read as options: No closing quotation"),
        (["--npu-arch=dav-3510"], "--npu-arch=dav-3510 (Ascend 950) is not modelled; aclimb builds for dav-2201, which is Atlas A2 and A3"),
        (["--npu-arch=dav-9999"], "--npu-arch=dav-9999 is not modelled; aclimb builds for dav-2201, which is Atlas A2 and A3"),
        (["--run-mode=fast"], "--run-mode=fast: it takes npu, cpu or sim, which are the same here"),
        (["-x", "fortran"], "-x fortran: it takes asc, cce, c++, c or none"),
        (["-mllvm"], "-mllvm stands at the end; it takes another word"),
        (["e.txt"], "e.txt: the suffix says neither a source nor an object; put -x asc, -x c++ or -x c before it"),
        (["gone.asc"], "gone.asc does not exist"),
    ],
)
def test_what_is_refused_says_why(sources: Path, words: list[str], sentence: str) -> None:
    with pytest.raises(InvalidArgument) as error:
        parse(words)
    assert str(error.value) == sentence


def test_words_may_come_from_a_file(sources: Path) -> None:
    (sources / "words").write_text('-DTEXT="a b" a.asc\n-c')
    command = parse(["@words"])
    assert command.both == ["-DTEXT=a b"]
    assert command.has("-c")


def test_every_row_is_found_by_its_own_spelling() -> None:
    for option in options():
        word = option.spelling.replace("*", "x").split(" ")[0].split("[")[0]
        assert find(word) is option, word
        assert option.kind in (Kind.quiet,) or option.sentence, word


@given(st.lists(st.sampled_from(["-c", "-O2", "-x", "asc", "-o", "out", "-I", "-D", "--cce-x", "-Wl,x", "-", "@", "-Xhost-start", "a b"])))
def test_any_order_of_words_is_parsed_or_refused_with_a_sentence(words: list[str]) -> None:
    with contextlib.suppress(InvalidArgument):
        parse(words)
