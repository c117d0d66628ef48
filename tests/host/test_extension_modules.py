# SPDX-License-Identifier: Apache-2.0
"""A shared library that is a module of Python links: the interpreter that loads it defines what it misses; any other name is an error."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from aclimb.errors import CompileError
from aclimb.host import programs

INCLUDE = Path(sysconfig.get_path("include"))
MODULE = """#include <Python.h>
#include "acl/acl.h"
static PyObject* count(PyObject*, PyObject*) {
    uint32_t found = 0;
    return PyLong_FromLong(aclrtGetDeviceCount(&found) == ACL_SUCCESS && found > 0);
}
static PyMethodDef methods[] = {{"count", count, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef made = {PyModuleDef_HEAD_INIT, "counting", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};
extern "C" int forgotten();
PyMODINIT_FUNC PyInit_counting(void) { return WHICH ? PyModule_Create(&made) : nullptr; }
"""
pytestmark = pytest.mark.skipif(not (INCLUDE / "Python.h").is_file(), reason="Python's headers are not installed")


def built(folder: Path, which: str) -> Path:
    source = folder / "counting.cpp"
    source.write_text(MODULE.replace("WHICH", which))
    return programs.build([str(source), "-shared", "-fPIC", f"-I{INCLUDE}"], folder / "counting.so")


def test_a_module_of_python_links_and_its_calls_of_acl_are_answered(tmp_path: Path) -> None:
    built(tmp_path, "true")
    code = "import aclimb, counting; print(counting.count())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, timeout=600)
    assert (done.returncode, done.stdout) == (0, "1\n"), done.stderr


def test_a_name_that_python_does_not_have_is_missing_in_a_module_too(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match=r"forgotten is used and nobody defines it") as caught:
        built(tmp_path, "forgotten()")
    assert "Py" not in str(caught.value)


def test_a_program_that_calls_python_still_has_to_be_linked_to_it(tmp_path: Path) -> None:
    source = tmp_path / "program.cpp"
    source.write_text("#include <Python.h>\nint main() { Py_Initialize(); return 0; }\n")
    with pytest.raises(CompileError, match=r"Py_Initialize\w* is used and nobody defines it"):
        programs.build([str(source), f"-I{INCLUDE}"], tmp_path / "program")
