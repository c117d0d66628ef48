# SPDX-License-Identifier: Apache-2.0
"""What happens when a stream is waited for: kernels' output is shown, the first fault becomes an exception."""

from __future__ import annotations

import sys
import threading
from typing import Any

from aclimb import _engine, engine
from aclimb.errors import AclimbError


def plain_words(facts: dict[str, Any]) -> AclimbError:
    """The error of a failed task. report/ replaces this by one that knows source lines; see `explain_faults_with`."""
    return AclimbError(f"{facts['kernel']} failed: {facts['kind']}")


_explain = plain_words


def explain_faults_with(explain: Any) -> None:
    """report/ stands above runtime/ and hands its words down."""
    global _explain
    _explain = explain


def finish(native: _engine.Stream) -> None:
    """Waits until everything queued on the stream so far has ended."""
    engine.require_own_process()
    facts = native.synchronize(threading.current_thread() is threading.main_thread())
    text = native.take_output()
    if text:
        sys.stdout.write(text)
        sys.stdout.flush()
    if facts is not None:
        raise _explain(facts)
