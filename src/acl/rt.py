# SPDX-License-Identifier: Apache-2.0
"""acl.rt: devices, contexts, streams, events, callbacks, memory, kernel binaries, argument lists, launches."""

import typing as _typing

from acl import _args, _assemble, _binaries, _callbacks, _devices, _events, _launches, _memory, _streams

_assemble.fill(globals(), "acl.rt", _devices, _streams, _events, _callbacks, _memory, _binaries, _args, _launches)
if _typing.TYPE_CHECKING:

    def __getattr__(name: str) -> _typing.Any: ...
