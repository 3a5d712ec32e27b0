"""Products of tiles of f32 by units that take 11 bits of each significand, those of TF32.

With the precision "fast" each number is rounded to these bits. With "high" it is the sum of two such numbers, of which
the smaller one is cut off, and three of the four products of two sums are added: what is left out is at most 2**-19 of
the product of the magnitudes. Units round sums towards zero, so the sums of one product of tiles begin at zero, and are
added to the matrix in f32. The smaller part of an infinity is NaN.

Source: H. Ootomo and R. Yokota, "Recovering single precision accuracy from Tensor Cores while surpassing the FP32
theoretical peak performance" (2022).
"""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.blocks.matrices.places import first_column_of_subgroup, first_row_of_subgroup, row_offset
from gpucore.ir import MatrixInputs
from gpucore.types import f32, f32x4, u32, u32x2, u32x4

STEP = 8
"""The inner length of a product of a subgroup: 32 bytes."""
_PRODUCTS = ((1, 0), (0, 1), (0, 0))
"""Of the parts of two numbers, the smallest first."""


def rounded(word):
    """The bits of an f32 in 11 bits of significand, the nearest, halves away from zero. A NaN may be lost."""
    return (word + u32(0x1000)) & u32(0xFFFFE000)


def rounded_number(word):
    """The same for units, which ignore the low 13 bits. NaN stays NaN."""
    return word | u32(0x400000) if gp.isnan(gp.bitcast(f32, word)) else word + u32(0x1000)


def smaller_part(word):
    """The bits of what `rounded` leaves."""
    return gp.bitcast(u32, gp.bitcast(f32, word) - gp.bitcast(f32, rounded(word)))


def part_of(word, part, parts):
    """One of the parts of a number."""
    if parts == 1:
        return rounded_number(word)
    return rounded(word) if part == 0 else smaller_part(word)


def left_words(x, row, k):
    """Of 16 rows of x from a row on, and 8 columns from k on, what this invocation has of the fragment."""
    lane = gp.subgroup_invocation_id()
    if not gp.is_transposed(x):
        return gp.load_fragments(x[row + lane % 16], k + lane // 16 * 4, False)
    r, c = row + lane // 4, k + lane % 4
    return gp.bitcast(u32x4, f32x4(x[r, c], x[r + 8, c], x[r, c + 4], x[r + 8, c + 4]))


def right_words(y, k, column):
    """Of 8 rows of y from k on, and 16 columns from a column on, what this invocation has of the two fragments."""
    lane = gp.subgroup_invocation_id()
    if gp.is_transposed(y):
        return gp.load_fragments(y.T[column + lane // 16 * 8 + lane % 8], k + lane // 8 % 2 * 4, False)
    r, c = k + lane % 4, column + lane // 4
    return gp.bitcast(u32x4, f32x4(y[r, c], y[r + 4, c], y[r, c + 8], y[r + 4, c + 8]))


def load_parts(lefts, rights, x, y, k, layout):
    """Load the fragments of this subgroup, and make their parts: of 8 columns of x and rows of y from k on."""
    top, left, parts = first_row_of_subgroup(layout), first_column_of_subgroup(layout), lefts.shape[0]
    for j in gp.unroll(range(0, rights.shape[1], 2)):
        own = right_words(y, k, left + 8 * j)
        for p in gp.unroll(range(parts)):
            rights[p, j] = u32x2(part_of(own.x, p, parts), part_of(own.y, p, parts))
            rights[p, j + 1] = u32x2(part_of(own.z, p, parts), part_of(own.w, p, parts))
    for i in gp.unroll(range(lefts.shape[1])):
        own = left_words(x, top + row_offset(layout, 2 * i), k)
        for p in gp.unroll(range(parts)):
            a, b = part_of(own.x, p, parts), part_of(own.y, p, parts)
            lefts[p, i] = u32x4(a, b, part_of(own.z, p, parts), part_of(own.w, p, parts))


def add_rounded(sums, x, y, layout, precision):
    """Add x @ y to the fragments of this subgroup, with the precision "high" or "fast"."""
    parts, down, across = gp.static((2 if precision == "high" else 1, layout.own_rows // 2, layout.own_columns // 2))
    own = gp.private_array(f32, layout.count)  # zeros
    for k in gp.unroll(range(0, x.shape[1], STEP)):
        lefts, rights = gp.private_array(u32x4, (parts, down)), gp.private_array(u32x2, (parts, across))
        load_parts(lefts, rights, x, y, k, layout)
        for p, q in gp.unroll(gp.static(_PRODUCTS if parts == 2 else _PRODUCTS[2:])):
            for number in gp.unroll(range(gp.static(down * across))):
                i, j, e = gp.static((number // across, number % across, 4 * number))
                before = f32x4(own[e], own[e + 1], own[e + 2], own[e + 3])
                after = gp.multiply_fragments(MatrixInputs.TF32, lefts[p, i], rights[q, j], before)
                for n in gp.unroll(range(4)):
                    own[e + n] = after[n]
    for e in gp.unroll(range(layout.count)):
        sums[e] += own[e]
