"""Products of tiles in panels by groups of 128 invocations: results, and what the checker says of wrong orders."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from simulator_kernels import Draft, number, place_of

from gpucore import ir
from gpucore.errors import DispatchError, KernelAssertionError
from gpucore.findings import Finding
from gpucore.ir import BinaryOp, BuiltinKind
from gpucore.ir.build import binary
from gpucore.simulator.checking import Dispatch, Options, Watch, emit_checked, run_checked

SIZE = 128
LANE = ir.Builtin(BuiltinKind.LOCAL_ID, 0)
ROWS = 64
PRODUCT, WAIT, ACCESS = place_of("v = x[i]"), place_of("x[i] = v + v"), place_of("step = 4")


def added(a: ir.Expr, b: ir.Expr) -> ir.Expr:
    return binary(BinaryOp.ADD, a, b)


def shared(draft: Draft, count: int, *statements: Any) -> ir.Stmt:
    """What each of the 128 invocations does with its share of `count` elements: statements of an index."""
    counter, index = draft.value("k", ir.I32), draft.value("index", ir.I32)
    place = added(binary(BinaryOp.MUL, counter, number(SIZE)), LANE)
    body = [made for statement in statements for made in statement(index)]
    return ir.ForRange(counter, number(0), number(count // SIZE), (ir.Let(index, place), *body))


def loading(draft: Draft, source: ir.Buffer, target: ir.WorkgroupArray) -> ir.Stmt:
    """All elements of a workgroup array, from a buffer."""
    value = draft.value("element", source.element)
    return shared(
        draft,
        target.length,
        lambda index: [
            ir.Load(value, ir.Place(source, index), ACCESS),
            ir.Store(ir.Place(target, index), value, ACCESS),
        ],
    )


def in_panels(tile: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A tile of 2-byte elements as it lies in memory: panels of 128 bytes of each row, in which bits 4 to 6 of an
    address are exchanged by bits 7 to 9."""
    rows, columns = tile.shape
    row, column = np.indices(tile.shape)
    address = column // 64 * rows * 128 + row * 128 + column % 64 * 2
    memory = np.zeros(rows * -(-columns // 64) * 64, tile.dtype)
    memory[(address ^ (address >> 7 & 7) << 4) // 2] = tile
    return memory


def elements_of(sums: np.ndarray[Any, Any], columns: int) -> np.ndarray[Any, Any]:
    """The product, from the sums of 128 invocations: subgroup, row, word; columns of 8, half, element."""
    parts = sums.reshape(4, 8, 4, columns // 8, 2, 2)
    return parts.transpose(0, 4, 1, 3, 2, 5).reshape(ROWS, columns)


def product_of(
    draft: Draft, columns: int, inner: int, of_left: bool, of_right: bool
) -> tuple[ir.GroupMultiply, list[ir.Buffer], list[ir.WorkgroupArray]]:
    """A product of two whole tiles, and the buffers from which these are loaded."""
    draft.workgroup_size = (SIZE, 1, 1)
    shapes = [(inner, ROWS) if of_left else (ROWS, inner), (columns, inner) if of_right else (inner, columns)]
    sizes = [rows * -(-across // 64) * 64 for rows, across in shapes]
    buffers = [draft.buffer(name, ir.F16) for name in ("a", "b")]
    tiles = [draft.workgroup_array(f"{name}_tile", ir.F16, size) for name, size in zip("ab", sizes, strict=True)]
    sums = draft.private_array("sums", ir.F32, columns // 2)
    left, right = (ir.Place(tile, number(0)) for tile in tiles)
    panels = [rows * 128 for rows, _ in shapes]
    made = ir.GroupMultiply(
        sums, 0, ir.MatrixInputs.F16, left, right, columns, inner, *panels, of_left, of_right, PRODUCT
    )
    return made, buffers, tiles


def storing(draft: Draft, sums: ir.PrivateArray, out: ir.Buffer) -> ir.Stmt:
    counter, value = draft.value("e", ir.I32), draft.value("sum", ir.F32)
    place = added(binary(BinaryOp.MUL, LANE, number(sums.length)), counter)
    body = (ir.Load(value, ir.Place(sums, counter), ACCESS), ir.Store(ir.Place(out, place), value, ACCESS))
    return ir.ForRange(counter, number(0), number(sums.length), body)


@pytest.mark.parametrize("of_right", [False, True])
@pytest.mark.parametrize("of_left", [False, True])
@pytest.mark.parametrize("columns", ir.GROUP_COLUMNS)
@pytest.mark.parametrize("inner", [16, 64, 128])
def test_products_of_every_shape(draft: Draft, columns: int, inner: int, of_left: bool, of_right: bool) -> None:
    made, buffers, tiles = product_of(draft, columns, inner, of_left, of_right)
    out = draft.buffer("out", ir.F32)
    random = np.random.default_rng(columns + inner)
    a, b = (random.normal(size=shape).astype(np.float16) for shape in ((ROWS, inner), (inner, columns)))
    given = [in_panels(x.T if is_turned else x) for x, is_turned in ((a, of_left), (b, of_right))]
    load = [loading(draft, *pair) for pair in zip(buffers, tiles, strict=True)]
    body = [
        *load, ir.Barrier(), ir.DeclareArray(made.sums), made, made, ir.GroupWait(made.sums),
        storing(draft, made.sums, out),
    ]  # fmt: skip
    found = draft.run(body, *given, np.zeros(ROWS * columns, np.float32))[2]
    wide = a.astype(np.float64), b.astype(np.float64)
    bound = 4 * 2.0**-24 * (np.abs(wide[0]) @ np.abs(wide[1]))
    assert (np.abs(elements_of(found, columns) - 2 * (wide[0] @ wide[1])) <= bound).all()


def test_parts_of_tiles_and_sums_that_end_at_their_own_wait(draft: Draft) -> None:
    """A product of the last 64 rows, to the last sums; the wait for another array does not end it."""
    made, buffers, _ = product_of(draft, 128, 64, False, False)
    out = draft.buffer("out", ir.F32)
    left, right = (draft.workgroup_array(name, ir.F16, 128 * 64) for name in ("left", "right"))
    sums, other = draft.private_array("sums", ir.F32, 64), draft.private_array("other", ir.F32, 64)
    second = ir.Place(left, number(ROWS * 64))
    made = dataclasses.replace(
        made,
        sums=sums,
        first=32,
        left=second,
        right=ir.Place(right, number(0)),
        columns=64,
        left_panel=128 * 128,
        right_panel=128 * 128,
    )
    random = np.random.default_rng(1)
    a, b = random.normal(size=(128, 64)).astype(np.float16), random.normal(size=(128, 64)).astype(np.float16)
    value = draft.value("early", ir.F32)
    early = [ir.Load(value, ir.Place(sums, number(32))), ir.Store(ir.Place(out, LANE), value)]
    body = [
        loading(draft, buffers[0], left), loading(draft, buffers[1], right), ir.Barrier(), ir.DeclareArray(sums),
        ir.DeclareArray(other), made, ir.GroupWait(other), *early, ir.GroupWait(sums), storing(draft, sums, out),
    ]  # fmt: skip
    assert not draft.run(body[:-2], in_panels(a), in_panels(b), np.zeros(SIZE, np.float32))[2].any()
    found = draft.run(body, in_panels(a), in_panels(b), np.zeros(SIZE * 64, np.float32))[2].reshape(SIZE, 64)
    wanted = a[ROWS:].astype(np.float64) @ b[:64].astype(np.float64)
    assert np.allclose(elements_of(found[:, 32:], 64), wanted, atol=1e-4) and not found[:, :32].any()


def test_products_that_some_do_not_reach(draft: Draft) -> None:
    made, _, _ = product_of(draft, 64, 16, False, False)
    half = ir.If(ir.Binary(BinaryOp.LT, LANE, number(64), ir.BOOL), (made,), (), ACCESS)
    with pytest.raises(DispatchError, match="not reached by all invocations"):
        draft.run([ir.DeclareArray(made.sums), half], *[np.zeros(0, np.float16)] * 2)


# ---------------------------------------------------------------- the checker


class Case:
    """A product of 64 columns and 16 inner ones, with its tiles written before, and what is done around it."""

    def __init__(self) -> None:
        self.draft = Draft()
        self.product, buffers, tiles = product_of(self.draft, 64, 16, False, False)
        self.buffers, self.tiles, self.sums = buffers, tiles, self.product.sums
        self.wait = ir.GroupWait(self.sums, WAIT)
        self.load: list[ir.Stmt] = [loading(self.draft, *pair) for pair in zip(buffers, tiles, strict=True)]
        self.declare = ir.DeclareArray(self.sums)
        self.write = self.store(self.tiles[0], LANE)
        self.read_sum = ir.Load(self.draft.value("early", ir.F32), ir.Place(self.sums, number(3)), ACCESS)
        self.copy = ir.CopyAsync(
            ir.Place(self.tiles[0], binary(BinaryOp.MUL, LANE, number(8))),
            ir.Place(buffers[0], binary(BinaryOp.MUL, LANE, number(8))), 8, number(8), True, ACCESS,
        )  # fmt: skip

    def store(self, array: ir.Memory, index: ir.Expr) -> ir.Stmt:
        zero = ir.Constant(0.0, array.element if isinstance(array.element, ir.ScalarType) else ir.F32)
        return ir.Store(ir.Place(array, index), zero, ACCESS)

    def findings(self, *statements: ir.Stmt, loads: bool = True) -> tuple[Finding, ...]:
        watch = Watch()
        before = [*self.load, ir.Barrier()] if loads else []
        body = [*before, self.declare, *statements]
        program = emit_checked(self.draft.valid(body), Options())
        contents = [np.zeros(tile.length, np.float16).view(np.uint8) for tile in self.tiles]
        dispatch = Dispatch(tuple(contents), (None, None), b"", (1, 1, 1))
        run_checked(program, dispatch, watch, list)
        return watch.findings


def codes(*statements: ir.Stmt, case: Case, loads: bool = True) -> list[tuple[str, tuple[int, ...]]]:
    return [(finding.code, finding.lines) for finding in case.findings(*statements, loads=loads)]


def lines_of(*spans: Any) -> tuple[int, ...]:
    return tuple(sorted(span.line for span in spans))


@pytest.fixture
def case() -> Case:
    return Case()


def test_what_is_right(case: Case) -> None:
    after = (case.wait, case.read_sum, ir.Barrier(), case.write)
    assert codes(case.product, case.product, *after, case=case) == []


def test_other_elements_of_a_tile_may_be_written(case: Case) -> None:
    """Of a row of 64 elements only the first 16 are read: those of row 0 are pieces 0 and 1."""
    first = ir.Binary(BinaryOp.EQ, LANE, number(0), ir.BOOL)
    others = ir.If(first, (case.store(case.tiles[0], number(16)),))
    assert codes(case.product, others, case.wait, case=case) == []


@pytest.mark.parametrize("barriers", [0, 1, 2, 3])
def test_a_write_to_a_tile_before_the_wait(case: Case, barriers: int) -> None:
    """Also where barriers come between."""
    before = [ir.Barrier()] * (barriers % 2)
    after = [ir.Barrier()] * (barriers // 2)
    findings = case.findings(case.product, *before, case.write, *after, case.wait)
    assert {(each.code, each.lines) for each in findings} == {("GP701", lines_of(PRODUCT, ACCESS))}
    assert "while a product reads it" in findings[0].message and findings[0].array == "a_tile"
    assert "fix: write it after the wait for the product and gp.barrier()" in str(findings[0])


def test_a_write_with_no_barrier_before_the_product_or_after_the_wait(case: Case) -> None:
    race = [("GP701", lines_of(PRODUCT, ACCESS))]
    assert codes(case.write, case.product, case.wait, case=case) == race
    other = Case()
    assert codes(other.product, other.wait, other.write, case=other) == race
    third = Case()
    assert codes(third.product, ir.Barrier(), third.wait, third.write, case=third) == race


def test_sums_that_are_used_before_the_wait(case: Case) -> None:
    (finding,) = case.findings(case.product, case.read_sum, case.wait)
    assert (finding.code, finding.lines, finding.array) == ("GP704", (ACCESS.line,), "sums")
    assert "is read by invocation (0, 0, 0)" in finding.message and "while products are added to it" in finding.message
    other = Case()
    assert codes(other.product, other.store(other.sums, number(0)), other.wait, case=other) == [
        ("GP701", (ACCESS.line,))
    ]


def test_copies_to_a_tile_that_is_read(case: Case) -> None:
    ended = (ir.CopyGroup(), ir.CopyWait(0), ir.Barrier())
    during = case.findings(case.product, case.copy, case.wait, *ended)
    assert {(each.code, each.lines) for each in during} == {("GP701", lines_of(PRODUCT, ACCESS))}
    other = Case()
    early = other.findings(other.copy, ir.CopyGroup(), ir.Barrier(), other.product, other.wait, *ended[1:])
    assert {each.code for each in early} == {"GP701", "GP704"}
    assert any("while a copy to it is under way" in each.message for each in early)
    third = Case()
    assert codes(third.copy, *ended, third.product, third.wait, case=third) == []


def test_tiles_that_were_never_written_or_are_too_small(case: Case) -> None:
    findings = case.findings(case.product, case.wait, loads=False)
    assert [(each.code, each.array) for each in findings] == [("GP704", "a_tile"), ("GP704", "b_tile")]
    other = Case()
    beyond = ir.Place(other.tiles[0], number(512))
    assert codes(dataclasses.replace(other.product, left=beyond), other.wait, case=other) == [
        ("GP703", (PRODUCT.line,))
    ]


def test_a_product_that_some_do_not_reach(case: Case) -> None:
    half = ir.If(ir.Binary(BinaryOp.LT, LANE, number(64), ir.BOOL), (case.product,), (), ACCESS)
    assert codes(half, case=case) == [("GP702", (PRODUCT.line,))]


def copying(start: int, count: int, valid: int, *, is_aligned: bool) -> tuple[Draft, list[ir.Stmt]]:
    draft = Draft(workgroup_size=(1, 1, 1))
    source, tile = draft.buffer("x", ir.F16), draft.workgroup_array("tile", ir.F16, 64)
    copy = ir.CopyAsync(
        ir.Place(tile, number(8)), ir.Place(source, number(start)), count, number(valid), is_aligned, ACCESS
    )
    return draft, [copy, ir.CopyGroup(), ir.CopyWait(0), ir.Barrier()]


def test_tiles_that_are_not_the_same_for_all(case: Case) -> None:
    turn = binary(BinaryOp.MUL, binary(BinaryOp.FLOOR_MOD, LANE, number(2)), number(512))
    wrong = dataclasses.replace(case.product, right=ir.Place(case.tiles[1], turn))
    (finding,) = case.findings(wrong, case.wait)
    assert (finding.code, finding.lines) == ("GP709", (PRODUCT.line,))
    assert [each.local_id for each in finding.invocations] == [(0, 0, 0), (1, 0, 0)]
    assert "fix: let the index of a tile be the same for all" in str(finding)
    with pytest.raises(
        DispatchError, match=r"tiles of a product differ .* local_id \(0, 0, 0\) and local_id \(1, 0, 0"
    ):
        case.draft.run([case.declare, wrong, case.wait], *[np.zeros(1024, np.float16)] * 2)


@pytest.mark.parametrize(
    ("start", "count", "valid", "is_aligned", "is_right"),
    [(4, 4, 4, True, True), (4, 8, 8, True, False), (3, 2, 2, True, False), (3, 8, 8, False, True),
     (3, 8, 0, True, True)],
)  # fmt: skip
def test_copies_that_are_not_where_they_promise(
    start: int, count: int, valid: int, is_aligned: bool, is_right: bool
) -> None:
    draft, body = copying(start, count, valid, is_aligned=is_aligned)
    x, watch = np.zeros(64, np.float16), Watch()
    program = emit_checked(draft.valid(body), Options())
    run_checked(program, Dispatch((x.view(np.uint8),), (None,), b"", (1, 1, 1)), watch, list)
    text = f"of {2 * count} bytes is at no multiple of them in 'x': element {start}"
    if is_right:
        draft.run(body, x)
        assert watch.findings == ()
    else:
        with pytest.raises(KernelAssertionError, match=text):
            draft.run(body, x)
        (finding,) = watch.findings
        assert (finding.code, finding.lines) == ("GP710", (ACCESS.line,)) and text in finding.message
