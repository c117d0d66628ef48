# SPDX-License-Identifier: Apache-2.0
"""The operator types of one library, and one registration of a type."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

from aclimb.op.declare.impl import OpImpl


class OpImplRegistry:
    """The types of one library. `instance()` is the one of this program."""

    def __init__(self) -> None:
        self._types: dict[str, OpImpl] = {}
        self._lock = threading.RLock()

    _instance: OpImplRegistry | None = None
    _instance_lock = threading.Lock()

    @classmethod
    def instance(cls) -> OpImplRegistry:
        """GetInstance."""
        with cls._instance_lock:
            if cls._instance is None:
                cls._instance = cls()
            return cls._instance

    def create_or_get(self, op_type: str) -> OpImpl:
        """CreateOrGetOpImpl."""
        with self._lock:
            return self._types.setdefault(op_type, OpImpl(op_type))

    def get(self, op_type: str) -> OpImpl | None:
        """GetOpImpl; None for a type nobody mentioned."""
        return self._types.get(op_type)

    def types(self) -> list[str]:
        """GetAllRegisteredTypes."""
        return list(self._types)

    def commit(self, op_type: str, functions: OpImpl) -> None:
        """Merges what is set into the type; the last one counts."""
        with self._lock:
            merged = replace(self.create_or_get(op_type))  # whoever looks meanwhile sees all of it or nothing
            merged.merge(functions, keep=False)
            self._types[op_type] = merged

    def snapshot(self, op_type: str) -> OpImpl | None:
        """What is there now, to be restored later."""
        found = self._types.get(op_type)
        return replace(found) if found is not None else None

    def restore(self, op_type: str, before: OpImpl | None) -> None:
        """Puts a snapshot back; None: the type is unknown again."""
        with self._lock:
            if before is None:
                self._types.pop(op_type, None)
            else:
                self._types[op_type] = before

    def remove(self, op_type: str) -> None:
        """Forgets a type."""
        self.restore(op_type, None)


class RegistrationHandle:
    """One registration. `unregister()`, or leaving its `with` block, restores what was there before."""

    def __init__(self, registry: OpImplRegistry, op_type: str, before: OpImpl | None) -> None:
        self._registry, self.op_type, self._before = registry, op_type, before
        self.active = True

    def unregister(self) -> None:
        """A second time does nothing."""
        if self.active:
            self.active = False
            self._registry.restore(self.op_type, self._before)

    def __enter__(self) -> RegistrationHandle:
        return self

    def __exit__(self, *_: Any) -> None:
        self.unregister()
