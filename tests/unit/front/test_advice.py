"""What errors say to write instead of what Python programs have."""

from __future__ import annotations

import math

import pytest

import gpucore as gp

NAMES = {
    "math": math, "BIG": (1, 0x80000000), "LIST": [0x6A09E667, 0xBB67AE85], "SIGNED": (-1, 0x80000000),
    "HUGE": [1, 2**63], "WEIGHTS": (1.0, 2.0), "HALF": 0.5,
}  # fmt: skip
HEAD = """
def k(x: gp.In[gp.f32], u: gp.In[gp.u8], v: gp.In[gp.f32x2], y: gp.InOut[gp.f32], z: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    n = i + 1
"""


def error_of(statement: str) -> gp.CompileError:
    """The error of a statement in a kernel."""
    body = "".join(f"    {line}\n" for line in statement.split("\n"))
    with pytest.raises(gp.CompileError) as caught:
        gp.kernel_from_text(HEAD + body, name="k", globals=NAMES).ir()
    return caught.value


@pytest.mark.parametrize(
    ("statement", "fix"),
    [
        ("z[i] = BIG[i]", "make it an array, as in np.array(BIG, np.uint32)"),
        ("z[i] = LIST[0]", "make it an array, as in np.array(LIST, np.uint32)"),
        ("z[i] = SIGNED[i]", "make it an array, as in np.array(SIGNED, np.int64)"),
        ("z[i] = HUGE[i]", "make it an array, as in np.array(HUGE, np.uint64)"),
        ("y[i] = gp.where(x[i] > 0.0, 1.0, 2.0)", "write gp.select(c, a, b)"),
        ("gp.sort(x)", "call it outside the kernel"),
        ("a, b, c = v[i]", "give 2 names, or take items by index, as in v[i][0]"),
        ("a, b = x", "take elements, as in x[0], x[1]"),
        ("a, b = x[i]", "give as many values as names"),
        ("w = v[i]\nw[x[i]] = 1.0", "convert, as in gp.i32(x[i])"),
        ("w = (x[i], x[n])\ny[i] = w[i]", "use a literal, or a loop over gp.unroll"),
        ("w = v[i]\nw[2] = 1.0", "use an index in range, as in w[1] for the last"),
        ("w = v[i]\nw[0] = i", "convert, as in gp.f32(i)"),
        ("v[i][0] = 1.0", "annotate v as gp.InOut or gp.Out"),
        ("v[i].xy[0] = 1.0", "assign one component, or build a new struct"),
        ("w = (1, 2)\nw[0] = 3", "index an array or a vector"),
        ("z[i] = (i < 3) * 5", "convert, as in gp.i32(i < 3) * 5"),
        ("y[i] = 0.5 * (i < 3)", "convert, as in 0.5 * gp.f32(i < 3)"),
        ("z[i] = gp.i32((i < 3) == 1)", "write True or False"),
        ("y[i] = u[i] * 0.5", "convert the u32, as in gp.f32(u[i]) * 0.5"),
        ("y[i] = n * HALF", "convert the i32, as in gp.f32(n) * HALF"),
        ("y[i] = 0.5 * (n + i)", "convert the i32, as in 0.5 * gp.f32(n + i)"),
        ("y[i] = -2.5 + n", "convert the i32, as in -2.5 + gp.f32(n), or write gp.i32(-2.5) to truncate"),
        ("z[i] *= 0.5", "convert the i32, as in gp.f32(z[i]) * 0.5"),
        ("y[i] = gp.min(n, 0.5)", "convert the i32, as in gp.f32(n)"),
        ("for j, a in enumerate(x):\n    y[j] = a", "write for j in range(x.size), and x[j] for the item"),
        ("for j, a in enumerate(WEIGHTS):\n    y[j] = a", "write for j, a in gp.unroll(enumerate(WEIGHTS))"),
        ("for j in reversed(range(n)):\n    y[j] = 1.0", "write for j in range(n - 1, -1, -1)"),
        ("for j in reversed(range(2, n)):\n    y[j] = 1.0", "write for j in range(n - 1, 1, -1)"),
        ("for a in reversed(x):\n    y[0] = a", "write for i in range(x.size - 1, -1, -1), and x[i] for the item"),
        ("for a, b in zip(x, y):\n    y[0] = a", "write for i in range(x.size), and x[i] and y[i] for the items"),
        ("for a, b in gp.unroll(zip(WEIGHTS, range(3), strict=True)):\n    y[b] = a",
         "give sequences of one length, or leave strict= out"),
        ("for a in gp.unroll(enumerate(x)):\n    y[0] = 1.0",
         "write gp.unroll(range(4)), or a plain range for a loop at run time"),
        ("if any((n > 2, n < 1)):\n    y[0] = 1.0", "write n > 2 or n < 1"),
        ("if all((n > 2, n < 1 or n > 7)):\n    y[0] = 1.0", "write n > 2 and (n < 1 or n > 7)"),
        ("if gp.any((n > 2, n < 1)):\n    y[0] = 1.0", "write n > 2 or n < 1"),
        ("y[i] = gp.inf", "write math.inf"),
        ("y[i] = gp.clip(x[i], 0.0, 1.0)", "write gp.clamp"),
        ("y[i] = gp.lerp(x[i], 0.0, 1.0)", "write gp.mix(a, b, t)"),
        ("y[i] = gp.saturate(x[i])", "write gp.clamp(x, 0.0, 1.0)"),
        ("if i in x:\n    y[i] = 1.0", "write a loop over range(x.size)"),
        ("if i in range(3):\n    y[i] = 1.0", "write for i in range(n); for a test, write 0 <= i < n"),
        ("if n is i:\n    y[i] = 1.0", "use == or !="),
        ('z[i] = ord("ab")', 'write ord("a")'),
        ("z[i] = pow(n, 2)", "write n ** 2"),
    ],
)  # fmt: skip
def test_what_to_write(statement: str, fix: str) -> None:
    assert error_of(statement).fix == fix
