# SPDX-License-Identifier: Apache-2.0
"""with_kernel.py KERNEL [--profile FOLDER] PROGRAM WORDS...: queues the kernel on a stream, then is the program, with the stream behind."""

import ctypes
import sys
import tempfile
from pathlib import Path

import acl
from aclimb import Program
from aclimb.host import hosted
from aclimb.report import profiles

kernel, *rest = sys.argv[1:]
folder = Path(rest[1]) if rest[0] == "--profile" else None
program, *words = rest[2:] if folder else rest
profile = profiles.prepare(profiles.Request()) if folder else None
if profile:
    profile.__enter__()

acl.rt.set_device(0)
stream, _ = acl.rt.create_stream()
with tempfile.TemporaryDirectory() as built:
    binary, _ = acl.rt.binary_load_from_file(str(Program(Path(__file__).parent / "sources" / "kernels.cpp").compile().save(built)), [])
function, _ = acl.rt.binary_get_function(binary, kernel)
args, _ = acl.rt.kernel_args_init(function)
number = ctypes.c_int32(42)
acl.rt.kernel_args_append(args, ctypes.addressof(number), 4)
acl.rt.kernel_args_finalize(args)
blocks = 8 if kernel == "takes_a_while" else 1  # more than threads, so that who waits takes part
assert acl.rt.launch_kernel_with_config(function, blocks, stream, [], args, 0) == 0, acl.get_recent_err_msg()
at_end = (lambda status, taken=profile: profiles.close(taken, profiles.Ending(status), folder)) if profile else None
hosted.run(Path(program), [program, *words, str(stream)], at_end)
