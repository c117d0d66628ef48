# SPDX-License-Identifier: Apache-2.0
"""Headers of Ascend C that kernel_operator.h stands in for.

The real folders have a header for each group of calls, several hundred in all: `lib/math/tanh.h`,
`basic_api/kernel_operator_vec_gather_intf.h`, `kernel_tensor.h`. Here kernel_operator.h brings everything there is, so a
source that includes one of these by name gets a file of one line in the build's own folder.
"""

from __future__ import annotations

import re
from pathlib import Path

_GROUPS = r"(?:ascendc/)?(?:lib|adv_api|basic_api|utils/std)/[\w/]+\.h"
_PARTS = r"tensor|tpipe(?:_impl)?|type|base_types|common|utils|macros|event"
_SINGLE = rf"kernel_(?:operator_\w+_intf|struct_\w+|(?:vec|cube|prof_trace|log)_intf|{_PARTS})\.h"
_HOST_MACROS = r"register/tilingdata_base\.h"  # BEGIN_TILING_DATA_DEF and the rest, which tiling.h has for the device
_FORWARDED = re.compile(rf"(?:{_GROUPS}|{_SINGLE}|{_HOST_MACROS})")
_MISSING = re.compile(r"fatal error: (?:'(\S+)' file not found|(\S+): No such file or directory)")
_TEXT = "#pragma once\n#include <kernel_operator.h>\n"


def stands_in(name: str) -> bool:
    """Whether kernel_operator.h brings what a header of that name has."""
    return _FORWARDED.fullmatch(name) is not None and ".." not in name


def provide(errors: str, folder: Path) -> bool:
    """Whether the preprocessor missed such a header, which is in `folder` now."""
    missing = _MISSING.search(errors)
    name = (missing[1] or missing[2]) if missing else ""
    if not stands_in(name):
        return False
    target = folder / name
    if target.exists():
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(_TEXT)
    return True
