# SPDX-License-Identifier: Apache-2.0
"""The toolkit's folder: headers, libraries, commands and CMake files where projects look for them. ASCEND_HOME_PATH may point there.

It lies in the cache and belongs to one installation of aclimb under one Python. Its path stays the same when that installation is
renewed, because programs know it: the files in it are replaced.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import shutil
import sys
from pathlib import Path

from aclimb import chips
from aclimb.binary.container import replace_file
from aclimb.compile import open_cache
from aclimb.errors import InvalidArgument
from aclimb.host import environment, host_tools, named_libraries, places
from aclimb.host.python_file import write_python_file
from aclimb.version import CANN, __version__

# The names that programs link to. libascendcl answers to all of them.
LIBRARIES = (
    "acl_rt", "runtime", "nnopbase", "tiling_api", "platform", "register", "unified_dlog", "graph_base", "c_sec", "acl_op_executor",
    "acl_mdl", "msprofiler", "profapi", "mmpa", "ascend_dump", "error_manager", "runtime_camodel", "npu_drv_camodel", "acl_rtc", "hccl",
    "ge_runner", "graph", "acl_op_compiler", "acl_tdt_channel", "exe_graph", "rt2_registry",
)  # fmt: skip
_MACHINE = platform.machine()
# Path in the prefix -> what it is a link to, beside the tree that is made below.
_LINKS = {
    "lib64/cmake/asc-config.cmake": "../../lib/cmake/ASC/ASCConfig.cmake",
    "lib64/cmake/ASCConfig.cmake": "../../lib/cmake/ASC/ASCConfig.cmake",
    "bin/ccec": "bisheng",
    "bin/setenv.bash": "../set_env.sh",
    "compiler/ccec_compiler/bin/bisheng": "../../../bin/bisheng",
    "compiler/ccec_compiler/bin/ccec": "../../../bin/bisheng",
    "compiler/bin/ccec": "../../bin/bisheng",
    "tools/bisheng_compiler/bin/ccec": "../../../bin/bisheng",
    "tools/ccec_compiler": "../compiler/ccec_compiler",
    f"{_MACHINE}-linux/ccec_compiler": "../compiler/ccec_compiler",
    "tools/opbuild/op_build": "../../bin/op_build",
    "toolkit/tools": "../tools",
    "compiler/tikcpp/ascendc_kernel_cmake": "../../lib/cmake/ASC",
    "tools/tikcpp/ascendc_kernel_cmake": "../../lib/cmake/ASC",
    "runtime/lib64": "../lib64",
    "devlib": "lib64",
    "tools/simulator/dav_2201/lib": "../../../lib64",
    "simulator": "tools/simulator",
    f"{_MACHINE}-linux/simulator": "../tools/simulator",
    f"{_MACHINE}-linux/include": "../include",
    f"{_MACHINE}-linux/pkg_inc": "../pkg_inc",
    "include/experiment/runtime/runtime": "../../runtime",
    "include/experiment/msprof/toolchain": "../../profiling",
    "include/experiment/platform/platform": "../../platform",
    "include/experiment/metadef/common": "../../common",
    "pkg_inc/base": "../include/base",
    "pkg_inc/runtime/runtime": "../../include/runtime",
    "pkg_inc/profiling": "../include/profiling",
    "pkg_inc/toolchain": "../include/profiling",
    f"{_MACHINE}-linux/lib64": "../lib64",
}
_FOLDERS = ("lib64", "lib/cmake/ASC", "bin", "opp", "runtime", "compiler", "toolkit")
_EMPTY_ARCHIVE = b"!<arch>\n"
# Where tools read which CANN this is.
_VERSION_FILES = {
    "opp/version.info": "Version",
    "compiler/version.info": "Version",
    "runtime/version.info": "Version",
    "ascend_toolkit_install.info": "version",
    f"{_MACHINE}-linux/ascend_toolkit_install.info": "version",
}


def prefix() -> Path:
    """The folder, made or renewed where that is needed."""
    cache = open_cache()
    if cache.is_temporary:
        raise InvalidArgument("the toolkit's folder has to last; set ACLIMB_CACHE_DIR to a folder that only you can write")
    name = hashlib.sha256(f"{sys.executable}\0{places.host_dir()}".encode()).hexdigest()[:12]
    root = cache.folder / "toolkit" / name
    stamp, wanted = root / "made", _identity()
    if not _is_made(stamp, wanted):
        with cache.lock(f"toolkit-{name}"):
            if not _is_made(stamp, wanted):
                _make(root, wanted)
                replace_file(stamp, wanted.encode())
    return root


def _is_made(stamp: Path, wanted: str) -> bool:
    try:
        return stamp.read_text() == wanted
    except OSError:
        return False


def _identity() -> str:
    """Changes when something that is copied, or linked by name, does."""
    host = places.host_dir()
    modules = (__file__, environment.__file__, host_tools.__file__, named_libraries.__file__)
    files = [*_copied(), *sorted(host.glob("cmake/*")), *map(Path, modules)]
    facts = [f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in files]
    return "\n".join([__version__, sys.executable, *facts, *sorted(path.name for path in host.glob("include/*"))])


def _copied() -> list[Path]:
    return [places.library().with_name(name) for name in ("libascendcl.so", "libopapi.so", "aclimb_start.o")]


def _make(root: Path, identity: str) -> None:
    host = places.host_dir()
    for folder in _FOLDERS:
        (root / folder).mkdir(parents=True, exist_ok=True)
    for header in (host / "include").iterdir():
        _link(root / "include" / header.name, str(header))
    for file in (host / "cmake").iterdir():
        replace_file(root / "lib/cmake/ASC" / file.name, file.read_bytes())
    for file in _copied():
        replace_file(root / "lib64" / file.name, file.read_bytes())
    real = places.library().read_bytes()
    for name in LIBRARIES:
        replace_file(root / f"lib64/lib{name}.so", named_libraries.write(f"lib{name}.so", places.library().name, real))
    replace_file(root / "lib64/libtiling_api.a", _EMPTY_ARCHIVE)  # some projects name the file
    write_python_file(root / "lib64")
    for name, text in _commands().items():
        replace_file(root / "bin" / name, text.encode())
        (root / "bin" / name).chmod(0o755)
    for name in host_tools.NAMES:
        path = root / "compiler/ccec_compiler/bin" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, host_tools.script(name, sys.executable).encode())
        path.chmod(0o755)
    for chip in chips.names():
        _link(root / f"tools/simulator/{chip}/lib", "../../../lib64")
    for place, target in _LINKS.items():
        _link(root / place, target)
    replace_file(root / "set_env.sh", environment.set_script(root).encode())
    replace_file(root / "unset_env.sh", environment.undo_script(root).encode())
    for place, word in _VERSION_FILES.items():
        replace_file(root / place, f"{word}={CANN}\n".encode())
    made = hashlib.sha256(identity.encode()).hexdigest()[:16]  # some tools keep what they built for as long as this file stays
    replace_file(root / "version.cfg", f"Version={CANN}\naclimb={__version__} {made}\n".encode())


def _commands() -> dict[str, str]:
    tools = {name: _command(f"aclimb.host.op_tools {name}") for name in ("op_build", "opc")}
    return {"bisheng": _compiler(), "aclimb-op": _command("aclimb.host.op_commands")} | tools


def _command(module: str) -> str:
    # -P: a project's own folder shall not stand for our modules.
    return f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -m {module} "$@"\n'


def _compiler() -> str:
    """As _command, and without aclimb/__init__.py, which brings NumPy and the runtime: a compiler is started often, and needs neither."""
    folder = str(Path(__file__).resolve().parents[1])
    lines = [
        "import sys, types",
        'package = types.ModuleType("aclimb")',
        f"package.__path__ = [{folder!r}]",
        'sys.modules["aclimb"] = package',
        "from aclimb.host.driver import main",
        "main()",
    ]
    code = "\n".join(lines)
    return f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -c {shlex.quote(code)} "$@"\n'


def _link(path: Path, target: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink() and os.readlink(path) == target:
        return
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    path.symlink_to(target)
