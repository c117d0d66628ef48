# SPDX-License-Identifier: Apache-2.0
"""PI: public kernels use it and declare it nowhere, so the vendor's headers have one. Its definition is not published (assumed: a float).

It is there for sources that use it without a declaration of their own: beside `using namespace AscendC` two would be ambiguous.
"""

from __future__ import annotations

import re

_USED = re.compile(r"(?<![\w.:>])(?:AscendC\s*::\s*)?PI\b(?!\s*(?:::|\())")
_DECLARED = re.compile(r"\bPI\s*(?:=(?!=)|\{|\[)|\busing\s+\w+(?:::\w+)*::PI\b")
# Both passes of a source may add it.
_DEFINITION = "#ifndef ACLIMB_PI\n#define ACLIMB_PI\nnamespace AscendC {\nconstexpr float PI = 3.14159265358979323846f;\n}\n#endif\n"


def definitions(text: str) -> str:
    """Return what stands before a preprocessed source of that text."""
    return _DEFINITION if _USED.search(text) and not _DECLARED.search(text) else ""
