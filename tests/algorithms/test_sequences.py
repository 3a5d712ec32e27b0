"""Sequences of launches that the library records for itself: the sorts of small arrays."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import numpy as np
import pytest
from sort_ways import sort_by

import gpucore as gp
from gpucore.sequences import repeat
from gpucore.testing import require_device

SIZE = 5001  # more than a tile: several dispatches


@pytest.fixture(params=["cpu", "wgpu", "opencl", "cuda"])
def machine(request: pytest.FixtureRequest) -> Any:
    opened = require_device(request.param)
    opened.sequences.clear()
    yield opened
    opened.sequences.clear()


def keys(seed: int, size: int = SIZE) -> Any:
    return np.random.default_rng(seed).integers(0, 1 << 32, size, dtype=np.uint32)


def check(device: gp.Device, seed: int, size: int = SIZE, descending: bool = False) -> None:
    host = keys(seed, size)
    expected = np.sort(host)[::-1] if descending else np.sort(host)
    assert (sort_by("bitonic", gp.asarray(host, device=device), descending).numpy() == expected).all()


def test_every_repetition_sorts_its_own_array(machine: gp.Device) -> None:
    for seed in range(6):
        check(machine, seed)
        check(machine, seed, descending=True)
        check(machine, seed, SIZE + seed % 2)
    assert len(machine.sequences) == 3
    results = [sort_by("bitonic", gp.asarray(keys(seed), device=machine), False) for seed in range(10)]
    for seed, result in enumerate(results):
        assert (result.numpy() == np.sort(keys(seed))).all()


def test_parts_of_arrays_and_large_ones_are_not_replayed(machine: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpucore.sequences._MAX_NBYTES", 8 * SIZE + 8)
    for seed in range(4):
        host = keys(seed, 2 * SIZE)
        x = gp.asarray(host, device=machine)
        assert (sort_by("bitonic", x[64 : SIZE + 64], False).numpy() == np.sort(host[64 : SIZE + 64])).all()
        assert (sort_by("bitonic", x, False).numpy() == np.sort(host)).all()
    assert not machine.sequences


def test_the_memory_of_arrays_is_not_kept(machine: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    x = gp.asarray(keys(0), device=machine)
    for _ in range(2):
        sort_by("bitonic", x, False)
    machine.synchronize()
    driver, sizes = machine.driver_device, []
    allocate = driver.allocate
    monkeypatch.setattr(driver, "allocate", lambda nbytes: [sizes.append(nbytes), allocate(nbytes)][1])
    for _ in range(3):
        assert (sort_by("bitonic", x, False).numpy() == np.sort(keys(0))).all()
    assert sizes == []


def test_there_are_few_sequences(machine: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpucore.sequences._MAX_SEQUENCES", 3)
    for turn in range(3):
        for size in range(SIZE, SIZE + 5):
            check(machine, turn, size)
    assert len(machine.sequences) == 3


def sum_of_outer_axes(device: gp.Device, columns: int) -> None:
    """In two launches: between them are 8 * columns sums, of 4 bytes each."""
    host = np.arange(8 * columns * 3, dtype=np.int32).reshape(8, columns, 3)
    assert (gp.sum(gp.asarray(host, device=device), axis=(0, 2)).numpy() == host.sum(axis=(0, 2))).all()


def graphs(device: gp.Device) -> list[Any]:
    return [graph for graph in device.sequences.values() if graph]


def test_sequences_with_much_temporary_memory_are_not_kept(machine: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpucore.sequences.MAX_KEPT", 16_000)
    for _ in range(4):
        for columns in (500, 1000):
            sum_of_outer_axes(machine, columns)
    assert len(machine.sequences) == 2 and [graph.kept_nbytes for graph in graphs(machine)] == [16_384]


def test_all_sequences_together_keep_some_temporary_memory(machine: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpucore.sequences._MAX_ALL_KEPT", 40_000)
    for columns in (500, 501, 502, 503):
        for _ in range(3):
            sum_of_outer_axes(machine, columns)
    assert [graph.kept_nbytes for graph in graphs(machine)] == [16_384, 16_384]


def test_a_sort_is_recorded_by_the_users_graph(machine: gp.Device) -> None:
    for seed in range(3):
        check(machine, seed)
    x = gp.asarray(keys(1), device=machine)
    with machine.record(x=x) as graph:
        result = sort_by("bitonic", x, False)
    assert graph.num_steps > 1
    graph.replay(x=gp.asarray(keys(2), device=machine))
    assert (result.numpy() == np.sort(keys(2))).all()


def test_sorts_in_streams_and_threads_share_a_sequence(machine: gp.Device) -> None:
    for seed in range(3):
        check(machine, seed)
    failures: list[BaseException] = []

    def work(first: int) -> None:
        try:
            with machine.stream():
                for seed in range(first, first + 10):
                    check(machine, seed)
        except BaseException as error:  # noqa: BLE001 (told to the test)
            failures.append(error)

    threads = [threading.Thread(target=work, args=(100 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_the_device_is_free_while_another_thread_compiles_a_sequence(machine: gp.Device) -> None:
    """Whoever compiles holds the kernel's lock, and asks for the device's."""
    x = gp.zeros(10, device=machine)
    for _ in range(2):  # at its first use, and when it is recorded

        @gp.kernel
        def fresh(x: gp.InOut[gp.f32]):
            i = gp.global_id(0)
            if i < x.size:
                x[i] = x[i] + 1.0

        begun = threading.Event()

        def queue(x: gp.Array, kernel: Any = fresh, begun: threading.Event = begun) -> None:
            begun.set()
            kernel(x)

        thread = threading.Thread(target=repeat, args=(machine, "of the test", {"x": x}, queue))
        with fresh._lock:
            thread.start()
            assert begun.wait(30)
            is_free = machine.lock.acquire(timeout=10)
        if is_free:
            machine.lock.release()
        thread.join(30)
        assert is_free and not thread.is_alive()
    assert x.tolist() == [2.0] * 10
    assert machine.sequences["of the test"].num_steps == 1


def test_a_users_recording_waits_for_one_of_the_library(machine: gp.Device) -> None:
    for seed in range(2):
        check(machine, seed)
    failures: list[BaseException] = []

    def work(first: int) -> None:
        try:
            for seed in range(first, first + 8):
                check(machine, seed, SIZE + seed % 4)
        except BaseException as error:  # noqa: BLE001 (told to the test)
            failures.append(error)

    thread = threading.Thread(target=work, args=(100,))
    thread.start()
    x = gp.zeros(10, device=machine)
    for _ in range(50):
        with machine.record() as graph:
            x.fill(1.0)
        assert graph.num_steps == 1
    thread.join()
    assert not failures


def test_the_sequences_end_with_their_device() -> None:
    device = require_device("cpu")
    device.sequences.clear()  # of other tests
    for seed in range(3):
        check(device, seed)
    graphs = [weakref.ref(graph) for graph in device.sequences.values()]
    assert graphs
    device.close()
    gc.collect()
    assert not any(graph() for graph in graphs)
    check(gp.device("cpu"), 1)
