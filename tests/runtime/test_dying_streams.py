# SPDX-License-Identifier: Apache-2.0
"""Streams that Python's garbage collector drops while the device is synchronised."""

from __future__ import annotations

import gc

from aclimb import Device, Stream


def test_a_stream_that_dies_while_the_device_synchronises_does_no_harm() -> None:
    device = Device()
    kept = [Stream(device) for _ in range(80)]
    threshold = gc.get_threshold()
    try:
        for allocations in range(20, 60, 5):  # so many later the collector runs, somewhere in the middle
            gc.collect()
            gc.disable()
            ring: list[object] = [Stream(device)]
            ring.append(ring)
            del ring
            gc.set_threshold(allocations, 10, 10)
            gc.enable()
            device.synchronize()
    finally:
        gc.set_threshold(*threshold)
        gc.enable()
    assert len(kept) == 80
