"""instrument: what a kernel under debug becomes, as IR; that it is valid, and as uniform as before."""

from __future__ import annotations

import dataclasses

import pytest

from gpucore.errors import CapabilityError
from gpucore.ir import (
    BOOL,
    F16,
    F32,
    F64,
    I8,
    I32,
    I64,
    U16,
    U32,
    U64,
    Atomic,
    AtomicOp,
    Barrier,
    Binary,
    BinaryOp,
    Bounds,
    Buffer,
    Builtin,
    BuiltinKind,
    Capability,
    Constant,
    Debug,
    DebugKind,
    Declare,
    DeclareArray,
    Expr,
    If,
    Let,
    Limits,
    Load,
    MathOp,
    Module,
    Param,
    Place,
    PrivateArray,
    ShapeOrigin,
    Stmt,
    Store,
    Type,
    Value,
    VectorType,
    WorkgroupArray,
    build,
    expansions,
    lay_out,
    num_components,
    print_module,
    walk,
)
from gpucore.passes import Plane, Report, ReportKind, expand_functions, fold_dispatch, instrument, run
from gpucore.passes.instrument import record_words
from gpucore.valid import validate

X, Y = Buffer(0, "x", I32, True, False), Buffer(1, "y", I32, True, True)
N = Param(0, "n", I32)
LANE = Builtin(BuiltinKind.LOCAL_ID, 0)
GROUP = Builtin(BuiltinKind.WORKGROUP_ID, 0)
V = Value(1, "v", I32)
EVERYTHING = frozenset(Capability)

STORE = """\
  var failures.0: u32 = 0:u32
  var record.1: u32 = 0:u32
  let in_range.2: bool = ((local_id(0) >= 0:i32) and (local_id(0) < n))
  if in_range.2
    store y[local_id(0)] = local_id(0)
  else
    if (failures.0 == 0:u32)
      let slot.4: u32 = atomic add diagnostics[0:u32], 1:u32
      load capacity.5: u32 = diagnostics[2:u32]
      if (slot.4 < capacity.5)
        let start.3: u32 = ((slot.4 * 9:u32) + 4:u32)
        record.1 = start.3
        store diagnostics[(start.3 + 0:u32)] = 0:u32
        store diagnostics[(start.3 + 7:u32)] = bitcast[u32](local_id(0))
        store diagnostics[(start.3 + 8:u32)] = bitcast[u32](n)
    failures.0 = (failures.0 + 1:u32)
  if (failures.0 != 0:u32)
    atomic add diagnostics[3:u32], failures.0
    if (record.1 != 0:u32)
      store diagnostics[(record.1 + 1:u32)] = bitcast[u32](workgroup_id(0))
      store diagnostics[(record.1 + 2:u32)] = bitcast[u32](workgroup_id(1))
      store diagnostics[(record.1 + 3:u32)] = bitcast[u32](workgroup_id(2))
      store diagnostics[(record.1 + 4:u32)] = bitcast[u32](local_id(0))
      store diagnostics[(record.1 + 5:u32)] = bitcast[u32](local_id(1))
      store diagnostics[(record.1 + 6:u32)] = bitcast[u32](local_id(2))
"""
"""What `store(LANE)` becomes."""


def kernel(*body: Stmt, arrays: tuple[WorkgroupArray, ...] = ()) -> Module:
    return Module("k", (8, 1, 1), (X, Y), (N,), (ShapeOrigin("x", 0),), arrays, body)


def plain(module: Module) -> Module:
    """After instrument and all passes."""
    return run(instrument(module).module)


def instrumented(module: Module) -> tuple[Module, tuple[Report, ...]]:
    """For kernels without an Out."""
    made = instrument(module)
    assert made.planes == ()
    return made.module, made.reports


def load(index: Expr = LANE, value: Value = V) -> tuple[Stmt, Stmt]:
    return Bounds(X, (index,), (N,)), Load(value, Place(X, index))


def store(value: Expr, index: Expr = LANE) -> tuple[Stmt, Stmt]:
    return Bounds(Y, (index,), (N,)), Store(Place(Y, index), value)


def kinds(module: Module) -> set[type]:
    return {type(statement) for statement in walk.statements(module.body)}


def test_a_module_with_nothing_to_report_is_returned_as_it_is() -> None:
    module = kernel(Load(V, Place(X, LANE)), Store(Place(Y, LANE), V))
    assert instrumented(module) == (module, ())
    assert instrument(module).module is module


def test_a_guarded_store_and_its_record() -> None:
    made, reports = instrumented(kernel(*store(LANE)))
    assert reports == (Report(ReportKind.BOUNDS, None, "y", (I32, I32)),)
    assert made.buffers[:2] == (X, Y)
    assert made.buffers[2] == Buffer(2, "diagnostics", U32, readable=True, writable=True, rank=0)
    assert print_module(made).split("body\n", 1)[1] == STORE


def test_a_guarded_load_gives_zero_and_an_atomic_too() -> None:
    old = Value(2, "old", I32)
    body = (
        *load(),
        Bounds(Y, (V,), (N,)),
        Atomic(old, AtomicOp.ADD, Place(Y, V), Constant(1, I32)),
        *store(old),
    )
    made, reports = instrumented(kernel(*body))
    assert [report.array for report in reports] == ["x", "y", "y"]
    valid = validate(made, EVERYTHING, Limits())
    assert valid.written_buffers == {1, 2}
    declared = [s for s in walk.statements(made.body) if isinstance(s, Declare)]
    named = [(s.local.name, s.init) for s in declared if s.local.type == I32]
    assert named == [("v", Constant(0, I32)), ("old", Constant(0, I32))]


@pytest.mark.parametrize(
    "element",
    [I32, U32, F32, F16, F64, I64, U64, I8, U16, VectorType(F32, 4), VectorType(I32, 2), VectorType(F16, 2)],
    ids=str,
)
def test_every_element_has_a_zero_and_can_be_printed(element: Type) -> None:
    buffer, value = Buffer(0, "x", element, True, False), Value(1, "v", element)
    body = (
        Bounds(buffer, (LANE,), (N,)),
        Load(value, Place(buffer, LANE)),
        Debug(DebugKind.PRINT, ("v", value)),
    )
    module = dataclasses.replace(kernel(*body), buffers=(buffer,))
    made, reports = instrumented(module)
    width = num_components(element)
    assert reports[1].num_words == width * (2 if element in (F64, I64, U64) else 1)
    assert record_words(reports) == 7 + max(2, reports[1].num_words)
    validate(made, EVERYTHING, Limits())
    validate(run(made), EVERYTHING, Limits())


def test_only_a_kernel_that_prints_64_bits_needs_them() -> None:
    assert validate(plain(kernel(*load(), Debug(DebugKind.PRINT, (V,)))), frozenset(), Limits()).needs == {}


def test_every_axis_is_tested() -> None:
    row, column = Value(1, "row", U32), Value(2, "column", I32)
    bounds = Bounds(Y, (row, column), (N, Constant(64, I32)))
    place = Place(Y, Constant(0, I32))
    body = (
        Load(Value(3, "r", I32), Place(X, LANE)),
        Load(column, Place(X, GROUP)),
        *_as_unsigned(row),
        bounds,
        Store(place, LANE),
    )
    made, reports = instrumented(kernel(*body))
    assert reports[0].parts == (U32, I32, I32, I32)
    assert "(((row.1 < u32(n)) and (column.2 >= 0:i32)) and (column.2 < 64:i32))" in print_module(made)
    validate(made, EVERYTHING, Limits())


def _as_unsigned(value: Value) -> tuple[Stmt]:
    from_lane = Binary(BinaryOp.ADD, Constant(1, U32), Constant(2, U32), U32)
    return (walk.n.Let(value, from_lane),)


def test_asserts_and_prints_share_the_buffer_in_halves() -> None:
    condition = Binary(BinaryOp.LT, LANE, N, BOOL)
    body = (
        Debug(DebugKind.ASSERT, ("too far:", LANE), None, condition),
        Debug(DebugKind.PRINT, ("at", GROUP, condition)),
        *store(LANE),
    )
    made, reports = instrumented(kernel(*body))
    assert [report.kind for report in reports] == [ReportKind.ASSERT, ReportKind.PRINT, ReportKind.BOUNDS]
    assert [report.is_failure for report in reports] == [True, False, True]
    assert reports[0].parts == ("too far:", I32)
    assert reports[1].parts == ("at", I32, BOOL)
    assert Debug not in kinds(made) and Bounds not in kinds(made)
    validate(made, frozenset(), Limits())


def test_a_breakpoint_is_left_for_the_validator_to_refuse() -> None:
    made, reports = instrumented(kernel(*store(LANE), Debug(DebugKind.BREAKPOINT)))
    assert len(reports) == 1
    with pytest.raises(CapabilityError, match="breakpoint"):
        validate(made, frozenset(), Limits())


def test_nested_blocks_are_numbered_in_the_order_of_the_text() -> None:
    counter = Value(5, "i", I32)
    inner = If(Binary(BinaryOp.EQ, LANE, N, BOOL), (Debug(DebugKind.PRINT, ("inner",)),), store(LANE))
    body = (walk.n.ForRange(counter, Constant(0, I32), N, (*load(counter), inner)), Debug(DebugKind.PRINT, ("last",)))
    made, reports = instrumented(kernel(*body))
    assert [report.parts[0] for report in reports if report.kind is ReportKind.PRINT] == ["inner", "last"]
    assert [report.array for report in reports] == ["x", "", "y", ""]
    stores = [s for s in walk.statements(made.body) if isinstance(s, Store) and s.place.memory.name == "diagnostics"]
    assert [s.expr.value for s in stores if isinstance(s.expr, Constant)] == [0, 1, 2, 3]
    validate(made, frozenset(), Limits())


def test_a_value_read_at_a_uniform_index_stays_uniform() -> None:
    """A barrier behind a condition on it is legal as without debug."""
    w = Value(2, "w", I32)
    body = (
        *load(GROUP),
        *load(LANE, w),
        If(Binary(BinaryOp.GT, V, Constant(0, I32), BOOL), (Barrier(),)),
        *store(w),
    )
    module = kernel(*body)
    without = kernel(*(s for s in body if not isinstance(s, Bounds)))
    assert validate(without, frozenset(), Limits()).uniform == {V.id}
    made = instrument(module).module
    uniform = validate(made, frozenset(), Limits()).uniform
    assert V.id in uniform and w.id not in uniform
    validate(run(made), frozenset(), Limits())


def test_a_private_array_stays_uniform() -> None:
    array, found = PrivateArray(5, "p", I32, 4), Value(6, "found", I32)
    four = (Constant(4, I32),)
    body = (
        DeclareArray(array),
        Bounds(array, (GROUP,), four),
        Store(Place(array, GROUP), N),
        Bounds(array, (GROUP,), four),
        Load(found, Place(array, GROUP)),
        If(Binary(BinaryOp.GT, found, Constant(0, I32), BOOL), (Barrier(),)),
    )
    valid = validate(instrument(kernel(*body)).module, frozenset(), Limits())
    assert {array.id, found.id} <= valid.uniform


def test_a_folded_grid_reports_the_ids_that_the_kernel_sees() -> None:
    """fold_dispatch comes after: the records' workgroup ids are the ones that were asked for."""
    made = fold_dispatch(instrument(kernel(*store(LANE))).module)
    validate(made, frozenset(), Limits())
    stored = [s.expr for s in walk.statements(made.body) if isinstance(s, Store) and s.place.memory.name != "y"]
    builtins = [leaf.kind for expr in stored for leaf in walk.leaves(expr) if isinstance(leaf, Builtin)]
    assert BuiltinKind.WORKGROUP_ID not in builtins
    assert {leaf.name for expr in stored for leaf in walk.leaves(expr) if isinstance(leaf, Value)} >= {
        "workgroup_id_x", "workgroup_id_y", "workgroup_id_z",
    }  # fmt: skip


def test_a_workgroup_array_is_guarded() -> None:
    tile = WorkgroupArray(7, "tile", F32, 8)
    value = Value(8, "t", F32)
    body = (Bounds(tile, (LANE,), (Constant(8, I32),)), Load(value, Place(tile, LANE)), *store(LANE))
    valid = validate(plain(kernel(*body, arrays=(tile,))), frozenset(), Limits())
    assert tile not in valid.atomic_memories


def test_the_buffer_has_a_name_of_its_own() -> None:
    taken = dataclasses.replace(X, name="diagnostics")
    module = dataclasses.replace(kernel(*store(LANE)), buffers=(taken, Y))
    assert [buffer.name for buffer in instrument(module).module.buffers] == ["diagnostics", "y", "diagnostics_"]


def test_functions_written_in_older_operations_leave_a_check_beside_its_access() -> None:
    """The values that an expansion binds come before the check, of an index and of a stored value."""
    rotated = build.call(MathOp.ROTATE_LEFT, build.call(MathOp.ROTATE_LEFT, V, LANE), LANE)
    module = kernel(*load(), *store(rotated), *store(V, rotated))
    expanded = expand_functions(module, expansions.required(), EVERYTHING)
    assert "rotate_left" in print_module(module) and "rotate_left" not in print_module(expanded)
    assert sum(isinstance(statement, Let) for statement in expanded.body) >= 4
    validate(expanded, EVERYTHING, Limits(), "here")
    assert sum(isinstance(statement, Bounds) for statement in expanded.body) == 3


MARKED = """\
  store out[local_id(0)] = local_id(0)
  load marks.2: u32 = diagnostics[4:u32]
  if (marks.2 != 0:u32)
    atomic or diagnostics[(marks.2 + (u32(local_id(0)) >> 5:u32))], (1:u32 << (u32(local_id(0)) & 31:u32))
"""


def test_a_store_to_an_out_is_marked() -> None:
    out = Buffer(1, "out", I32, readable=False, writable=True)
    body = (Bounds(out, (LANE,), (N,)), Store(Place(out, LANE), LANE))
    module = dataclasses.replace(kernel(*body), buffers=(X, out))
    plane = Plane(1, "out", "", (), None)
    unguarded = instrument(dataclasses.replace(module, body=body[1:]))
    assert (unguarded.reports, unguarded.planes) == ((), (plane,))
    assert print_module(unguarded.module).split("body\n", 1)[1].replace("marks.0", "marks.2") == MARKED
    only = instrument(module, only_marks=True)
    assert (only.reports, only.planes) == ((), (plane,)) and only.module.body[:2] == body
    both = instrument(module)
    assert len(both.reports) == 1 and both.planes == (plane,)
    (guarded,) = [s for s in both.module.body if isinstance(s, If) and any(isinstance(t, Store) for t in s.then)]
    assert [type(s) for s in guarded.then] == [Store, Load, If]  # not for an index out of range
    assert "* 9:u32) + 5:u32)" in print_module(both.module)  # records begin after the plane's word
    validate(both.module, frozenset(), Limits())


def test_each_field_of_a_struct_has_a_plane_and_a_load_no_mark() -> None:
    inner = lay_out("Inner", (("a", I32), ("b", VectorType(F32, 2))))
    outer = lay_out("Outer", (("c", F32), ("d", inner)))
    out = Buffer(0, "out", outer, readable=False, writable=True)
    counts = Buffer(1, "counts", U32, readable=False, writable=True)
    zero, one = Constant(0, I32), Constant(1, U32)
    body = (
        Store(Place(out, zero, (1, 0)), zero),
        Atomic(None, AtomicOp.ADD, Place(counts, zero), one),
        Atomic(Value(9, "found", U32), AtomicOp.LOAD, Place(counts, zero)),
    )
    made = instrument(dataclasses.replace(kernel(*body), buffers=(out, counts)))
    assert [(plane.array, plane.field, plane.path) for plane in made.planes] == [
        ("out", "c", (0,)),
        ("out", "d.a", (1, 0)),
        ("out", "d.b", (1, 1)),
        ("counts", "", ()),
    ]
    assert [type(s) for s in made.module.body] == [Store, Load, If, Atomic, Load, If, Atomic]
    assert [s.place.index for s in made.module.body if isinstance(s, Load)] == [Constant(5, U32), Constant(7, U32)]
