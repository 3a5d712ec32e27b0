"""Structs, enums and new types."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import gpucore as gp
from gpucore.testing.checks import Host, check, check_bits, poisoned, upload
from gpucore.testing.kernels import records as kernels
from gpucore.types import as_dtype

_RECORD = as_dtype(kernels.Record)


def _records(size: int) -> Host:
    """Structs whose every field holds small whole numbers; the gaps are 0xCD."""
    numbers = np.random.default_rng(size)
    made = np.full(size * _RECORD.itemsize, 0xCD, np.uint8).view(_RECORD.dtype)
    made["key"] = numbers.integers(0, 1 << 30, size)
    made["point"]["at"] = numbers.integers(-9, 9, (size, 2))
    made["point"]["weight"] = numbers.integers(1, 5, size)
    made["count"] = numbers.integers(-99, 99, size)
    made["color"] = numbers.integers(0, 1 << 30, (size, 4))
    return made


def _check_records(actual: Host, wanted: Host) -> None:
    for path in (("key",), ("point", "at"), ("point", "weight"), ("count",), ("color",)):
        a, b = actual, wanted
        for name in path:
            a, b = a[name], b[name]
        check_bits(np.ascontiguousarray(a), np.ascontiguousarray(b), ".".join(path))


def _updated(records: Host, shift: tuple[float, float, float]) -> Host:
    wanted = records.copy()
    wanted["count"] -= 2
    wanted["point"]["at"] = records["point"]["at"] * 2 + np.array(shift[:2], np.float32)
    wanted["point"]["weight"] += np.float32(shift[2])
    wanted["color"][:, 1] = records["key"]
    thirds = wanted[::3]
    thirds["key"] += 1
    thirds["point"]["at"] = 0
    thirds["color"] *= 2
    return wanted


def _areas(shapes: npt.NDArray[np.int32], sizes: npt.NDArray[np.float32]) -> Host:
    return np.select([shapes == 0, shapes == 3], [sizes * sizes * 3, sizes * sizes], 0).astype(np.float32)


class RecordTests:
    """Structs in arrays and by value, with methods; enums; NewType; match."""

    def test_layout_of_structs(self, gpu: gp.Device) -> None:
        """C800 [Kernel language: struct]: The layout of a struct is the same on host and device, gaps untouched by
        stores of fields."""
        fields: Any = _RECORD.dtype.fields
        check(_RECORD.itemsize == 48, f"{_RECORD.itemsize} bytes a record")
        offsets = [fields[name][1] for name in ("key", "point", "count", "color")]
        check(offsets == [0, 8, 24, 32], f"offsets {offsets}")
        records = _records(33)
        back = upload_records(gpu, records).numpy()
        check_bits(back.view(np.uint8), records.view(np.uint8), "the bytes of an array of structs")

    def test_structs_in_arrays(self, gpu: gp.Device) -> None:
        """C801 [Kernel language: struct]: Fields, fields of fields, components of fields and whole structs in an array
        are read and written; methods, static methods, properties and operators of the struct work."""
        for size in (1, 31, 100):
            records = _records(size)
            array, moments = upload_records(gpu, records), poisoned(gpu, size, np.float32)
            point: Any = kernels.Point
            shift = point((1.0, -2.0), 3.0)  # on the host a tuple can be used for a vector
            kernels.update(array, shift, moments, invocations=size)
            _check_records(array.numpy(), _updated(records, (1.0, -2.0, 3.0)))
            points = records["point"]
            check_bits(moments.numpy(), points["weight"] * points["at"].sum(1), "moments")

    def test_structs_in_workgroup_and_private_memory(self, gpu: gp.Device) -> None:
        """C802 [Kernel language: struct]: Structs in workgroup and private arrays, and in variables."""
        points = np.ascontiguousarray(_records(96)["point"])
        out = poisoned(gpu, 96, kernels.Point)
        kernels.rotate_structs(gp.asarray(points, kernels.Point, device=gpu), out, invocations=96)
        at, weight = (np.ascontiguousarray(points[name]).reshape(3, 32, -1) for name in ("at", "weight"))
        sum_at, sum_weight = np.roll(at, -1, 1), np.roll(weight, -1, 1)
        for step in range(3):
            sum_at, sum_weight = sum_at + np.roll(at, -step, 1), sum_weight + np.roll(weight, -step, 1)
        check_bits(np.ascontiguousarray(out.numpy()["at"]), sum_at.reshape(96, 2), "places")
        check_bits(np.ascontiguousarray(out.numpy()["weight"]), sum_weight.reshape(96), "weights")

    def test_rows_and_columns(self, gpu: gp.Device) -> None:
        """C840 [Kernel language: rows and columns]: Rows and columns of arrays, and fields of all elements of arrays of
        structs, are read, stored to and given to helpers."""
        for shape in ((1, 1), (5, 7), (33, 2)):
            records = _records(shape[0] * shape[1]).reshape(shape)
            array, weights = upload_records(gpu, records), poisoned(gpu, shape, np.float32)
            rows, columns = poisoned(gpu, shape[0], np.float32), poisoned(gpu, shape[1], np.float32)
            kernels.rows_and_columns(array, weights, rows, columns, invocations=max(shape))
            points, wanted = records["point"], records.copy()
            wanted["point"]["weight"] += 1
            wanted["color"] += 1
            _check_records(array.numpy(), wanted)
            check_bits(weights.numpy(), np.ascontiguousarray(wanted["point"]["weight"]), "weights")
            totals = (records["count"] * points["weight"]).sum(axis=1, dtype=np.float32) + points["at"][:, 0, 1]
            check_bits(rows.numpy(), totals, "sums of rows")
            check_bits(columns.numpy(), points["at"][:, :, 0].sum(axis=0, dtype=np.float32), "sums of columns")

    def test_match_on_an_enum(self, gpu: gp.Device) -> None:
        """C803 [Kernel language: enum]: A match on an enum, from an array and by value; a NewType over f32."""
        shapes = np.random.default_rng(1).choice([0, 3, -7], 70).astype(np.int32)
        sizes = np.random.default_rng(2).integers(-9, 9, 70).astype(np.float32)
        areas, kinds = poisoned(gpu, 70, np.float32), poisoned(gpu, 70, np.int32)
        arguments = upload(gpu, shapes), upload(gpu, sizes)
        for default in kernels.Shape:
            kernels.matched(*arguments, default, areas, kinds, invocations=70)
            chosen = np.where(sizes < 0, np.int32(default), shapes)
            check_bits(areas.numpy(), _areas(chosen, np.abs(sizes)), "areas")
            check_bits(kinds.numpy(), chosen, "kinds")

    def test_match_on_numbers(self, gpu: gp.Device) -> None:
        """C804 [Kernel language: match]: Alternatives, guards, break and continue in cases."""
        values = np.arange(-10, 12, dtype=np.int32)
        out = poisoned(gpu, values.size, np.int32)
        kernels.patterns(upload(gpu, values), out, invocations=values.size)
        check_bits(out.numpy(), np.array([_matched(int(value)) for value in values], np.int32), "matches", x=values)


def upload_records(gpu: gp.Device, records: Host) -> gp.Array:
    """The structs on the device."""
    return gp.asarray(records, kernels.Record, device=gpu)


def _matched(value: int) -> int:
    result = 0
    for step in range(5):
        match value + step:
            case 1 | 2 | -3:
                result += 1
            case 5 if step > 2:
                break
            case 7:
                continue
            case _:
                result += 100
        result *= 2
    return result
