"""What the calls and operators of matrices refuse, and where the error points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.simulator.device import COOPERATIVE_VARIABLE

HEAD = "def wrong(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2], n: gp.i32):\n"
FOLLOWING = "gp.store_matrix(m, y, 0, 0)\n"


def refusal(lines: str, backend: str = "python", workgroup_size: int = 32) -> gp.CompileError:
    text = HEAD + "".join(f"    {line}\n" for line in lines.splitlines())
    kernel = gp.kernel_from_text(text, workgroup_size=workgroup_size)
    with pytest.raises(gp.CompileError) as caught:
        kernel.source(backend)
    return caught.value


MATRIX = "m = gp.matrix(gp.f32, (16, 16), 1.0)\nk = gp.matrix(gp.f32, (16, 1), 2.0)\n"


@pytest.mark.parametrize(
    "statement",
    [
        "m = m + m", "m = m - 1.0", "m = 1.0 - m", "m = m * 2.0", "m = 2.0 * m", "m = m * k", "m = m - k", "m = -m",
        "m = gp.map(gp.exp, m)", "m = gp.map(gp.max, m, m)", "m = gp.map(gp.max, m, 1.0)", "m = gp.map(gp.max, m, k)",
        "k = k + 1.0", "k = -k",
    ],
)  # fmt: skip
@pytest.mark.parametrize("where", ["for _ in range(gp.local_id(0)):", "if gp.local_id(0) < n:"])
@pytest.mark.parametrize("backend", ["python", "wgsl"])
def test_all_invocations_must_reach_each_operator(statement: str, where: str, backend: str) -> None:
    error = refusal(f"{MATRIX}{where}\n    {statement}\n{FOLLOWING}", backend)
    assert error.code == "GP301" and "gp.local_id(0)" in error.why


@pytest.mark.parametrize("pending", ["-1", "1.5", "True", "n", "n + 1"])
def test_a_wait_takes_a_whole_number_on_every_device(pending: str) -> None:
    errors = {
        str(refusal(f"gp.copy_wait({pending})\ny[0, 0] = 1.0", backend)) for backend in ("python", "wgsl", "llvm")
    }
    (text,) = errors
    assert "the number of groups" in text and text.splitlines()[0].startswith("<kernel_from_text")


@pytest.mark.parametrize("pending", ["", "0", "1", "gp.static(2)"])
def test_a_wait_that_is_right(pending: str) -> None:
    kernel = gp.kernel_from_text(HEAD + f"    gp.copy_wait({pending})\n    y[0, 0] = 1.0\n", workgroup_size=32)
    for backend in ("python", "wgsl", "llvm"):
        assert kernel.source(backend)


@pytest.mark.parametrize(
    "statement",
    ["m = m / 2.0", "m = m % m", "y[0, 0] = m", "y[0, 0] = gp.exp(m)", "y[0, 0] = m[0, 0]", "y[0, 0] = m.element_0",
     "y[0, 0] = m.element_1 + m.element_0", "y[0, 0] = gp.f32(m == m)", "if m:\n    y[0, 0] = 1.0", "y[0, 0] = m.sum"],
)  # fmt: skip
def test_what_a_matrix_has_not(statement: str) -> None:
    error = refusal(MATRIX + statement)
    assert "matrices have +, - and *" in error.fix and "gp.map" in error.fix
    assert "element_" not in str(error).replace("m.element_", "").replace("'element_", "")


def test_a_field_of_a_users_struct_may_have_any_name() -> None:
    @gp.struct
    class Plan:
        layout: gp.f32
        element_0: gp.f32

    @gp.kernel(workgroup_size=1)
    def fields(y: gp.Out[gp.f32]):
        plan = Plan(2.0, 3.0)
        y[0] = plan.layout + plan.element_0

    y = gp.zeros(1, device="simulator")
    fields(y, workgroups=1)
    assert y.numpy()[0] == 5


@pytest.mark.parametrize(
    ("lines", "column"),
    [
        ("m = gp.matrix(gp.f32, (17, 19))", "gp.matrix(gp.f32, (17, 19))"),
        ("m = gp.matrix(gp.f32, (16, 16))\nm = m + gp.matrix(gp.f32, (16, 8))", "m + gp.matrix(gp.f32, (16, 8))"),
        ("t = gp.tiles(gp.f16, 1, (16, 16))\ngp.copy_tile(t[0], x, 0, 0)", "gp.copy_tile(t[0], x, 0, 0)"),
        ("if gp.local_id(0) < n:\n    gp.copy_wait()", "gp.copy_wait()"),
        (MATRIX + "if gp.local_id(0) < n:\n    m = -m", "-m"),
    ],
)
def test_errors_lead_with_the_users_line(lines: str, column: str) -> None:
    """What follows is where gpucore found it."""
    error = refusal(lines + "\ny[0, 0] = 1.0")
    first, line, carets, *others = str(error).splitlines()
    assert first.startswith("<kernel_from_text")
    at = carets.index("^")
    assert line[at : at + carets.count("^")] == column
    assert any(other.startswith("  in gpucore at ") for other in others)
    assert not any(other.startswith("  called from ") for other in others)


@pytest.mark.parametrize(("shape", "invocations"), [((17, 19), 32), ((5, 3), 8), ((1024, 1024), 64)])
def test_a_matrix_that_does_not_fit_its_workgroup(shape: tuple[int, int], invocations: int) -> None:
    error = refusal(f"m = gp.matrix(gp.f32, {shape})\n{FOLLOWING}", workgroup_size=invocations)
    wanted = f"a matrix of {shape[0]} x {shape[1]} elements cannot be held by {invocations} invocations"
    assert error.code == "GP213" and wanted in error.message


@pytest.mark.parametrize("dtype", ["junk", int, None, 3])
def test_units_of_what_is_no_dtype(dtype: object) -> None:
    with gp.device("simulator") as device, pytest.raises(gp.ArgumentError, match="is not the dtype of a tile"):
        device.matrix(dtype)  # type: ignore[arg-type]  # it is no dtype


@gp.kernel(workgroup_size=32)
def negated(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2], z: gp.Out[gp.f32, 2]):
    gp.store_matrix(-gp.load_matrix(x, 0, 0, (16, 16)), y, 0, 0)
    gp.store_matrix(-gp.load_matrix(x, 0, 0, (16, 1)), z, 0, 0)


SIGNED = np.array([0.0, -0.0, 1.5, -2.0, np.inf, -np.inf, -1e-30, 3e38], np.float32).repeat(32).reshape(16, 16)


def test_minus_changes_the_sign_of_zero(device: gp.Device) -> None:
    y, z = gp.empty((16, 16), device=device), gp.empty((16, 1), device=device)
    negated(gp.asarray(SIGNED, device=device), y, z, workgroups=1)
    wanted = -SIGNED
    for found, expected in ((y.numpy(), wanted), (z.numpy(), wanted[:, :1])):
        assert np.array_equal(np.signbit(found), np.signbit(expected))
        assert np.array_equal(found, expected)


@gp.kernel(workgroup_size=32)
def negated_product(x: gp.In[gp.f16, 2], y: gp.Out[gp.f32, 2]):
    tile = gp.tiles(gp.f16, 1, (32, 32))
    gp.copy_tile(tile[0], x, 0, 0)
    gp.copy_wait()
    total = gp.matrix(gp.f32, (32, 32))
    total += tile[0] @ tile[0]
    gp.store_matrix(-total, y, 0, 0)


@pytest.mark.parametrize("edge", ["", "8", "16"])
def test_minus_of_a_product(monkeypatch: pytest.MonkeyPatch, edge: str) -> None:
    """By units, and of cooperative matrices: zero where a row or a column is."""
    gp.device("simulator").close()
    if edge:
        monkeypatch.setenv(COOPERATIVE_VARIABLE, edge)
    x = np.random.default_rng(1).integers(-3, 4, (32, 32)).astype(np.float16)
    x[5], x[:, 7] = 0, 0
    with gp.device("simulator") as device:
        y = gp.empty((32, 32), device=device)
        negated_product(gp.asarray(x, device=device), y, workgroups=1)
        wanted = -(x.astype(np.float32) @ x.astype(np.float32))
        assert np.array_equal(y.numpy(), wanted) and np.all(np.signbit(y.numpy())[5])


@gp.kernel(workgroup_size=32)
def negated_integers(y: gp.Out[gp.i32, 2], z: gp.Out[gp.u32, 2]):
    gp.store_matrix(-gp.matrix(gp.i32, (16, 16), 7), y, 0, 0)
    gp.store_matrix(-gp.matrix(gp.u32, (16, 16), 7), z, 0, 0)


def test_minus_of_integers(device: gp.Device) -> None:
    y, z = gp.empty((16, 16), gp.i32, device=device), gp.empty((16, 16), gp.u32, device=device)
    negated_integers(y, z, workgroups=1)
    assert np.all(y.numpy() == -7) and np.all(z.numpy() == 2**32 - 7)


TILES = "t = gp.tiles(gp.f32, 2, (16, 16))\nm = gp.matrix(gp.f32, (16, 16))\n"
ENDING = "\ngp.store_matrix(m, y, 0, 0)\nw[0] = 1\n"


def indexed(lines: str, backend: str) -> str:
    text = (
        "def indexed(x: gp.In[gp.f32, 2], s: gp.In[gp.f32, 3], at: gp.In[gp.i32], w: gp.InOut[gp.i32], "
        "y: gp.Out[gp.f32, 2], n: gp.i32):\n"
    )
    body = "".join(f"    {line}\n" for line in (TILES + lines + ENDING).splitlines())
    return gp.kernel_from_text(text + body, workgroup_size=32).source(backend)


@pytest.mark.parametrize(
    ("lines", "what", "why"),
    [
        ("gp.copy_tile(t[0], x, gp.local_id(0), 0)", "the row", "gp.local_id(0) at "),
        ("gp.copy_tile(t[0], x, 0, gp.local_index() * n)", "the column", "gp.local_id(0) at "),
        ("gp.copy_tile(t[gp.local_id(0) % 2], x, 0, 0)", "the index of t[gp.local_id(0) % 2]", "gp.local_id(0)"),
        ("gp.copy_tile(t[0], s[gp.local_id(0)], 0, 0)", "the index of s[gp.local_id(0)]", "gp.local_id(0)"),
        ("m += t[gp.local_id(0) % 2] @ t[0]", "the index of t[gp.local_id(0) % 2]", "gp.local_id(0)"),
        ("i = gp.subgroup_id() % 2\nm += t[0] @ t[i].T", "the index of t[i].T", "gp.subgroup_id()"),
        ("i = gp.local_id(0)\nm = gp.multiply_add(t[0], t[i], m)", "the index of t[i]", "`i`, which comes from"),
        ("m = gp.load_matrix(x, gp.local_id(0), 0, (16, 16))", "the row", "gp.local_id(0)"),
        ("m = gp.load_matrix(t[gp.local_id(0)], 0, 0, (16, 16))", "the index of t[gp.local_id(0)]", "gp.local_id(0)"),
        ("gp.store_matrix(m, y, 0, gp.local_id(0))", "the column", "gp.local_id(0)"),
        ("gp.copy_tile(t[0], x, w[0], 0)", "the row", "an element of `w`"),
        ("i = 0\nif gp.local_id(0) < 3:\n    i = 1\ngp.copy_tile(t[0], x, i, 0)", "the row", "some invocations skip"),
        ("i = 0\nfor k in range(n):\n    i += gp.local_id(0)\ngp.copy_tile(t[i], x, 0, 0)", "the index", "`i`"),
        ("a = gp.workgroup_array(gp.i32, 1)\na[0] = 1\ngp.barrier()\ngp.copy_tile(t[0], x, a[0], 0)", "the row", "`a`"),
    ],
)
@pytest.mark.parametrize("backend", ["python", "wgsl", "llvm"])
def test_what_must_be_the_same_for_all_invocations(lines: str, what: str, why: str, backend: str) -> None:
    with pytest.raises(gp.UniformityError) as caught:
        indexed(lines, backend)
    error = caught.value
    assert error.code == "GP302" and error.message.startswith(what) and why in error.why
    assert "blocks" not in error.why and "gp.assume_uniform" in error.fix
    assert str(error).startswith("<kernel_from_text")


@pytest.mark.parametrize(
    "lines",
    [
        "gp.copy_tile(t[0], x, at[n], 0)",
        "gp.copy_tile(t[0], x, at[gp.workgroup_id(0)], gp.workgroup_id(1) * 16)",
        "gp.copy_tile(t[0], x, gp.assume_uniform(w[0]), 0)",
        "i = gp.assume_uniform(w[0])\nm += t[i] @ t[i].T",
        "i = 0\nfor k in range(n):\n    i = i + at[k]\n    gp.copy_tile(t[k % 2], x, i, x.shape[1] - 16)\n"
        "    gp.copy_wait()\n    m += t[k % 2].T @ t[(k + 1) % 2]",
        "i = 0\nwhile i < n:\n    i += 3\n    if i == at[0]:\n        i += 7\n    gp.copy_tile(t[0], s[i], i, 0)",
        "a = gp.workgroup_array(gp.i32, 1)\na[0] = 1\ngp.barrier()\ngp.copy_tile(t[0], x, gp.assume_uniform(a[0]), 0)",
    ],
)
@pytest.mark.parametrize("backend", ["python", "wgsl", "llvm"])
def test_what_is_the_same_for_all_invocations(lines: str, backend: str) -> None:
    assert indexed(lines, backend)


@gp.struct
class Pair:
    """Two numbers, which are none."""

    a: gp.f32
    b: gp.f32


def plus(m: Any, p: Any) -> Any:
    return m + p


def plus_reflected(m: Any, p: Any) -> Any:
    return p + m


def times(m: Any, p: Any) -> Any:
    return m * p


def mapped_beside(m: Any, p: Any) -> Any:
    return gp.map(gp.max, m, p)


def mapped(m: Any, p: Any) -> Any:
    return gp.map(gp.exp, p)


def multiplied(m: Any, p: Any) -> Any:
    t = gp.tiles(gp.f32, 2, (16, 16))
    return gp.multiply_add(t[0], t[1], p)


@pytest.mark.parametrize("body", [plus, plus_reflected, times, mapped_beside, mapped, multiplied])
def test_a_struct_is_no_number_and_no_matrix(body: Any) -> None:
    @gp.kernel(workgroup_size=32)
    def wrong(y: gp.Out[gp.f32, 2]):
        gp.store_matrix(body(gp.matrix(gp.f32, (16, 16), 1.0), Pair(1.0, 2.0)), y, 0, 0)

    with pytest.raises(gp.CompileError, match=r"a number is needed here, not a Pair|a matrix is needed here"):
        wrong.source("python")


@pytest.mark.parametrize("edge", ["", "16"])
@pytest.mark.parametrize(("precision", "text"), [("bogus", "the precision is 'highest'"), ("high", "for tiles of f32")])
def test_a_precision_is_refused_on_every_device(
    monkeypatch: pytest.MonkeyPatch, edge: str, precision: str, text: str
) -> None:
    monkeypatch.setenv(COOPERATIVE_VARIABLE, edge)

    @gp.kernel(workgroup_size=32)
    def wrong(y: gp.Out[gp.f32, 2]):
        t = gp.tiles(gp.f16, 2, (16, 16))
        gp.store_matrix(gp.multiply_add(t[0], t[1], gp.matrix(gp.f32, (16, 16)), precision), y, 0, 0)

    with pytest.raises(gp.CompileError, match=text):
        wrong.source("python")


def test_no_element_can_be_assigned() -> None:
    error = refusal(f"{MATRIX}m.element_0 = 1.0\n{FOLLOWING}")
    assert error.code == "GP209" and "gp.map(f, c)" in error.fix
