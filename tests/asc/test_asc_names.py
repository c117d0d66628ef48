# SPDX-License-Identifier: Apache-2.0
"""The names of `asc`: modules, stubs, docstrings, and what `import asc` finds."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import aclimb.asc as asc
from aclimb.asc.language import specials, table
from aclimb.asc.language.core import enums

MODULES = [
    *("asc.language", "asc.language.core", "asc.language.basic", "asc.language.fwk", "asc.language.adv"),
    *(f"asc.language.core.{name}" for name in ("dtype", "struct", "range", "constexpr", "ir_value", "tensor", "enums", "types")),
    *("asc.runtime.config", "asc.runtime.jit", "asc.lib.runtime", "asc.lib.host", "asc.codegen.errors"),
    *("asc.adv", "asc.basic", "asc.core", "asc.fwk"),
]


def python(text: str, *, cwd: Path | None = None) -> str:
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.requirement("py-1")
def test_every_module_imports_without_torch_or_a_compiler() -> None:
    text = "import sys\nimport aclimb.asc.alias\nimport importlib\nimport asc\n"
    text += f"for name in {MODULES!r}:\n    importlib.import_module(name)\n"
    text += "print('torch' in sys.modules, 'aclimb.compile.toolchain' in sys.modules, asc.__name__, asc.adv is asc.language.adv)"
    assert python(text).split() == ["False", "False", "aclimb.asc", "True"]
    for name in MODULES:
        importlib.import_module(f"aclimb.{name}")


@pytest.mark.requirement("py-1")
def test_every_name_of_the_table_is_there_with_a_docstring() -> None:
    for name, call in table.basic().items():
        assert getattr(asc, name).__doc__.startswith(call.says)
        assert f"AscendC::{call.cpp}" in getattr(asc, name).__doc__
    for name in table.adv():
        assert getattr(asc.adv, name).__doc__
    for row in specials.rows():
        home = asc.adv if row.module == "adv" else asc
        assert row.says in getattr(home, row.name).__doc__, row.name
    for name in (*table.records(), *enums.ALL, "Struct", "Field", "StructField", "KnownTypes", "jit", "CodegenOptions"):
        assert hasattr(asc, name), name
    assert len(asc.__all__) == len(set(asc.__all__))


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    for module in (asc.adv, asc.core, asc.basic, asc.fwk):
        with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
            _ = module.nothing


@pytest.mark.requirement("py-34")
def test_the_stubs_have_every_name() -> None:
    stub = Path(asc.__file__).with_suffix(".pyi").read_text()
    for name in asc.__all__:
        assert any(f"{word}{name}" in stub for word in ("def ", "class ", " as ")) or f"\n{name}" in stub, name


TYPED = """
import aclimb.asc as asc

@asc.jit
def copy_in(gm: asc.GlobalAddress, queue: asc.TQue, begin: int) -> None:
    local = queue.alloc_tensor(gm.dtype)
    asc.data_copy(local, gm[begin:], count=64)
    queue.enque(local)

@asc.jit
def kernel(c: asc.GlobalAddress, mm: asc.adv.Matmul, tiling: asc.adv.TCubeTiling, queue: asc.TQue) -> None:
    gm = asc.GlobalTensor()
    gm.set_global_buffer(c + 4)
    with mm.iterate() as count:
        local = queue.alloc_tensor(c.dtype)
        mm.get_tensor_c(local, en_sequential_write=True)
        asc.data_copy(gm[count % 4 * 64:], local, count=count.ceildiv(8))
    mm.iterate_batch(gm, 2, 2, False)
"""


@pytest.mark.requirement("py-34")
def test_mypy_takes_a_program_with_kernels(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    examples = Path(__file__).parents[2] / "examples"
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nstrict = True\n")
    program = tmp_path / "typed.py"
    program.write_text(TYPED)
    for each in (examples / "add" / "add.py", program):
        out, _, status = api.run([str(each), "--cache-dir", str(tmp_path / "cache"), "--config-file", str(config)])
        assert status == 0, out


@pytest.mark.requirement("py-1")
def test_import_asc_is_the_real_one_where_it_is_installed(tmp_path: Path) -> None:
    (tmp_path / "asc").mkdir()
    (tmp_path / "asc" / "__init__.py").write_text("real = True\n")
    text = "import sys\nsys.path.insert(0, '.')\nimport aclimb.asc.alias\nimport asc\nprint(asc.real, aclimb.asc.jit is not None)"
    assert python(text, cwd=tmp_path).split() == ["True", "True"]


def test_a_folder_called_asc_is_not_taken_for_pyasc(tmp_path: Path) -> None:
    (tmp_path / "asc").mkdir()
    text = "import sys\nsys.path.insert(0, '.')\nimport aclimb.asc.alias\nimport asc\nprint(asc.__name__)"
    assert python(text, cwd=tmp_path).strip() == "aclimb.asc"


PROGRAM = """
import asc
import numpy as np

@asc.jit
def three(x: asc.GlobalAddress):
    g = asc.GlobalTensor()
    g.set_global_buffer(x, 8)
    g.set_value(0, 3)

def test_three():
    x = np.zeros(8, np.int32)
    three[1](x)
    assert x[0] == 3

if __name__ == "__main__":
    test_three()
    print("three")
"""


def test_aclimb_run_and_the_pytest_plugin_know_asc(tmp_path: Path) -> None:
    program = tmp_path / "test_program.py"
    program.write_text(PROGRAM)
    done = subprocess.run([sys.executable, "-m", "aclimb", "run", str(program)], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("three\n", 0), done.stderr
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(program)], capture_output=True, text=True, cwd=tmp_path
    )
    assert "1 passed" in done.stdout, done.stdout
    (tmp_path / "conftest.py").write_text("from asc.runtime import config\nassert config.Backend.Model.name == 'Model'\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(program)], capture_output=True, text=True, cwd=tmp_path
    )
    assert "1 passed" in done.stdout, done.stdout
    assert "No module named 'asc'" in subprocess.run([sys.executable, "-c", "import asc"], capture_output=True, text=True, cwd="/").stderr
