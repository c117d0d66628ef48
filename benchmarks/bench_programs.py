# SPDX-License-Identifier: Apache-2.0
"""C programs: from the start of the process to its end, for one that returns after aclInit."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from aclimb.host.programs import executable_of
from benchmarks.harness import Row, after_idle, bench

SOURCE = '#include "acl/acl.h"\nint main(void) { return aclInit(NULL); }\n'


@bench("programs")
def programs() -> Iterable[Row]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "start.c"
        source.write_text(SOURCE)
        program = executable_of(source)
        yield Row("programs.start", after_idle(lambda: subprocess.run([program], check=True)), "s", 0.6, note="started directly")
