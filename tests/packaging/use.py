# SPDX-License-Identifier: Apache-2.0
"""What a user does with the installed package. Prints where it lives, which compiler built the kernel, and the result."""

import json
import sys
from pathlib import Path

import numpy as np

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.compile import headers, toolchain

x = np.arange(256, dtype=np.float16)
z = Buffer(256, np.float16)
launch(Stream(), LaunchConfig(1), Kernel(Program(Path(sys.argv[1])).compile()), Buffer.from_array(x), z)
print(
    json.dumps(
        {
            "package": str(Path(aclimb.__file__).parent),
            "headers": str(headers.include_dir()),
            "compiler": toolchain.find().kind,
            "right": bool(np.array_equal(z.to_numpy(), x + x)),
        }
    )
)
