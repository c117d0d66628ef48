# SPDX-License-Identifier: Apache-2.0
"""aclimb-op: what the npu_op_* functions of CMake call (host/cmake/npu_op_functions.cmake).

generate    host sources -> aclnn_<op>.h and .cpp           kernels    host library -> op_kernel of a package
pack        the folder of a package -> an installer that can be run
"""

from __future__ import annotations

import argparse
import io
import logging
import shlex
import sys
import tarfile
import tempfile
from pathlib import Path

from aclimb.binary.container import replace_file
from aclimb.compile.options import Options
from aclimb.errors import AclimbError, CompileError
from aclimb.host.op_package import generate_all, kernel_options, write
from aclimb.op.native.library import load
from aclimb.op.native.package import Package
from aclimb.op.project.build import build_host
from aclimb.op.project.kernels import KernelChoices, build_kernels
from aclimb.op.project.sources import Headers

_INSTALLER = """#!/bin/sh
# Installs the operator package {vendor}: into --install-path=FOLDER, or into the folder that ASCEND_OPP_PATH names.
path=$ASCEND_OPP_PATH
for word in "$@"; do
    case $word in --install-path=*) path=${{word#--install-path=}} ;; esac
done
if [ -z "$path" ]; then
    echo "{vendor}: nobody says where to install: give --install-path=FOLDER, or set ASCEND_OPP_PATH" >&2
    exit 1
fi
vendors=$path/vendors
rm -rf "$vendors/{vendor}" && mkdir -p "$vendors/{vendor}/bin" || exit 1
tail -n +{lines} "$0" | tar -xz -C "$vendors/{vendor}" || exit 1
others=$(sed -n 's/^load_priority=//p' "$vendors/config.ini" 2>/dev/null | tr ',' '\\n' | grep -vx '{vendor}' | paste -sd, -)
echo "load_priority={vendor}${{others:+,$others}}" > "$vendors/config.ini"
here=$(cd "$vendors/{vendor}" && pwd)
echo "export ASCEND_CUSTOM_OPP_PATH=$here:\\$ASCEND_CUSTOM_OPP_PATH" > "$here/bin/set_env.bash"
echo "export LD_LIBRARY_PATH=$here/op_api/lib:\\$LD_LIBRARY_PATH" >> "$here/bin/set_env.bash"
echo "{vendor}: installed in $here"
exit 0
"""


def main() -> None:
    logging.basicConfig(format="aclimb-op: %(message)s")
    words = _parser().parse_args()
    try:
        words.run(words)
    except CompileError as error:
        raise SystemExit(error.in_full()) from None
    except AclimbError as error:
        raise SystemExit(f"aclimb-op: error: {error}") from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="aclimb-op")
    commands = parser.add_subparsers(required=True)
    made = commands.add_parser("generate")
    made.set_defaults(run=_generate)
    made.add_argument("--out", type=Path, required=True)
    made.add_argument("--include", type=Path, required=True, help="where the headers of the package go")
    made.add_argument("--option", action="append", default=[])
    made.add_argument("sources", type=Path, nargs="+")
    made = commands.add_parser("kernels")
    made.set_defaults(run=_kernels)
    made.add_argument("--package", type=Path, required=True)
    made.add_argument("--sources", type=Path, required=True)
    made.add_argument("--unit", action="append", default=[])
    made.add_argument("--file", action="append", default=[], help="Type=file")
    made.add_argument("--option", action="append", default=[], help="Type or ALL:unit or nothing:option")
    made = commands.add_parser("pack")
    made.set_defaults(run=_pack)
    made.add_argument("--package", type=Path, required=True)
    made.add_argument("--output", type=Path, required=True)
    return parser


def _generate(words: argparse.Namespace) -> None:
    for folder in (words.out, words.include):
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="aclimb-op-") as working:
        library = Path(working) / "libop_host.so"
        build_host(words.sources, library, ["-O0", *words.option], ", ".join(each.name for each in words.sources))
        with load(library) as declared:
            files = generate_all(declared)
    for old in [*words.out.glob("aclnn_*"), *words.include.glob("aclnn_*.h")]:
        if old.stem not in [each.name for each in files]:
            old.unlink()
    for each in files:
        write(words.out, each)
        for folder in (words.out, words.include):
            replace_file(folder / f"{each.name}.h", each.header.encode())


def _kernels(words: argparse.Namespace) -> None:
    package = Package(words.package)
    files = dict(each.split("=", 1) for each in words.file)
    said = [each.split(":", 2) for each in words.option]

    def options(op_type: str, unit: str) -> Options:
        return kernel_options([option for of, on, option in said if of in ("ALL", op_type) and on.lower() in ("", unit)])

    own = {name: words.sources / file for name, file in files.items()}
    choices = KernelChoices(tuple(words.unit), own, options, Headers((words.sources, words.sources.parent)))
    with package.load() as library:
        build_kernels(library, words.sources, package, choices)


def _pack(words: argparse.Namespace) -> None:
    vendor = shlex.quote(words.package.name)
    script = _INSTALLER.format(vendor=vendor, lines=_INSTALLER.count("\n") + 1)
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        archive.add(words.package, ".")
    words.output.parent.mkdir(parents=True, exist_ok=True)
    replace_file(words.output, script.encode() + content.getvalue())
    words.output.chmod(0o755)
    sys.stdout.write(f"{words.output}\n")


if __name__ == "__main__":
    main()
