# SPDX-License-Identifier: Apache-2.0
"""acl.rt: devices, contexts, streams, events, callbacks, memory, kernel binaries, argument lists, launches."""

from acl import _args, _assemble, _binaries, _callbacks, _devices, _events, _launches, _memory, _streams

_assemble.fill(globals(), "acl.rt", _devices, _streams, _events, _callbacks, _memory, _binaries, _args, _launches)
