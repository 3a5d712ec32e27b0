"""The algorithms as parts of programs: in graphs, streams and threads, interrupted, and given arrays of any layout."""

from __future__ import annotations

import dataclasses
import operator
import threading
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from typing import Any

import numpy as np
import pytest
from drawn import COUNTING, REDUCE, SCAN, SORT, changed

import gpucore as gp
from gpucore.testing import require_device

SIZE = 1000
SHAPES: dict[str, Any] = {
    "sort": dataclasses.replace(SORT, radix_from=1),  # compiled soonest
    "reduce": REDUCE, "scan": SCAN, "counting": COUNTING,
}  # fmt: skip

Call = Callable[[Any], Any]
CALLS: dict[str, tuple[Call, Call]] = {
    "sort": (gp.sort, np.sort),
    "sort, descending": (lambda x: gp.sort(x, True), lambda v: np.sort(v)[::-1]),
    "argsort": (gp.argsort, lambda v: np.argsort(v, kind="stable")),
    "sort_by_key": (lambda x: gp.sort_by_key(x, x)[1], np.sort),
    "sort, rows": (lambda x: gp.sort(x.reshape(40, 25), axis=0), lambda v: np.sort(v.reshape(40, 25), axis=0)),
    "segmented_sort": (
        lambda x: gp.segmented_sort(x, [0, 400, 400, SIZE]),
        lambda v: np.concatenate([np.sort(v[:400]), np.sort(v[400:])]),
    ),
    "topk": (lambda x: gp.topk(x, 7)[0], lambda v: np.sort(v)[::-1][:7]),
    "sum": (gp.sum, lambda v: v.sum(dtype=np.int32)),
    "min": (gp.min, np.min),
    "argmax": (gp.argmax, np.argmax),
    "cumsum": (gp.cumsum, lambda v: v.cumsum(dtype=np.int32)),
    "scan": (lambda x: gp.scan(max, x, initial=20), lambda v: np.maximum.accumulate(np.maximum(v, 20))),
    "reduce": (lambda x: gp.reduce(operator.xor, x), np.bitwise_xor.reduce),
    "histogram": (lambda x: gp.histogram(x, 13, (0, 1000))[0], lambda v: np.histogram(v, 13, (0, 1000))[0]),
}
WAITING: dict[str, tuple[Call, Call]] = {
    "compact": (lambda x: gp.compact(x, x > 500), lambda v: v[v > 500]),
    "nonzero": (lambda x: gp.nonzero(x % 3)[0], lambda v: np.flatnonzero(v % 3)),
    "bincount": (gp.bincount, np.bincount),
}
FEW = ("sort", "sum", "cumsum")
"""For devices whose compilers are slow."""


@pytest.fixture(params=["cpu", "wgpu"])
def machine(request: pytest.FixtureRequest) -> Iterator[gp.Device]:
    """A device on which small arrays take several launches."""
    opened = require_device(request.param)
    opened.sequences.clear()
    with changed(opened, **SHAPES) if request.param == "cpu" else nullcontext():
        yield opened
    opened.sequences.clear()


def numbers(seed: int) -> Any:
    return np.random.default_rng(seed).integers(0, 1000, SIZE).astype(np.int32)


def named(device: gp.Device, calls: dict[str, tuple[Call, Call]]) -> dict[str, tuple[Call, Call]]:
    return calls if device.backend.name == "cpu" else {name: calls[name] for name in FEW if name in calls}


def test_in_a_graph(machine: gp.Device) -> None:
    """A user's graph has the launches themselves, whether or not the library has recorded its own before."""
    for name, (call, expected) in named(machine, CALLS).items():
        values = [numbers(seed) for seed in range(3)]
        arrays = [gp.asarray(each, device=machine) for each in values]
        for _ in range(2):
            with machine.record(x=arrays[0]) as graph:
                made = call(arrays[0])
            for each, array in zip(values, arrays, strict=True):
                graph.replay(x=array)
                assert np.array_equal(made.numpy(), expected(each)), name
            for each in values:  # between: the library's own sequence
                assert np.array_equal(call(gp.asarray(each, device=machine)).numpy(), expected(each)), name


def test_what_waits_cannot_be_recorded(machine: gp.Device) -> None:
    x = gp.asarray(numbers(0), device=machine)
    for name, (call, expected) in named(machine, WAITING).items():
        with pytest.raises(gp.ArgumentError, match="cannot be recorded"), machine.record():
            call(x)
        assert np.array_equal(call(x).numpy(), expected(numbers(0))), name


def test_in_threads_and_streams(machine: gp.Device) -> None:
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            for turn in range(4):
                values = numbers(10 * seed + turn)
                with machine.stream() if seed % 2 else nullcontext():
                    x = gp.asarray(values, device=machine)
                    made = {name: call(x) for name, (call, _) in named(machine, {**CALLS, **WAITING}).items()}
                for name, array in made.items():
                    assert np.array_equal(array.numpy(), {**CALLS, **WAITING}[name][1](values)), name
        except BaseException as error:  # noqa: BLE001 (told to the test)
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@pytest.mark.parametrize("name", ["sort", "argsort", "sort_by_key", "min", "cumsum", "compact"])
def test_an_interrupted_call_harms_no_later_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C before each launch: of the first call, when it is recorded, and of a replay."""
    machine, (call, expected) = require_device("cpu"), {**CALLS, **WAITING}[name]
    values = numbers(1)
    x, driver = gp.asarray(values, device=machine), machine.driver_device
    plain, left = driver.dispatch, [0]

    def dispatch(*args: Any) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt
        plain(*args)

    monkeypatch.setattr(driver, "is_plain", False)  # every dispatch passes `dispatch`
    monkeypatch.setattr(driver, "dispatch", dispatch)
    with changed(machine, **SHAPES):
        for before in range(3):  # calls that are not interrupted
            for number in range(1, 12):
                machine.sequences.clear()
                for _ in range(before):
                    call(x)
                left[0] = number
                with suppress(KeyboardInterrupt):
                    call(x)
                left[0] = 0
                for _ in range(3):
                    assert np.array_equal(call(x).numpy(), expected(values)), (before, number)
    machine.sequences.clear()
    recorded: list[int] = []

    def record() -> None:
        with machine.record() as graph:
            gp.zeros(3, device=machine)
        recorded.append(graph.num_steps)

    thread = threading.Thread(target=record, daemon=True)  # another thread records: no lock was left behind
    thread.start()
    thread.join(30)
    assert recorded


def layouts(values: Any) -> dict[str, Any]:
    read_only = values.copy()
    read_only.flags.writeable = False
    return {
        "Fortran's order": np.asfortranarray(values), "every other": np.repeat(values, 2, 1)[:, ::2],
        "backwards": values[::-1, ::-1].copy()[::-1, ::-1], "big-endian": values.astype(">i4"),
        "read-only": read_only, "one row": values[:1],
        "unaligned": np.frombuffer(b"x" + values.tobytes(), np.int32, offset=1).reshape(values.shape),
    }  # fmt: skip


def test_numpy_arrays_of_any_layout() -> None:
    """Whatever the layout, elements are in the order of NumPy's indices."""
    for name, given in layouts(numbers(3).reshape(20, 50)).items():
        host, options = np.ascontiguousarray(given, np.int32), {"device": "cpu"}
        results = {
            "sort": (gp.sort(given, axis=0, **options), np.sort(host, 0)),
            "argsort": (gp.argsort(given, axis=None, **options), np.argsort(host, None, kind="stable")),
            "cumsum": (gp.cumsum(given, **options), host.cumsum(dtype="i4")),
            "sum": (gp.sum(given, 0, **options), host.sum(0, dtype="i4")),
            "argmin": (gp.argmin(given, **options), host.argmin()),
            "compact": (gp.compact(given, given > 500, **options), host[host > 500]),
            "nonzero": (np.stack(gp.nonzero(given, **options)), np.stack(np.nonzero(host))),
            "bincount": (gp.bincount(given, **options), np.bincount(host.ravel())),
        }
        for call, (got, wanted) in results.items():
            assert np.array_equal(got, wanted), (name, call)
            assert got.dtype.isnative
    out = np.zeros((50, 20), np.int32).T
    values = numbers(4).reshape(20, 50)
    assert gp.sort(values, out=out, device="cpu") is out and np.array_equal(out, np.sort(values))
    out.flags.writeable = False
    with pytest.raises(gp.ArgumentError, match="out is read-only"):
        gp.sort(values, out=out, device="cpu")


def test_arrays_that_a_device_cannot_hold_or_bind(device: gp.Device) -> None:
    """The limits of lavapipe: an array of 128 MiB, and one of more."""
    most = device.limits.max_binding_size
    if most > 1 << 28:
        pytest.skip(f"{device.id} binds {most} bytes, more than a test should take")
    x = gp.zeros(most // 4 + 16, gp.u32, device=device)
    for call in (gp.sort, gp.argsort, gp.sum, gp.cumsum, gp.argmin):
        with pytest.raises(gp.ArgumentError, match=r"can access at most \d+ bytes of an array \(max_binding_size\)"):
            call(x)
    with x[16:].copy() as fitting:
        assert gp.sum(fitting).item() == 0 and gp.cumsum(fitting)[-1].item() == 0
