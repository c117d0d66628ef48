# SPDX-License-Identifier: Apache-2.0
"""Python lines everywhere: generated source, faults, hangs, compile errors, findings, timelines, notebooks, exports."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scalar_runs import compiled_from

import aclimb
import aclimb.asc as asc
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.errors import CompileError, Hang, InvalidArgument, OutOfBounds

FILE = Path(__file__).name
SIZE = 128


def line_of(text: str) -> int:
    """Where this file has that text first."""
    return next(i for i, line in enumerate(Path(__file__).read_text().splitlines(), 1) if text in line)


@asc.jit
def add_one(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    z_gm.set_global_buffer(z, n)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, SIZE)
    z_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, SIZE * 4, SIZE)
    for i in range(n // SIZE):
        if i > 0:
            asc.wait_flag(asc.HardEvent.V_MTE2, 0)
        asc.data_copy(x_local, x_gm[i * SIZE :], SIZE)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        if i > 0:
            asc.wait_flag(asc.HardEvent.MTE3_V, 0)
        asc.adds(z_local, x_local, 1.0, SIZE)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm[i * SIZE :], z_local, SIZE)
        if i < n // SIZE - 1:
            asc.set_flag(asc.HardEvent.V_MTE2, 0)
            asc.set_flag(asc.HardEvent.MTE3_V, 0)


def arrays(n: int = 512) -> tuple[Any, Any]:
    return np.arange(n, dtype=np.float32), np.zeros(n, np.float32)


@pytest.mark.requirement("py-3", "py-24")
def test_static_tensors_and_flags_of_the_users_own_are_emitted_one_to_one() -> None:
    x, z = arrays()
    add_one[1](x, z, 512)
    np.testing.assert_array_equal(z, x + 1)
    flags = re.findall(r"(\w+)Flag<HardEvent::(\w+)>\(0\)", add_one.source())
    assert flags == [("Wait", "V_MTE2"), ("Set", "MTE2_V"), ("Wait", "MTE2_V"), ("Wait", "MTE3_V"), ("Set", "V_MTE3"), ("Wait", "V_MTE3"),
                     ("Set", "V_MTE2"), ("Set", "MTE3_V")]  # fmt: skip
    assert add_one.source(x, z, 512, auto_sync=False) == add_one.source(x, z, 512)


@pytest.mark.requirement("py-23")
def test_the_source_is_the_same_every_time_and_builds_as_a_plain_file(tmp_path: Path) -> None:
    x, z = arrays()
    first = add_one.source(x, z, 512)
    add_one.cache_clear()
    assert add_one.source(x, z, 512) == first
    assert f"    // {FILE}:{line_of('asc.adds(z_local')}  asc.adds(z_local, x_local, 1.0, SIZE)\n        Adds(z_local" in first.replace(
        "\n    ", "\n", 0
    )
    plain = tmp_path / "add_one.cpp"
    plain.write_text(first)
    kernel, stream = Kernel(Program(plain).compile()), Stream()
    source, target = Buffer.from_array(x), Buffer(512, "float32")
    launch(stream, LaunchConfig(num_blocks=1), kernel, source, target, 512)
    np.testing.assert_array_equal(target.to_numpy(), x + 1)


@asc.jit
def too_far(x: asc.GlobalAddress, shift: int):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x, 4096)
    small = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 64)
    asc.data_copy(small, gm[shift:], count=64)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.add(dst=small[shift:], src0=small, src1=small, count=64)


@pytest.mark.requirement("py-18", "py-20")
def test_a_fault_quotes_the_python_line_and_names_the_python_expression() -> None:
    with pytest.raises(OutOfBounds) as caught:
        too_far[1](np.zeros(128, np.float32), 64)
    line = line_of("asc.add(dst=small[shift:]")
    assert f"{FILE}:{line}   asc.add(dst=small[shift:], src0=small, src1=small, count=64)" in str(caught.value)
    assert "of small[shift:]" in str(caught.value)
    assert (Path(caught.value.file).name, caught.value.line) == (FILE, line)


@asc.jit
def waits(x: asc.GlobalAddress):
    asc.wait_flag(asc.HardEvent.MTE2_V, 3)


@pytest.mark.requirement("py-18")
def test_a_hang_names_the_python_line() -> None:
    with pytest.raises(Hang) as caught:
        waits[1](np.zeros(8, np.float32))
    assert f"{FILE}:{line_of('asc.wait_flag(asc.HardEvent.MTE2_V, 3)')}   asc.wait_flag(asc.HardEvent.MTE2_V, 3)" in str(caught.value)


@asc.jit
def of_another_product(x: asc.GlobalAddress):
    t = asc.LocalTensor(asc.float16, asc.TPosition.VECIN, 0, 64)
    asc.rp_sort16(t, t, 1)


@pytest.mark.requirement("py-18", "py-19", "py-31")
def test_a_call_that_the_device_lacks_is_refused_at_the_python_line_without_a_column() -> None:
    with pytest.raises(CompileError) as caught:
        of_another_product[1](np.zeros(8, np.float32))
    line = line_of("asc.rp_sort16(t, t, 1)")
    assert "AscendC::RpSort16 does not exist on Atlas A2 and A3; nearest: Sort32" in str(caught.value)
    assert f"{FILE}:{line}: error:" in str(caught.value)
    assert "^" not in str(caught.value)
    assert [(Path(each.file).name, each.line, each.column) for each in caught.value.diagnostics] == [(FILE, line, 0)]


@asc.jit
def no_wait(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    z_gm.set_global_buffer(z, 64)
    t = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 64)
    asc.data_copy(t, x_gm, 64)
    asc.relu(t, t, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, t, 64)


@pytest.mark.requirement("py-18")
def test_findings_and_timelines_are_at_python_lines() -> None:
    x, z = arrays(64)
    report = no_wait.check(x, z)
    assert f"{FILE}:{line_of('asc.relu(t, t, 64)')}" in str(report)
    assert any("MTE2_V" in str(finding) for finding in report.findings)
    assert "<iframe" in report._repr_html_()
    timed = add_one[1].profile(*arrays(), 512)
    assert timed.task_us > 0
    assert "add_one" in str(timed)
    page = timed._repr_html_()
    assert "<iframe" in page
    assert "asc.adds(z_local, x_local, 1.0, SIZE)" in page
    assert no_wait.profile(x, z, core_num=2).launch.num_blocks == 2


@pytest.mark.requirement("py-21")
def test_an_edit_elsewhere_in_the_file_builds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACLIMB_CACHE_DIR", str(tmp_path / "cache"))
    kernel = "import aclimb.asc as asc\n@asc.jit\ndef k(x: asc.GlobalAddress):\n    g = asc.GlobalTensor()\n"
    kernel += "    g.set_global_buffer(x, 8)\n    g.set_value(0, 3)\n"
    file = tmp_path / "edited.py"
    program = "import sys; sys.path.insert(0, sys.argv[1])\nimport numpy as np, edited\nx = np.zeros(8, np.int32)\n"
    program += "edited.k[1](x)\nassert x[0] == 3"

    def run() -> set[str]:
        subprocess.run([sys.executable, "-B", "-c", program, str(tmp_path)], check=True)
        return {path.name for path in (tmp_path / "cache" / "objects").iterdir()}

    file.write_text(kernel + "\ndef other():\n    return 1  # Matmul\n")
    before = run()
    file.write_text(kernel + "\ndef other():\n    return 2  # something else\n")
    assert run() == before


@pytest.mark.requirement("py-22")
def test_a_kernel_from_a_notebook_cell_has_places() -> None:
    scope = compiled_from(
        """
        @asc.jit
        def cell(x: asc.GlobalAddress):
            t = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 64)
            asc.add(t[32:], t, t, 64)
        """
    )
    with pytest.raises(OutOfBounds, match=r"cell_\d+.py:5   asc.add\(t\[32:\], t, t, 64\)"):
        scope["cell"][1](np.zeros(8, np.float32))
    again = compiled_from(
        """
        @asc.jit
        def cell(x: asc.GlobalAddress):
            g = asc.GlobalTensor()
            g.set_global_buffer(x, 8)
            g.set_value(0, 1.0)
        """
    )
    x = np.zeros(8, np.float32)
    again["cell"][1](x)
    assert x[0] == 1
    gone: dict[str, Any] = {"asc": asc}
    exec("@asc.jit\ndef gone(x: asc.GlobalAddress):\n    pass\n", gone)
    with pytest.raises(CompileError, match=r"the source of gone cannot be read .*; put the kernel into a file or a notebook cell"):
        gone["gone"][1](x)


@pytest.mark.requirement("py-33")
@pytest.mark.parametrize("form", ["launch", "asc", "op"])
def test_an_export_builds_with_equal_results_and_has_no_path_of_this_machine(tmp_path: Path, form: str) -> None:
    x, z = arrays()
    add_one[1](x, z, 512)
    path = add_one.export(tmp_path / f"add_one_{form}.cpp", form=form)
    text, facts = path.read_text(), json.loads(Path(f"{path}.json").read_text())
    assert str(Path(__file__).parent) not in text
    assert "#line" not in text
    assert f"// {FILE}:{line_of('asc.adds(z_local')}\n" in text
    assert (facts["kernel"], facts["kernel_type"], facts["form"]) == ("add_one", "AIV_ONLY", form)
    assert [each["name"] for each in facts["arguments"]] == ["x", "z", "n"]
    kernel = Kernel(Program(path).compile(), "add_one")
    source, target = Buffer.from_array(x), Buffer(512, "float32")
    rest = [None, Buffer.from_array(np.array([512], np.int32))] if form == "op" else [512]
    launch(Stream(), LaunchConfig(num_blocks=1), kernel, source, target, *rest)
    np.testing.assert_array_equal(target.to_numpy(), z)


def test_an_export_of_nothing_and_an_unknown_form_are_refused(tmp_path: Path) -> None:
    fresh = asc.jit(add_one.fn)
    with pytest.raises(InvalidArgument, match=r"add_one.export\(\) shows the last specialisation, and there is none yet"):
        fresh.export(tmp_path / "x.cpp")
    with pytest.raises(InvalidArgument, match="form is 'binary'; it takes 'launch', 'asc', 'op'"):
        fresh.export(tmp_path / "x.cpp", *arrays(), 512, form="binary")


def test_the_kernel_is_one_for_aclimbs_own_launch_too() -> None:
    x, _ = arrays()
    made = add_one.compile(asc.float32, asc.float32, 512)
    target = aclimb.Buffer(512, "float32")
    aclimb.launch(aclimb.Stream(), aclimb.LaunchConfig(num_blocks=1), made.kernel, aclimb.Buffer.from_array(x), target, 512)
    np.testing.assert_array_equal(target.to_numpy(), x + 1)
