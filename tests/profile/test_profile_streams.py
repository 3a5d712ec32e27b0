"""Profiles of work in several queues."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import gpucore as gp


@gp.kernel(workgroup_size=8)
def many_turns(x: gp.InOut[gp.i32], n: gp.i32):
    total = x[gp.global_id(0)]
    for k in range(n):
        total = total * 3 + k
    x[gp.global_id(0)] = total


@gp.kernel
def double(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < x.size:
        x[i] = x[i] * 2.0


def test_each_queue_has_a_lane_and_copies_that_end_later_are_counted(device: gp.Device, tmp_path: Path) -> None:
    arrays = [gp.ones(1000, device=device) for _ in range(3)]
    host = np.zeros(1000, np.float32)
    with gp.profile(device=device) as profile:
        for x in arrays:
            with device.stream():
                double(x)
                double(x)
        arrays[0].copy_to(host).wait()
        arrays[1].copy_from(host).wait()
        device.synchronize()
    assert set(host.tolist()) == {4.0} == set(arrays[1].tolist())
    (row,) = [row for row in profile.kernels if row.name == "double"]
    assert row.calls == 6
    moved = {row.name: (row.calls, row.bytes_read + row.bytes_written) for row in profile.transfers}
    assert moved == {"upload": (1, 4000), "download": (1, 4000)}
    profile.save(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    lanes = {event["tid"] for event in events if event["ph"] == "X" and event["name"] == "double"}
    assert len(lanes) == (1 if device.driver_device.queues == 1 else min(3, device.driver_device.queues - 3))
    named = {(event["pid"], event["tid"]) for event in events if event["name"] == "thread_name"}
    assert {(event["pid"], event["tid"]) for event in events if event["ph"] == "X"} <= named


def test_the_end_waits_for_every_queue(device: gp.Device) -> None:
    """That whose work was queued first ends last."""
    turns = 1000 if device.info.backend in ("simulator", "wgpu") else 20_000_000  # wgpu: drivers stop long loops
    arrays = [gp.ones(8, gp.i32, device=device) for _ in range(2)]
    for x in arrays:
        many_turns(x, 1)
    device.synchronize()
    with gp.profile(device=device) as profile:
        for x, n in zip(arrays, (turns, 1), strict=True):
            with device.stream():
                many_turns(x, n)
    (row,) = profile.kernels
    assert (row.name, row.calls) == ("many_turns", 2)
