# SPDX-License-Identifier: Apache-2.0
"""The cache: a second build starts no compiler, sees changed headers, and many builders of one source share one
compilation."""

from __future__ import annotations

import errno
import logging
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from aclimb.binary import KernelBinary
from aclimb.compile import Program, cache, open_cache, precompiled, toolchain
from aclimb.compile.cache import Cache
from aclimb.compile.one_source import OneSource
from aclimb.errors import CompileError
from aclimb.host import programs

KERNEL = 'extern "C" __global__ __aicore__ void f(GM_ADDR x) { x[0] = 1; }\n'
Write = Callable[..., Path]


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "fresh-cache"
    monkeypatch.setenv("ACLIMB_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One entry for each compiler started."""
    started: list[str] = []
    original = OneSource.call

    def counted(self: OneSource, command: list[str]) -> subprocess.CompletedProcess[str]:
        started.append(command[-1])
        return original(self, command)

    monkeypatch.setattr(OneSource, "call", counted)
    return started


def test_a_second_build_starts_no_compiler_and_gives_the_same_binary(fresh: Path, runs: list[str], write: Write) -> None:
    source = write(KERNEL)
    first = Program(source).compile()
    before = len(runs)
    assert before > 0
    assert Program(source).compile() == first
    assert len(runs) == before


def test_a_changed_user_header_is_seen_and_the_old_one_is_still_known(fresh: Path, runs: list[str], write: Write, tmp_path: Path) -> None:
    source = write('#include "part.h"\n' + KERNEL)
    header = tmp_path / "part.h"
    names = []
    for text in ("int unused;\n", 'extern "C" __global__ __aicore__ void g(GM_ADDR x) {}\n', "int unused;\n"):
        header.write_text(text)
        runs.clear()
        names.append((Program(source).compile().kernel_names, bool(runs)))
    assert names == [(("f",), True), (("g", "f"), True), (("f",), False)]


@pytest.mark.parametrize("change", [{"defines": ["A=1"]}, {"opt_level": 3}, {"soc": "Ascend910B1"}, {"name": "other"}])
def test_every_option_is_part_of_the_key(change: dict[str, object], write: Write) -> None:
    source, tools = write(KERNEL), toolchain.find()
    assert Program(source)._key(source, tools) != Program(source, **change)._key(source, tools)  # type: ignore[arg-type]


def test_compiler_and_device_headers_are_part_of_the_key(write: Write, small_include: Path) -> None:
    source, tools = write(KERNEL), toolchain.find()
    key = Program(source)._key(source, tools)
    assert Program(source)._key(source, toolchain.Toolchain(tools.kind, tools.path, "another version")) != key
    marker = small_include / "aclimb" / "marker.h"
    marker.write_text("// changed\n")
    try:
        assert Program(source)._key(source, tools) != key
    finally:
        marker.unlink()
    assert Program(source)._key(source, tools) == key


def test_a_damaged_object_in_the_cache_is_built_again(fresh: Path, runs: list[str], write: Write) -> None:
    source = write(KERNEL)
    first = Program(source).compile()
    (stored,) = (fresh / "objects").iterdir()
    stored.write_bytes(stored.read_bytes()[:-100])
    runs.clear()
    assert Program(source).compile() == first
    assert runs


def test_a_damaged_manifest_is_built_again(fresh: Path, write: Write) -> None:
    source = write(KERNEL)
    first = Program(source).compile()
    (manifest,) = (fresh / "manifests").iterdir()
    manifest.write_text("[{")
    assert Program(source).compile() == first


def test_threads_that_build_the_same_source_compile_it_once(fresh: Path, runs: list[str], write: Write) -> None:
    source = write(KERNEL)
    results: list[KernelBinary] = []
    threads = [threading.Thread(target=lambda: results.append(Program(source).compile())) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 6
    assert all(result == results[0] for result in results)
    assert sum(command.endswith(".o") for command in runs) == 1


def test_processes_that_build_the_same_source_agree(fresh: Path, write: Write, small_include: Path) -> None:
    source = write(KERNEL)
    script = textwrap.dedent(f"""
        from pathlib import Path
        from aclimb.compile import Program, headers
        headers.include_dir = lambda: Path({str(small_include)!r})
        print(Program({str(source)!r}).compile().sha256)
    """)
    children = [subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env={**os.environ}) for _ in range(3)]
    answers = [child.communicate()[0] for child in children]
    assert [child.returncode for child in children] == [0, 0, 0]
    assert len(set(answers)) == 1
    assert len(list((fresh / "objects").iterdir())) == 1


def test_the_least_recently_used_leave_above_the_limit(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACLIMB_CACHE_SIZE", "3500")
    kept = Cache(fresh)
    for age, name in enumerate(["new", "middle", "old"]):
        kept.keep(name, [], bytes([age]) * 1000)
        path = max((fresh / "objects").iterdir(), key=lambda p: p.stat().st_mtime)
        os.utime(path, (1_000_000 - age * 100, 1_000_000 - age * 100))
        os.utime(fresh / "manifests" / f"{name}.json", (2_000_000_000, 2_000_000_000))
    assert kept.find("old") is not None  # a hit makes it the most recent
    kept.keep("fourth", [], b"x" * 1000)
    assert [kept.find(name) is not None for name in ("new", "middle", "old", "fourth")] == [True, False, True, True]


def test_an_unwritable_folder_means_a_temporary_one_and_one_warning(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where the folder should be")
    monkeypatch.setenv("ACLIMB_CACHE_DIR", str(blocked))
    monkeypatch.setattr(cache, "_replacements", {})
    source = write(KERNEL)
    with caplog.at_level(logging.WARNING, logger="aclimb.compile"):
        first, second = Program(source).compile(), Program(source).compile()
    assert first == second
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert str(blocked) in caplog.text
    assert "Remove it, or set ACLIMB_CACHE_DIR to a folder that only you can write" in caplog.text


@pytest.mark.parametrize("which", [".", "objects", "manifests", "pch", "sources"])
def test_a_folder_that_others_can_write_is_not_trusted(
    which: str, fresh: Path, write: Write, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(cache, "_replacements", {})
    assert open_cache().folder == fresh  # the good twin: made by ourselves, for ourselves
    (fresh / which).chmod(0o777)
    with caplog.at_level(logging.WARNING, logger="aclimb.compile"):
        used = open_cache()
    assert used.is_temporary
    assert used.folder != fresh
    assert f"{(fresh / which)} can be written by others (mode 777), who could run code as you" in caplog.text
    (fresh / which).chmod(0o700)


def test_a_folder_of_another_user_is_not_trusted(fresh: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(cache, "_replacements", {})
    assert open_cache().folder == fresh
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with caplog.at_level(logging.WARNING, logger="aclimb.compile"):
        assert open_cache().is_temporary
    assert f"{fresh} belongs to user {os.getuid()}, who could run code as you" in caplog.text


def test_a_text_is_compiled_even_where_its_file_in_the_cache_was_edited(fresh: Path, runs: list[str]) -> None:
    text = '#include "kernel_operator.h"\n' + KERNEL
    first = Program(text).compile()
    (kept,) = fresh.glob("sources/*/kernel.cpp")
    kept.write_text(text.replace("void f(", "void evil("))
    started = len(runs)
    assert Program(text).compile() == first
    assert len(runs) == started  # and it is still the same build
    assert kept.read_text() == text
    assert Program(text, opt_level=2).compile().kernel_names == ("f",)


def test_a_full_disk_costs_the_cache_and_not_the_build(
    fresh: Path, write: Write, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(cache, "_replacements", {})
    original = cache.replace_file

    def full(path: Path, data: bytes) -> None:
        if path.is_relative_to(fresh):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        original(path, data)

    monkeypatch.setattr(cache, "replace_file", full)
    with caplog.at_level(logging.WARNING, logger="aclimb.compile"):
        assert Program('#include "kernel_operator.h"\n' + KERNEL).compile().kernel_names == ("f",)
    assert f"cache folder {fresh} cannot be used (No space left on device)" in caplog.text


def test_without_any_room_the_error_says_which_folders_need_it(fresh: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write(KERNEL)

    def full(self: Path, data: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", full)
        with pytest.raises(
            CompileError, match=r"kernel.cpp cannot be built: No space left on device; free some space, or set ACLIMB_CACHE_DIR"
        ):
            Program(source).compile()
    assert Program(source).compile().kernel_names == ("f",)


def test_a_temporary_cache_is_gone_with_its_process(tmp_path: Path, write: Write, small_include: Path) -> None:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "file").write_text("a file where the folder should be")
    script = f"""
        import pathlib
        from aclimb.compile import Program, headers
        headers.include_dir = lambda: pathlib.Path({str(small_include)!r})
        names = Program({str(write(KERNEL))!r}).compile().kernel_names
        print(names, len(list(pathlib.Path({str(tmp_path / "tmp")!r}).glob("aclimb-cache-*"))))
    """
    environment = {**os.environ, "ACLIMB_CACHE_DIR": str(tmp_path / "file"), "TMPDIR": str(tmp_path / "tmp")}
    answer = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], env=environment, capture_output=True, text=True)
    assert answer.stdout == "('f',) 1\n", answer.stderr
    assert list((tmp_path / "tmp").iterdir()) == []


def test_info_counts_and_clear_empties(fresh: Path, write: Write) -> None:
    Program(write(KERNEL)).compile()
    precompiled.wait_for_background()
    info = open_cache().info()
    assert (info.folder, info.objects, info.limit_bytes) == (fresh, 1, 2**30)
    assert info.size_bytes > 1000
    assert open_cache().clear() == info.size_bytes
    assert open_cache().info().objects == 0


def test_programs_built_for_a_run_are_counted_and_leave(fresh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "p.cpp"
    source.write_text("int main() { return 0; }\n")
    program = programs.executable_of(source)
    assert program.is_file()
    assert open_cache().info().size_bytes > program.stat().st_size
    monkeypatch.setenv("ACLIMB_CACHE_SIZE", "1")
    open_cache().trim()
    assert not program.exists()


def test_the_whole_cache_is_looked_at_seldom_and_when_much_has_come(fresh: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Path] = []
    trim = Cache.trim

    def counted(self: Cache) -> None:
        looks.append(self.folder)
        trim(self)

    monkeypatch.setattr(Cache, "trim", counted)

    def build(number: int) -> None:
        Program(write(KERNEL.replace("= 1", f"= {number}"))).compile()

    for number in (1, 2, 3):
        build(number)
    assert looks == [fresh]
    os.utime(fresh / "trimmed", (0, 0))  # long ago
    build(4)
    assert looks == [fresh] * 2
    monkeypatch.setenv("ACLIMB_CACHE_SIZE", "64K")  # a 64th of it is less than a kernel
    build(5)
    assert looks == [fresh] * 3
    assert open_cache().info().size_bytes <= 64 * 1024


def test_gcc_uses_the_precompiled_header_from_the_second_build_on(fresh: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    if toolchain.find().kind != "gcc":
        pytest.skip("only g++ uses a precompiled header")
    outputs: list[str] = []
    original = OneSource.call

    def kept(self: OneSource, command: list[str]) -> subprocess.CompletedProcess[str]:
        answer = original(self, command)
        outputs.append(answer.stdout)
        return answer

    monkeypatch.setattr(OneSource, "call", kept)
    first = Program(write(KERNEL)).compile()
    assert "pch_preprocess" not in outputs[0]
    precompiled.wait_for_background()
    outputs.clear()
    second = Program(write(KERNEL), defines={"UNRELATED": 1}).compile()
    assert "pch_preprocess" in outputs[0]
    assert second.images == first.images


def test_a_precompiled_header_is_built_by_one_and_an_old_mark_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "pch").mkdir()
    header = precompiled.PrecompiledHeader(tmp_path, ["g++"], [], "identity", tmp_path / "kernel_operator.h")
    header.include_flags()
    assert [header._claim(), header._claim()] == [True, False]
    os.utime(header.mark, (0, 0))
    assert header._claim()
