"""Recorded work: `device.record()` and `Graph.replay`."""

from __future__ import annotations

import gc
import threading
import tracemalloc

import numpy as np
import pytest

import gpucore as gp
from gpucore.testing import require_device

FACTOR = 2.0


@gp.kernel(workgroup_size=32)
def scale(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = FACTOR * x[i]


@gp.kernel(workgroup_size=32)
def add(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] += x[i]


@gp.kernel(workgroup_size=32, debug=True)
def checked(y: gp.InOut[gp.f32]):
    y[gp.global_id(0)] += 1.0


@pytest.fixture(params=["simulator", "cpu", "wgpu", "opencl", "cuda"])
def device(request: pytest.FixtureRequest) -> gp.Device:
    return require_device(request.param)


def test_nothing_runs_while_it_is_recorded_and_all_of_it_at_each_replay(device: gp.Device) -> None:
    x, y = gp.arange(70, dtype=gp.f32, device=device), gp.zeros(70, device=device)
    with device.record() as graph:
        for _ in range(3):
            add(x, y)
        z = y.copy()
        y[:4] = [7, 7, 7, 7]
    assert graph.num_steps == 5
    assert y.numpy().tolist() == [0.0] * 70
    for times in (1, 2):
        graph.replay()
        after = np.arange(70) * 3.0 * times
        if times == 2:
            after[:4] = 7 + 3 * np.arange(4)
        np.testing.assert_array_equal(z.numpy(), after)
        after[:4] = 7
        np.testing.assert_array_equal(y.numpy(), after)


def test_named_arrays_are_replaced_for_one_replay(device: gp.Device) -> None:
    x, y = gp.arange(40, dtype=gp.f32, device=device), gp.zeros(40, device=device)
    with device.record(x=x, y=y) as graph:
        add(x, y)
        add(x[8:16], y[16:24])
    other, another = gp.full(40, 5, device=device), gp.full(40, 100, device=device)
    graph.replay(x=other)
    graph.replay(y=another)
    graph.replay()
    index = np.arange(40)
    part = np.where((index >= 16) & (index < 24), 1, 0)
    np.testing.assert_array_equal(y.numpy(), 5 + 5 * part + index + part * (index - 8))
    np.testing.assert_array_equal(another.numpy(), 100 + index + part * (index - 8))


def test_memory_of_temporary_arrays_is_kept_until_the_graph_is_dropped(device: gp.Device) -> None:
    device.sequences.clear()  # of other tests
    x, y = gp.arange(50, dtype=gp.f32, device=device), gp.zeros(50, device=device)
    with device.record() as graph:
        temporary = gp.empty(50, device=device)
        scale(x, temporary)
        add(temporary, y)
        del temporary
    x.close()
    del x
    gc.collect()
    fillers = [gp.full(50, -9, device=device) for _ in range(6)]
    graph.replay()
    np.testing.assert_array_equal(y.numpy(), 2.0 * np.arange(50))
    assert all((filler.numpy() == -9).all() for filler in fillers)
    kept = len(device._kept)
    del graph
    gp.empty(50, device=device)
    assert kept and not device._kept and not device._parked


def test_a_changed_global_and_a_dropped_kernel_do_not_matter(
    device: gp.Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, y = gp.ones(33, device=device), gp.zeros(33, device=device)
    with device.record() as graph:
        scale(x, y)
    monkeypatch.setitem(globals(), "FACTOR", 5.0)
    other = gp.zeros(33, device=device)
    scale(x, other)  # compiled again: the variant of the graph is dropped
    gc.collect()
    graph.replay()
    assert y.numpy().tolist() == [2.0] * 33 and other.numpy().tolist() == [5.0] * 33


def test_sort_and_matmul_are_recorded(device: gp.Device) -> None:
    random = np.random.default_rng(4)
    keys = random.integers(0, 2**32, (2, 300), dtype=np.uint32)
    matrix = random.integers(-4, 5, (17, 17)).astype(np.float32)
    x, m = gp.asarray(keys[0], device=device), gp.asarray(matrix, device=device)
    with device.record(x=x) as graph:
        result, product = gp.sort(x), m @ m
    graph.replay()
    np.testing.assert_array_equal(result.numpy(), np.sort(keys[0]))
    np.testing.assert_array_equal(product.numpy(), matrix @ matrix)
    graph.replay(x=gp.asarray(keys[1], device=device))
    np.testing.assert_array_equal(result.numpy(), np.sort(keys[1]))


def test_other_threads_run_meanwhile() -> None:
    device = require_device("cpu")
    x, y = gp.ones(33, device=device), gp.zeros(33, device=device)
    other = gp.zeros(33, device=device)
    add(x, other)
    with device.record() as graph:
        thread = threading.Thread(target=lambda: add(x, other))
        thread.start()
        thread.join()
        add(x, y)
    assert graph.num_steps == 1
    assert other.numpy().tolist() == [2.0] * 33 and y.numpy().tolist() == [0.0] * 33


def test_what_cannot_be_recorded_is_refused(device: gp.Device) -> None:
    x, y = gp.ones(33, device=device), gp.zeros(33, device=device)
    with device.record() as earlier:
        add(x, y)
    with device.record() as graph:
        for wrong in (y.numpy, device.synchronize, device.mark, lambda: checked(y, invocations=32)):
            if device.id == "simulator:0" and wrong.__name__ == "<lambda>":
                continue  # it checks every kernel while it runs, and has no reports to read
            with pytest.raises(gp.ArgumentError, match="cannot be recorded: while"):
                wrong()
        with pytest.raises(gp.ArgumentError, match="after the end of its `with` block"):
            graph.replay()
        with pytest.raises(gp.ArgumentError, match="a replay cannot be recorded: while"):
            earlier.replay()
        assert "closed" not in repr(y)
        with pytest.raises(gp.ArgumentError, match="is recording already"), device.record():
            pass
        add(x, y)
    graph.replay()
    assert y.numpy().tolist() == [1.0] * 33


def test_arrays_that_do_not_fit_are_refused(device: gp.Device) -> None:
    x, y = gp.ones(33, device=device), gp.zeros(33, device=device)
    with device.record(x=x) as graph:
        add(x, y)
    cases = {
        "has no array 'z'; record\\(...\\) named x": {"z": x},
        "'x' has the shape \\(34,\\), and \\(33,\\) was recorded; pass an array of this shape": {
            "x": gp.ones(34, device=device)
        },
        "'x' has the dtype gpucore.i32": {"x": gp.ones(33, gp.i32, device=device)},
        "'x' must be an array on": {"x": np.ones(33, np.float32)},
        "shares memory with another array of the graph": {"x": y},
        "'x' has the offset .* pass a slice that begins at the same place": {"x": gp.ones(64, device=device)[31:]},
        "is in a memory of 256 bytes": {"x": gp.ones(64, device=device)[:33]},
    }
    for message, arrays in cases.items():
        with pytest.raises(gp.ArgumentError, match=message):
            graph.replay(**arrays)
    with pytest.raises(gp.ArgumentError, match="'q' must be an array on"), device.record(q=3):
        pass


def test_named_slices_of_one_array_are_replaced_together(device: gp.Device) -> None:
    both, y = gp.arange(128, dtype=gp.f32, device=device), gp.zeros(64, device=device)
    with device.record(first=both[:64], second=both[64:]) as graph:
        add(both[:64], y)
        add(both[64:], y)
    one, other = gp.full(128, 1, device=device), gp.full(128, 100, device=device)
    with pytest.raises(gp.ArgumentError, match="'second' shares its memory with another array of record"):
        graph.replay(first=one[:64], second=other[64:])
    graph.replay(first=one[:64], second=one[64:])
    assert y.numpy().tolist() == [2.0] * 64


def test_a_block_that_raises_leaves_the_device_as_it_was(device: gp.Device) -> None:
    x, y = gp.ones(33, device=device), gp.zeros(33, device=device)
    graphs = []

    def fail() -> None:
        with device.record() as graph:
            graphs.append(graph)
            add(x, y)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with pytest.raises(gp.ArgumentError, match="one whose block raised an exception cannot be"):
        graphs[0].replay()
    add(x, y)
    assert y.numpy().tolist() == [1.0] * 33


def test_a_closed_device_refuses_to_replay() -> None:
    device = require_device("simulator")
    x, y = gp.ones(33, device=device), gp.zeros(33, device=device)
    with device.record() as graph:
        add(x, y)
    device.close()
    with pytest.raises(gp.ClosedError, match="simulator:0 is closed"):
        graph.replay()


@gp.kernel
def work_long(x: gp.InOut[gp.f32], turns: gp.i32):
    i = gp.global_id(0)
    if i < x.size:
        value = x[i]
        for _ in range(turns):
            value = value * 0.5 + 1.0
        x[i] = value


def test_replays_of_stores_keep_little_memory_of_the_host(device: gp.Device) -> None:
    is_slow = device.info.backend == "simulator"
    x, y = gp.zeros(1 << 21, device=device), gp.zeros(10 if is_slow else 1000, device=device)
    work_long(y, 1)
    with device.record() as graph:
        work_long(y, 10 if is_slow else 20_000)
        x.set(np.ones(1 << 21, np.float32))
    tracemalloc.start()
    try:
        for _ in range(30):
            graph.replay()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100 << 20  # of 240 MiB
    assert (x.numpy() == 1.0).all()
