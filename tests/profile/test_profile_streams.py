"""Profiles of work in several queues."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import gpucore as gp


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
