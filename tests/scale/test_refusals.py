"""What is refused before anything runs: whole messages, each with the way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest
from distributed import Client, LocalCluster

import gpucore as gp
import gpucore_dask as gd

Call = Callable[[], Any]


def _ones(size: int = 10, chunks: Any = 5, dtype: str = "f4") -> da.Array:
    return da.ones(size, chunks=chunks, dtype=dtype)


def _unknown() -> da.Array:
    return da.arange(10, chunks=5)[da.arange(10, chunks=5) > 3]


@gp.kernel
def in_place(x: gp.InOut[gp.f32]) -> None:
    i = gp.global_id(0)
    if i < x.size:
        x[i] = x[i] + 1.0


@gp.kernel
def two_outs(x: gp.In[gp.f32], y: gp.Out[gp.f32], z: gp.Out[gp.f32]) -> None:
    i = gp.global_id(0)
    if i < x.size:
        y[i] = x[i]
        z[i] = x[i]


@gp.kernel
def count(x: gp.In[gp.i32], counts: gp.Out[gp.i32]) -> None:
    i = gp.global_id(0)
    if i < x.size:
        gp.atomic_add(counts, x[i], 1)


@gp.kernel
def double(x: gp.In[gp.f32], y: gp.Out[gp.f32]) -> None:
    i = gp.global_id(0)
    if i < y.size:
        y[i] = 2.0 * x[i]


REFUSED: dict[str, tuple[Call, str]] = {
    "no dask.array": (
        lambda: gd.sort(np.ones(3)),  # type: ignore[arg-type]
        "gd.sort: x must be a dask.array, not ndarray; make one with dask.array.from_array, or use gp.sort for "
        "one device",
    ),
    "unknown chunks": (
        lambda: gd.sort(_unknown()),
        "gd.sort: the chunks of x are unknown; call x.compute_chunk_sizes() before",
    ),
    "rank": (
        lambda: gd.sort(da.ones((4, 4), chunks=2)),
        "gd.sort: x must be of rank 1, not of shape (4, 4); reshape it",
    ),
    "dtype": (
        lambda: gd.sort(_ones(dtype="c8")),
        "gd.sort: x has the dtype complex64; it takes integers of 8 to 64 bits and floats of 16 to 64 bits: convert it "
        "with x.astype",
    ),
    "object": (
        lambda: gd.sort(da.from_array(np.array([1, "a"], object), chunks=1)),
        "gd.sort: x has the dtype object; it takes integers of 8 to 64 bits and floats of 16 to 64 bits: "
        "convert it with "
        "x.astype",
    ),
    "byte order": (
        lambda: gd.sort(_ones(dtype=">f4")),
        "gd.sort: x has the dtype '>f4', in the other byte order; convert it with x.astype('<f4')",
    ),
    "masked": (
        lambda: gd.sort(da.ma.masked_array(np.ones(4), mask=[0, 1, 0, 1])),
        "gd.sort: the blocks of x are numpy.ma.MaskedArray, and tasks take NumPy arrays; convert them, as in "
        "x.map_blocks(to_numpy)",
    ),
    "n < p": (
        lambda: gd.sort(da.from_array(np.ones(2, np.float32), chunks=((1, 0, 1),))),
        "gd.sort: 2 elements in 3 chunks are less than one for each; rechunk them, as in x.rechunk(-1)",
    ),
    "p > 2000": (
        lambda: gd.sort(_ones(6_003, 3)),
        "gd.sort: 2001 chunks are more than 2000; take larger ones, as in x.rechunk(4)",
    ),
    "direction": (
        lambda: gd.sort(_ones(), 1),  # type: ignore[arg-type]
        "descending must be True or False, not 1",
    ),
    "exchange": (
        lambda: gd.sort(_ones(), exchange="mail"),
        "gd.sort: exchange must be one of auto, tasks, p2p, not 'mail'",
    ),
    "length of values": (
        lambda: gd.sort_by_key(_ones(), _ones(11)),
        "gd.sort_by_key: values 1 have shape (11,), and there are 10 keys; give one element or row for each key",
    ),
    "chunks of values": (
        lambda: gd.sort_by_key(_ones(), _ones(10, 3)),
        "gd.sort_by_key: values 1 are not in the chunks of the keys; rechunk them, as in values.rechunk({0: "
        "keys.chunks[0], 1: -1})",
    ),
    "rows by p2p": (
        lambda: gd.sort_by_key(_ones(), da.ones((10, 2), chunks=(5, 2)), exchange="p2p"),
        'gd.sort_by_key: p2p moves values of rank 1; take exchange="tasks" for rows, or sort their indices',
    ),
    "inner lengths": (
        lambda: gd.matmul(da.ones((2, 3)), da.ones((4, 5))),
        "gd.matmul: shapes (2, 3) and (4, 5) do not fit; a has as many columns as b rows",
    ),
    "two dtypes": (
        lambda: gd.matmul(da.ones((2, 3), dtype="f4"), da.ones((3, 5), dtype="f8")),
        "gd.matmul takes arrays of one dtype, not float32 and float64; convert one with astype",
    ),
    "small integers": (
        lambda: gd.matmul(da.ones((2, 3), dtype="i1"), da.ones((3, 5), dtype="i1")),
        "gd.matmul takes no int8, whose sums overflow; convert both with astype('int32')",
    ),
    "block": (
        lambda: gd.matmul(da.ones((2, 3)), da.ones((3, 5)), block=0),
        'gd.matmul: block must be a positive integer, "auto" or None, not 0',
    ),
    "InOut": (
        lambda: gd.map_blocks(in_place, _ones(), dtype="f4"),
        "gd.map_blocks: in_place changes 'x' in place, and a block is all that a call sees; take an In and an "
        "Out instead",
    ),
    "two Outs": (
        lambda: gd.map_blocks(two_outs, _ones(), dtype="f4"),
        "gd.map_blocks: two_outs writes y, z, and a call makes one array; use a kernel with one Out for each",
    ),
    "atomics": (
        lambda: gd.map_blocks(count, _ones(dtype="i4"), dtype="i4"),
        "gd.map_blocks: count reaches 'counts' by atomics, which do not add up across blocks: a block is all "
        "that a call "
        "sees; reduce each block, and then the results",
    ),
    "arguments": (
        lambda: gd.map_blocks(double, _ones(), 2.0, dtype="f4"),
        "gd.map_blocks: double takes 1 arguments beside its Out (x), and got 2",
    ),
    "no kernel": (lambda: gd.ship(print), "gd.ship takes a kernel, made by @gp.kernel, not <built-in function print>"),
    "devices": (
        lambda: gd.LocalDevices("cuda:0"),
        'LocalDevices takes a list of ids, as ["cuda:0", "cuda:1"], not \'cuda:0\'',
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_message_has_the_way_out(name: str, client: Client) -> None:
    call, message = REFUSED[name]
    with pytest.raises(gp.ArgumentError) as raised:
        call()
    assert str(raised.value) == message


def test_there_is_no_client() -> None:
    """In a process of its own: the tests have one."""
    with dask.config.set({"scheduler": "threads"}), pytest.MonkeyPatch.context() as patch:
        patch.setattr("gpucore_dask.refusals.default_client", _no_client)
        with pytest.raises(gp.ArgumentError) as raised:
            gd.sort(_ones())
    assert str(raised.value) == (
        "gd.sort needs a client of dask.distributed, and there is none: use gp.sort for one device, or begin with "
        'gd.LocalDevices(["cuda:0", "cuda:1"])'
    )


def _no_client() -> Client:
    raise ValueError("No clients found")


def _feign(patch: pytest.MonkeyPatch, **facts: Any) -> None:
    """Workers whose devices have these facts."""
    plain = gd.WorkerDevice("cuda:0", "A GPU", "1.0", 0, 1 << 40, True, 1, 0)
    patch.setattr("gpucore_dask.refusals.devices", lambda _: {"tcp://1": plain._replace(**facts)})


@pytest.mark.parametrize(
    ("call", "facts", "message"),
    [
        (
            lambda: gd.sort(_ones(4_000, 2_000)),
            {"memory": 10_000},
            "gd.sort: the chunks are too large for cuda:0 of the worker tcp://1: a task holds 32000 bytes, and "
            "it has 10000 "
            "there; take smaller ones, as in x.rechunk(1000)",
        ),
        (
            lambda: gd.sort(_ones(4_000, 2_000)),
            {"largest_array": 8_000},
            "gd.sort: the chunks are too large for cuda:0 of the worker tcp://1: a task holds an array of 9600 "
            "bytes, and "
            "kernels bind 8000 there; take smaller ones, as in x.rechunk(1000)",
        ),
        (
            lambda: gd.matmul(da.ones((90, 90), dtype="f4"), da.ones((90, 90), dtype="f4")),
            {"memory": 100_000},
            "gd.matmul: the chunks are too large for cuda:0 of the worker tcp://1: a task holds 162000 bytes, "
            "and it has "
            "100000 there; take smaller ones, as in block=70",
        ),
    ],
)
def test_chunks_above_a_device_are_refused(
    call: Call, facts: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    _feign(monkeypatch, **facts)
    with pytest.raises(gp.ArgumentError) as raised:
        call()
    assert str(raised.value) == message


def test_the_chunk_that_a_message_names_is_accepted(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    _feign(monkeypatch, memory=100_000)
    assert gd.matmul(da.ones((90, 90), dtype="f4"), da.ones((90, 90), dtype="f4"), block=70).shape == (90, 90)


def test_p2p_without_its_extra(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(gp.ArgumentError) as raised:
        gd.sort(_ones(), exchange="p2p")
    assert str(raised.value) == (
        "gd.sort: the exchange by p2p needs pandas and pyarrow: pip install pandas pyarrow; or take "
        'exchange="tasks", or fewer chunks'
    )


def test_a_block_that_is_not_what_the_array_says(client: Client) -> None:
    masked = _ones().map_blocks(lambda block: np.ma.masked_array(block), meta=np.empty(0, np.float32))
    with pytest.raises(gp.ArgumentError, match=r"a block is of numpy\.ma\.MaskedArray, and tasks take NumPy arrays"):
        gd.sort(masked).compute()
    other = _ones().map_blocks(lambda block: block.astype(np.float64), meta=np.empty(0, np.float32))
    with pytest.raises(gp.ArgumentError, match="a block has the dtype float64, and its array says float32"):
        gd.sort(other).compute()


def test_a_task_in_a_process_without_a_device_raises(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    """No annotation of Dask keeps tasks on workers with a device: the task itself looks."""
    monkeypatch.delenv("GPUCORE_BACKEND", raising=False)
    with pytest.raises(
        gp.ArgumentError, match="names no device in GPUCORE_BACKEND; tasks of gpucore_dask run on workers"
    ):
        gd.sort(_ones()).compute(scheduler="synchronous")


def test_workers_without_a_device_or_with_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPUCORE_BACKEND", raising=False)
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address="127.0.0.1:0", protocol="tcp"
        ) as cluster,
        Client(cluster) as own,
    ):
        with pytest.raises(gp.ArgumentError, match="names no device in GPUCORE_BACKEND"):
            gd.devices(own)
        monkeypatch.setenv("GPUCORE_BACKEND", "cpu:0")
        with pytest.raises(
            gp.ArgumentError, match="has 2 threads, which would share cpu:0; start it with --nthreads 1"
        ):
            gd.devices(own)


@pytest.mark.parametrize("limit", ["much", 0.5, -1, "1 parsec", True])
def test_limits_of_memory_that_are_none(limit: Any) -> None:
    with pytest.raises(gp.ArgumentError, match=r"LocalDevices: memory_limit is bytes for each worker, as "):
        gd.LocalDevices(["cpu:0"], memory_limit=limit)


@pytest.mark.parametrize("limit", [None, "auto", 0, 1 << 30, "1GiB"])
def test_limits_of_memory(limit: Any) -> None:
    gd.LocalDevices(["cpu:0"], memory_limit=limit)
