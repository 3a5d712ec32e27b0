"""The rows of a profile: names, counts, bytes and times."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from profiled_kernels import add_one, axpy, checked, double

import gpucore as gp
from gpucore.profile import Profile, ProfileRow
from gpucore.runtime import cache


def facts(rows: list[ProfileRow]) -> dict[str, tuple[int, int, int]]:
    """Of each row its calls, and the bytes that were read and written."""
    return {row.name: (row.calls, row.bytes_read, row.bytes_written) for row in rows}


def check_times(profile: Profile) -> None:
    """Times are not negative, and devices did not work for longer than the block took."""
    rows = profile.kernels + profile.transfers
    assert all(0.0 <= row.min_seconds <= row.mean_seconds * (1 + 1e-9) <= row.seconds * (1 + 2e-9) for row in rows)
    assert sum(row.seconds for row in rows) <= profile.seconds * (1 + 1e-9)
    assert sum(row.share for row in rows) == pytest.approx(1.0)
    for part in (profile.kernels, profile.transfers):
        assert [row.seconds for row in part] == sorted((row.seconds for row in part), reverse=True)


def run(kernel: gp.Kernel, y: gp.Array) -> None:
    """Call and wait: the simulator raises in the call, other devices at the wait."""
    kernel(y)
    y.device.synchronize()


def test_calls_and_bytes_are_exact(device: gp.Device) -> None:
    x, y, z = (gp.full(1001, value, device=device) for value in (1, 2, 3))  # their buffers are larger
    with gp.profile(device=device) as profile:
        for _ in range(3):
            axpy(0.5, x, y)
        double(y, z)
        double(x[128:928], z[:800])  # whole parts of the memory of every device
        y.set(z.copy().numpy())
        assert x[0] == 1.0
    assert facts(profile.kernels) == {
        "axpy": (3, 3 * 2 * 4004, 3 * 4004),
        "double": (2, 4004 + 3200, 4004 + 3200),
    }
    assert facts(profile.transfers) == {
        "copy": (1, 4004, 4004),
        "upload": (1, 0, 4004),
        "download": (2, 4004 + 4, 0),
    }
    assert {row.device for row in profile.kernels + profile.transfers} == {device.id}
    assert {row.kind for row in profile.kernels} == {"kernel"}
    check_times(profile)
    assert sum(row.seconds for row in profile.kernels) > 0.0


def test_results_are_those_without_a_profile(device: gp.Device) -> None:
    keys = np.random.default_rng(1).standard_normal(3000).astype(np.float32)

    def run() -> list[np.ndarray[Any, Any]]:
        x, y = gp.asarray(keys, device=device), gp.zeros(3000, device=device)
        for k in range(20):
            axpy(k, x, y)
        return [y.numpy(), gp.sort(y).numpy(), (x[:900].reshape(30, 30) @ y[:900].reshape(30, 30)).numpy()]

    expected = run()
    with gp.profile() as profile:
        found = run()
    for a, b in zip(expected, found, strict=True):
        np.testing.assert_array_equal(a, b)
    assert facts(profile.kernels)["axpy"] == (20, 20 * 24000, 20 * 12000)
    check_times(profile)


def test_more_work_than_a_device_has_marks_for(device: gp.Device) -> None:
    x, y = gp.ones(64, device=device), gp.zeros(64, device=device)
    with gp.profile(device) as profile:
        for _ in range(700):
            axpy(1.0, x, y)
    assert facts(profile.kernels) == {"axpy": (700, 700 * 512, 700 * 256)}
    assert y.numpy().tolist() == [700.0] * 64
    check_times(profile)


def test_replays_of_graphs_are_seen(device: gp.Device) -> None:
    x, y = gp.ones(50, device=device), gp.zeros(50, device=device)
    with device.record() as before:
        axpy(1.0, x, y)
        z = y.copy()
    with gp.profile(device) as profile:
        with device.record() as graph:
            axpy(1.0, x, y)
            double(y, x)
        assert sum(row.calls for row in profile.kernels) == 0
        before.replay()
        graph.replay()
        graph.replay()
    assert facts(profile.kernels) == {"axpy": (3, 3 * 400, 3 * 200), "double": (2, 2 * 200, 2 * 200)}
    assert facts(profile.transfers) == {"copy": (1, 200, 200)}
    assert z.numpy().tolist() == [1.0] * 50
    assert y.numpy().tolist() == [6.0] * 50


def test_compilations_are_counted_with_their_time(device: gp.Device) -> None:
    kernel = gp.kernel(add_one)
    y = gp.zeros(10, device=device)
    with gp.profile(device) as first:
        kernel(y)
        kernel(y)
    with gp.profile(device) as second:
        kernel(y)
    (row,) = first.kernels
    assert (row.calls, row.compiles, row.saved_compiles) == (2, 1, 0)
    assert 0.0 < row.compile_seconds < first.seconds
    (row,) = second.kernels
    assert (row.calls, row.compiles, row.compile_seconds) == (1, 0, 0.0)
    assert re.search(r"^add_one .* [\d.]+ [mu]?s$", str(first), re.MULTILINE)
    assert re.search(r"^add_one .* -$", str(second), re.MULTILINE)


def test_a_kernel_from_the_cache_on_disk_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_CACHE", "on")
    monkeypatch.setenv("GPUCORE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_stores", {})
    y = gp.zeros(10, device="cpu")
    saved = []
    for _ in range(2):
        with gp.profile("cpu") as profile:
            gp.kernel(add_one)(y)
        saved.append([(row.compiles, row.saved_compiles) for row in profile.kernels])
    assert saved == [[(1, 0)], [(1, 1)]]
    assert re.search(r"^add_one .* [mu]s \(disk\)$", str(profile), re.MULTILINE)


def test_kernels_in_debug_mode_are_measured_and_fail_as_usual(device: gp.Device) -> None:
    y = gp.zeros(40, device=device)
    with gp.profile(device) as profile:
        checked(y, invocations=32)
        with pytest.raises(gp.OutOfRangeError):
            run(checked, y)  # 64 invocations
    assert y.numpy().tolist() == [2.0] * 32 + [1.0] * 8
    calls = 1 if device.id == "simulator:0" else 2
    assert facts(profile.kernels) == {"checked": (calls, calls * 160, calls * 160)}


def test_threads_are_counted_together(device: gp.Device) -> None:
    arrays = [gp.zeros(32, device=device) for _ in range(4)]
    x = gp.ones(32, device=device)

    def work(y: gp.Array) -> None:
        for _ in range(25):
            axpy(1.0, x, y)
        device.synchronize()

    with gp.profile() as profile:
        threads = [threading.Thread(target=work, args=(y,), name=f"worker {k}") for k, y in enumerate(arrays)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert facts(profile.kernels) == {"axpy": (100, 100 * 256, 100 * 128)}
    assert [y.numpy().tolist() for y in arrays] == [[25.0] * 32] * 4
    check_times(profile)


def test_the_table_and_the_json_have_the_rows(device: gp.Device) -> None:
    x, y = gp.ones(2500, device=device), gp.empty(2500, device=device)
    with gp.profile(device) as profile:
        double(x, y)
        double(x, y)
    (row,) = profile.kernels
    head, rule, line, total, empty, *under = str(profile).splitlines()
    assert head.split() == [
        "kernel", "device", "calls", "time", "mean", "min", "share", "read", "written", "GB/s", "compile",
    ]  # fmt: skip
    assert set(rule) == {"-", " "} and empty == ""
    where = device.id if row.timestamps == "device" else f"{device.id} (host)"
    assert re.split(r"  +", line)[:3] == ["double", where, "2"]
    assert re.split(r"  +", line)[6:9] == ["100.0%", "20 kB", "20 kB"]
    assert total.split()[:2] == ["total", "2"]
    assert len(under) == (1 if row.timestamps == "device" else 2)
    shown = json.loads(json.dumps(profile.to_json()))
    assert shown["devices"] == [
        {"id": device.id, "name": device.name, "timestamps": row.timestamps, "seconds": row.seconds}
    ]
    assert shown["transfers"] == []
    assert [ProfileRow(**each) for each in shown["kernels"]] == [row]
    assert row.bytes_per_second == 40000 / row.seconds
