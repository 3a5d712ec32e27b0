"""Matrices that a subgroup of 32 holds in parts, and copies to workgroup memory that end later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gpucore.ir import SCALARS, MatrixInputs
from gpucore.ir.arithmetic import dtype_of

LANES = 32
LOAD, MULTIPLY, ACCUMULATE = "matrix_load", "matrix_multiply", "matrix_accumulate"
"""The operations of a Request."""

_DTYPES = {type.name: dtype_of(type) for type in SCALARS}
_ROWS, _WORDS = 8, 4  # of a small matrix: rows, and words of a row


def _words(values: Any) -> list[int]:
    return [int(word) for word in values]


def load_matrices(rows: Sequence[tuple[str, tuple[Any, ...]]], *, is_transposed: bool) -> list[tuple[int, ...]]:
    """The answers to MatrixLoad: `rows` has the element type of each invocation's row, and the elements."""
    dtype = _DTYPES[rows[0][0]]
    matrices = np.array([row for _, row in rows], dtype).reshape(4, _ROWS, -1)
    if is_transposed:
        matrices = matrices.swapaxes(1, 2)
    words = np.ascontiguousarray(matrices).view(np.uint32)  # matrix, row, word
    return [tuple(_words(words[:, lane // _WORDS, lane % _WORDS])) for lane in range(len(rows))]


def multiply(operands: Sequence[tuple[Any, Any, Any]], inputs: str) -> list[tuple[Any, ...]]:
    """The answers to MatrixMultiply: `operands` has left, right and sums of each invocation."""
    left, right, sums = (np.array(part) for part in zip(*operands, strict=True))
    shape = (_ROWS, _WORDS)
    a = np.block([[left[:, half + 2 * side].reshape(shape) for side in (0, 1)] for half in (0, 1)])
    b = np.hstack([right[:, side].reshape(shape) for side in (0, 1)])
    c = np.vstack([sums[:, 2 * half : 2 * half + 2].reshape(_ROWS, 2 * _WORDS) for half in (0, 1)])
    product = numbers(a.astype(np.uint32), inputs) @ numbers(b.astype(np.uint32), inputs).T + c.astype(np.float64)
    made = as_sums(product, inputs).tolist() if inputs in INTEGERS else list(as_sums(product, inputs))
    return [tuple(made[row][column] for row, column in fragment(lane)) for lane in range(LANES)]


def accumulate(operands: Sequence[tuple[list[Any], list[Any], list[Any]]]) -> list[list[Any]]:
    """The answers to MatrixAccumulate: `operands` has sums, left and right of each invocation."""
    sums, left, right = (np.array(part, np.float64) for part in zip(*operands, strict=True))
    fours = right.shape[1]
    # of invocation 4 r + w: left[r, w, four, half], right[r, w, four]
    a = left.reshape(_ROWS, _WORDS, fours, 2).transpose(3, 0, 2, 1).reshape(2 * _ROWS, 4 * fours)
    b = right.reshape(_ROWS, _WORDS, fours).transpose(2, 1, 0).reshape(4 * fours, _ROWS)
    c = np.vstack([sums[:, 2 * half : 2 * half + 2].reshape(_ROWS, 2 * _WORDS) for half in (0, 1)])
    with np.errstate(all="ignore"):
        product = a @ b + c
    return [[product[place] for place in fragment(lane)] for lane in range(LANES)]


def fragment(lane: int) -> list[tuple[int, int]]:
    """The rows and columns of the four elements that an invocation has, of a matrix of 16 rows and 8 columns."""
    row, column = lane // _WORDS, 2 * (lane % _WORDS)
    return [(row + down, column + on) for down in (0, _ROWS) for on in (0, 1)]


def element_type(name: str) -> np.dtype[Any]:
    """How NumPy has elements of a type of the IR."""
    return _DTYPES[name]


def numbers(elements: np.ndarray[Any, Any], inputs: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The numbers in rows of elements, or of words: they are decoded by their bits."""
    return _DECODED[MatrixInputs(inputs)](np.ascontiguousarray(elements)).astype(np.float64)


_DECODED: dict[MatrixInputs, Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]] = {
    MatrixInputs.F16: lambda bits: bits.view(np.float16),
    MatrixInputs.BF16: lambda bits: (bits.view(np.uint16).astype(np.uint32) << 16).view(np.float32),
    MatrixInputs.TF32: lambda bits: (bits.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32),
    MatrixInputs.I8: lambda bits: bits.view(np.int8),
    MatrixInputs.U8: lambda bits: bits.view(np.uint8),
    MatrixInputs.F64: lambda bits: bits.view(np.float64),
}


INTEGERS = {MatrixInputs.I8.value: np.int32, MatrixInputs.U8.value: np.uint32}
"""The types of sums that are integers."""


def as_sums(totals: np.ndarray[Any, np.dtype[np.float64]], inputs: str) -> np.ndarray[Any, Any]:
    """Sums of products of numbers, as the type has them: rounded, or wrapped."""
    if inputs in INTEGERS:
        return totals.astype(np.int64).astype(INTEGERS[inputs])
    return totals.astype(np.float32)


class CopyQueue:
    """The copies of one invocation, which write as late as they may: when it waits for them."""

    def __init__(self) -> None:
        self._groups: list[list[Callable[[], None]]] = [[]]

    def begin(self, memory: list[Any], index: int, values: Sequence[Any]) -> None:
        """Copy values to the elements from an index on."""

        def write() -> None:
            memory[index : index + len(values)] = values

        self.add(write)

    def add(self, write: Callable[[], None]) -> None:
        """A copy that ends with a call."""
        self._groups[-1].append(write)

    def end_group(self) -> None:
        """The copies up to now are a group."""
        self._groups.append([])

    def wait(self, pending: int) -> None:
        """End all but the last groups."""
        while len(self._groups) > pending + 1:
            for write in self._groups.pop(0):
                write()
