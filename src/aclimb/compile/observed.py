# SPDX-License-Identifier: Apache-2.0
"""Observed images: what a kernel does beside its instructions, told by a second image of the same source.

A plain load through a `__gm__` pointer or a loop of additions issues no record, so who reads records does not see it. The second image has
the same functions, compiled so that each access to memory calls a function and each block of code counts its operations (observed_code.py).
It is built when somebody looks at a kernel so closely for the first time, from the source that the cache remembers (origins.py), and kept
there.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from functools import partial

from aclimb.compile import headers, origins, toolchain
from aclimb.compile.cache import Cache, open_cache
from aclimb.compile.origins import Origin
from aclimb.compile.program import builder_hash
from aclimb.compile.toolchain import Toolchain
from aclimb.errors import CompileError

_log = logging.getLogger("aclimb.compile")
NO_SOURCE = "its source is not known here; build it on this machine, and keep the cache"


def images(plain: Mapping[str, bytes]) -> tuple[dict[str, bytes], dict[str, str]]:
    """The observed image of each of these, by the same name; and the reason, where there is none."""
    cache, made, reasons = open_cache(), dict[str, bytes](), dict[str, str]()
    together: dict[str, list[tuple[str, Origin]]] = {}  # images of one binary are built in one go
    for name, image in plain.items():
        origin = origins.find(cache, image)
        changed = origin.changed() if origin else None
        if origin is None:
            reasons[name] = NO_SOURCE
        elif changed is not None:
            reasons[name] = f"{changed} was changed, or is gone, since it was built; build it again"
        else:
            together.setdefault(_identity(origin), []).append((name, origin))
    for found in together.values():
        try:
            by_core = _build({origin.core: origin for _, origin in found}, cache, toolchain.find())
            made |= {name: by_core[origin.core] for name, origin in found}
        except CompileError as error:
            first = str(error).strip().splitlines()[0]
            _log.debug("no observed image: %s", error)
            reasons |= {name: f"its second image does not build: {first}" for name, _ in found}
    return made, reasons


def _identity(origin: Origin) -> str:
    """The same for two images of one binary."""
    return json.dumps([[json.loads(part.to_bytes()) for part in origin.parts], origin.files])


def _build(wanted: dict[str, Origin], cache: Cache, tools: Toolchain) -> dict[str, bytes]:
    keys = {core: _key(origin, tools) for core, origin in wanted.items()}
    lookup = partial(_found, cache)
    made = {core: image for core, key in keys.items() if (image := lookup(key)) is not None}
    missing = [core for core in wanted if core not in made]
    if not missing:
        return made
    with cache.lock(keys[missing[0]]):
        made |= {core: image for core in missing if (image := lookup(keys[core])) is not None}  # somebody else was faster
        missing = [core for core in missing if core not in made]
        if missing:
            from aclimb.compile.build import build_observed

            origin = wanted[missing[0]]
            built, job = build_observed([(each.source, each.options, each.wanted) for each in origin.parts], missing, tools, cache)
            for core, image in built.items():
                cache.keep(keys[core], job.files, hashlib.sha256(image).digest() + image)
            made |= built
            job.start_precompiling()
    return made


def _found(cache: Cache, key: str) -> bytes | None:
    """From the cache, and whole."""
    data = cache.find(key)
    if data is None or data[:32] != hashlib.sha256(data[32:]).digest():
        return None
    return data[32:]


def _key(origin: Origin, tools: Toolchain) -> str:
    include = headers.include_dir()
    return toolchain.content_key("observed", origin.core, _identity(origin), tools.identity, headers.headers_hash(include), builder_hash())
