"""Tiles in workgroup memory, and what the helpers of `gpucore.blocks.matrices` are made of."""

from __future__ import annotations

from typing import Any

from gpucore.lang.outside import outside


def tiles(dtype: Any, count: int, shape: tuple[int, int], /) -> Any:
    """Workgroup memory for `count` tiles: matrices of `shape`, rows and columns, from which products are computed.

    `t[i]` is a tile, `t[i].T` its transpose, and `t[i, r, c]` an element. All are undefined until written. How a tile
    lies in memory is the compiler's choice. The arguments are known at compile time.
    """
    outside("tiles")


def is_transposed(tile: Any, /) -> bool:
    """Whether a tile is the transpose of one in memory: a compile-time value."""
    outside("is_transposed")


def is_array(value: Any, /) -> bool:
    """Whether a value is an array: a compile-time value."""
    outside("is_array")


def has_rows_in_memory(array: Any, /) -> bool:
    """Whether neighbours along the last axis of an array are neighbours in memory: a compile-time value."""
    outside("has_rows_in_memory")


def layout_of(matrix: Any, /) -> Any:
    """How the invocations of a workgroup hold a matrix: a compile-time value. None of anything else."""
    outside("layout_of")


def struct_values(struct: Any, /) -> tuple[Any, ...]:
    """The values of the fields of a struct, as a tuple."""
    outside("struct_values")


def make_struct(cls: Any, values: Any, /) -> Any:
    """The struct whose fields are the elements of a private array."""
    outside("make_struct")


def load_fragments(array: Any, index: Any, is_transposed: bool, /) -> Any:
    """`ir.MatrixLoad` of the row that begins at `array[index]`, in workgroup memory."""
    outside("load_fragments")


def multiply_fragments(inputs: Any, left: Any, right: Any, sums: Any, /) -> Any:
    """`ir.MatrixMultiply`. `inputs` is an `ir.MatrixInputs`."""
    outside("multiply_fragments")


def accumulate_fragments(
    inputs: Any, inner: int, sums: Any, first: int, left: Any, first_left: int, right: Any, first_right: int, /
) -> None:
    """`ir.MatrixAccumulate` of elements of private arrays, each from one on."""
    outside("accumulate_fragments")


def alignment() -> int:
    """Bytes of which all arrays of the kernel begin at a multiple: 1 or 16, known when it is compiled for a device."""
    outside("alignment")


def copies_parts(tile: Any, array: Any, /) -> bool:
    """Whether `copy_part` can copy parts of an array to a tile: known when the kernel is compiled for a device."""
    outside("copies_parts")


def copy_part(tile: Any, array: Any, row: Any, column: Any, /) -> None:
    """`ir.CopyPart` from an array of rank 2, which may be that of all elements with some first indices of an array."""
    outside("copy_part")


def panel_bytes(tile: Any, /) -> int:
    """The bytes of a panel of a tile, or of its transpose: a compile-time value. 0 if no group can multiply it."""
    outside("panel_bytes")


def multiply_group(
    sums: Any, first: int, inputs: Any, left: Any, row: Any, right: Any, column: Any, columns: int, /
) -> None:
    """`ir.GroupMultiply` of the rows of a tile from `row` on and the columns of another one from `column` on."""
    outside("multiply_group")


def wait_for_group(sums: Any, /) -> None:
    """`ir.GroupWait`."""
    outside("wait_for_group")


def copy_async(target: Any, index: Any, source: Any, start: Any, count: int, valid: Any, is_aligned: bool, /) -> None:
    """`ir.CopyAsync` from `source[start]` to `target[index]`."""
    outside("copy_async")


def together(*uniform: Any) -> None:
    """`ir.Together`, with numbers that are the same for all invocations, and arrays whose indices are."""
    outside("together")


def barrier_of(*arrays: Any) -> None:
    """`ir.Barrier` for these workgroup arrays: other devices, or other layouts, have none here."""
    outside("barrier_of")


def end_copies() -> None:
    """`ir.CopyGroup`."""
    outside("end_copies")


def wait_for_copies(pending: int, /) -> None:
    """`ir.CopyWait`, where the device has copies that end later."""
    outside("wait_for_copies")
