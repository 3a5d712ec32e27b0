"""The trace: the structure of the file, lanes, and events in them."""

from __future__ import annotations

import json
import threading
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from profiled_kernels import add_one, axpy, double

import gpucore as gp

Events = list[dict[str, Any]]
FIELDS = {"name": str, "ph": str, "ts": float, "dur": float, "pid": int, "tid": int, "args": dict}


def traced(profile: Any, folder: Path) -> tuple[Events, dict[int, str], dict[tuple[int, int], str]]:
    """The events of a trace, whose structure is checked, and the names of its processes and lanes."""
    path = folder / "trace.json"
    profile.save(path)
    document = json.loads(path.read_text(encoding="utf-8"))
    assert set(document) == {"traceEvents", "displayTimeUnit", "otherData"}
    assert document["otherData"]["events left out"] == 0
    processes, lanes, events = {}, {}, []
    for event in document["traceEvents"]:
        assert {name: type(event[name]) for name in FIELDS} == FIELDS, event
        if event["ph"] == "X":
            assert isinstance(event["cat"], str) and event["dur"] >= 0.0
            assert -1.0 <= event["ts"] <= event["ts"] + event["dur"] <= profile.seconds * 1e6 + 1.0, event
            events.append(event)
            continue
        assert event["ph"] == "M"
        if event["name"] == "process_name":
            processes[event["pid"]] = event["args"]["name"]
        elif event["name"] == "thread_name":
            lanes[event["pid"], event["tid"]] = event["args"]["name"]
    assert {(event["pid"], event["tid"]) for event in events} <= set(lanes)
    assert {pid for pid, _ in lanes} <= set(processes)
    check_nesting(events)
    return events, processes, lanes


def check_nesting(events: Events) -> None:
    """In a lane an event ends before the next one begins, or is within it."""
    open_ends: dict[tuple[int, int], list[float]] = defaultdict(list)
    for event in events:
        ends, end = open_ends[event["pid"], event["tid"]], event["ts"] + event["dur"]
        while ends and ends[-1] <= event["ts"] + 1e-3:
            ends.pop()
        assert not ends or end <= ends[-1] + 1e-3, event
        ends.append(end)


def test_the_host_and_the_device_have_lanes(device: gp.Device, tmp_path: Path) -> None:
    kernel = gp.kernel(add_one)
    x, y = gp.ones(100, device=device), gp.zeros(100, device=device)
    axpy(1.0, x, y)  # compiled before
    with gp.profile(device) as profile:
        kernel(y)
        axpy(1.0, x, y)
        axpy(1.0, x, y)
        y.set(y.copy().numpy())
        device.synchronize()
    events, processes, lanes = traced(profile, tmp_path)
    assert processes == {1: "host", 2: f"{device.id} ({device.name})"}
    assert lanes == {(1, 1): threading.current_thread().name, (2, 1): "queue"}
    work = [event for event in events if event["pid"] == 2]
    kinds = ["kernel", "kernel", "kernel", "copy", "download", "upload"]
    assert [event["cat"] for event in work] == kinds
    assert [event["name"] for event in work] == ["add_one", "axpy", "axpy", "copy", "download", "upload"]
    workgroups = 1 if device.backend.coarsens else 4  # of an element-wise kernel one does the work of several
    assert work[1]["args"] == {"bytes read": 800, "bytes written": 400, "workgroups": [workgroups, 1, 1]}
    assert work[5]["args"] == {"bytes read": 0, "bytes written": 400}
    seconds = sum(event["dur"] for event in work) * 1e-6
    assert seconds == pytest.approx(sum(row.seconds for row in profile.kernels + profile.transfers))
    assert seconds <= profile.seconds
    host = Counter(event["name"] for event in events if event["pid"] == 1 and event["cat"] in ("launch", "transfer"))
    assert host == {"launch add_one": 1, "launch axpy": 2, "copy": 1, "upload": 1, "download": 1}
    compiled = {event["name"]: event for event in events if event["cat"] == "compile"}
    assert set(compiled) == {"lower add_one", "compile add_one", "driver compiles add_one"}
    inner, outer = compiled["driver compiles add_one"], compiled["compile add_one"]
    assert outer["ts"] <= inner["ts"] and inner["dur"] <= outer["dur"]
    (row,) = (row for row in profile.kernels if row.name == "add_one")
    lowered = compiled["lower add_one"]
    assert lowered["ts"] + lowered["dur"] <= outer["ts"]
    assert row.compile_seconds == pytest.approx((lowered["dur"] + outer["dur"]) * 1e-6)


def test_a_kernel_runs_after_its_launch_and_before_the_end_of_the_wait(device: gp.Device, tmp_path: Path) -> None:
    """What a lane shows may begin with the mark before the launch: 20 ms are allowed, for a machine that is busy."""
    x, y = gp.ones(1000, device=device), gp.zeros(1000, device=device)
    axpy(1.0, x, y)
    with gp.profile(device) as profile:
        for _ in range(5):
            axpy(1.0, x, y)
            device.synchronize()
    events, _, _ = traced(profile, tmp_path)
    launches = [event for event in events if event["cat"] == "launch"]
    kernels = [event for event in events if event["cat"] == "kernel"]
    assert (len(launches), len(kernels)) == (5, 5)
    ends = [*(launch["ts"] for launch in launches[1:]), profile.seconds * 1e6]
    for launch, kernel, end in zip(launches, kernels, ends, strict=True):
        assert launch["ts"] - 2e4 <= kernel["ts"] <= kernel["ts"] + kernel["dur"] <= end + 2e4


def test_threads_and_devices_have_lanes_of_their_own(tmp_path: Path) -> None:
    arrays = {name: [gp.ones(64, device=name), gp.empty(64, device=name)] for name in ("cpu", "simulator")}

    def work(name: str) -> None:
        for _ in range(3):
            double(*arrays[name])

    with gp.profile(["cpu", "simulator"]) as profile:
        for name in arrays:  # one after the other: the second thread may get the id of the first
            thread = threading.Thread(target=work, args=(name,), name=f"for {name}")
            thread.start()
            thread.join()
    events, processes, lanes = traced(profile, tmp_path)
    assert {text.partition(" ")[0] for text in processes.values()} == {"host", "cpu:0", "simulator:0"}
    assert lanes == {  # the last thread read times at the end
        (1, 1): "for cpu", (1, 2): "for simulator", (1, 3): threading.current_thread().name, (2, 1): "queue",
        (3, 1): "queue",
    }  # fmt: skip
    kernels = Counter((event["pid"], event["name"]) for event in events if event["cat"] == "kernel")
    assert kernels == {(2, "double"): 3, (3, "double"): 3}
    launches = Counter((event["tid"], event["args"]["device"]) for event in events if event["cat"] == "launch")
    assert launches == {(1, "cpu:0"): 3, (2, "simulator:0"): 3}


def test_a_wait_is_shown(tmp_path: Path) -> None:
    x, y = gp.ones(1 << 24, device="opencl"), gp.zeros(1 << 24, device="opencl")
    with gp.profile("opencl") as profile:
        for _ in range(20):
            axpy(1.0, x, y)
        gp.device("opencl").synchronize()
    events, _, _ = traced(profile, tmp_path)
    (wait,) = (event for event in events if event["cat"] == "wait")
    assert wait["name"] == "wait for opencl:0" and wait["dur"] > 0.0


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with gp.profile("simulator") as profile:
        pass
    with pytest.raises(FileNotFoundError):
        profile.save(tmp_path / "no folder" / "trace.json")
