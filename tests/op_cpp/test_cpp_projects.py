# SPDX-License-Identifier: Apache-2.0
"""Files in the style of public projects, built as their CMake builds them; and the whole suite under the address sanitizer."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from cpp_parts import HERE, MORE_FLAGS

from aclimb import Stream, op
from aclimb.compile import toolchain
from aclimb.op.tiling.decide import decide

PROJECT = ("-Wall", "-Wextra", "-Werror", "-O2", "-fvisibility=hidden", "-fvisibility-inlines-hidden", "-D_GLIBCXX_USE_CXX11_ABI=0")


@pytest.mark.requirement("cpp-36")
def test_a_file_in_the_style_of_public_projects_compiles_as_it_is_and_decides(
    load_library: Callable[..., op.Library], stream: Stream
) -> None:
    library = load_library("public_style.cpp", flags=PROJECT)
    operator = library["QuantLike"]
    assert operator.settings["aclnnSupport.value"] == "support_aclnn"
    assert [each.size for each in library.tiling_classes] == [16, 16 + 48 * 4, 16 + 48 * 4]
    x, scale = np.zeros((3, 17, 5), np.float16), np.ones(1, np.float32)
    call = operator._call([x, scale], {}, None, stream, None)
    operator._inference(call).run()
    made = decide(call, operator._loaded, cached=False)
    call.discard_outputs()
    assert call.node.outputs[0].dtype == np.int8
    assert made.tiling.tiling_key == 1011
    assert made.tiling.num_blocks == 48
    assert made.tiling.schedule_mode == 1
    assert made.tiling.workspace_sizes == [16 << 20]
    assert made.data == struct.pack("<qIf48I", 51, 48, 0.5, *[2] * 3, *[1] * 45)


@pytest.mark.slow
@pytest.mark.requirement("cpp-25", "cpp-34")
@pytest.mark.skipif(toolchain.find().kind != "gcc", reason="the sanitizer's library is looked for beside g++")
def test_the_suite_is_clean_under_the_address_sanitizer() -> None:
    # libstdc++ with it: what throws is looked up when the sanitizer starts
    libraries = [_library(name) for name in ("libasan.so", "libstdc++.so.6")]
    environment = os.environ | {
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=0:handle_segv=0:handle_sigbus=0",  # Python keeps its memory, and the engine has its own handlers
        MORE_FLAGS: "-fsanitize=address -fno-omit-frame-pointer",
    }
    answer = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "timeout=0", str(HERE)], env=environment,
                            capture_output=True, text=True)  # fmt: skip
    assert answer.returncode == 0, answer.stdout[-4000:] + answer.stderr[-4000:]
    assert "AddressSanitizer" not in answer.stderr + answer.stdout


def _library(name: str) -> str:
    answer = subprocess.run([*toolchain.find().compiler(), f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    return answer.stdout.strip()
