"""Each pass on a small kernel, before and after as the IR's own text."""

import dataclasses

from gpucore.ir import (
    BOOL,
    F32,
    FALSE,
    I32,
    TRUE,
    U32,
    ArgumentOrigin,
    Assign,
    Atomic,
    AtomicOp,
    Barrier,
    Bounds,
    Break,
    Buffer,
    Builtin,
    BuiltinKind,
    Capability,
    Constant,
    Construct,
    Declare,
    DeclareArray,
    Extract,
    ForRange,
    If,
    Let,
    Limits,
    Load,
    Local,
    Loop,
    MathOp,
    Module,
    Param,
    Place,
    PrivateArray,
    ShapeOrigin,
    Splat,
    Store,
    Unary,
    UnaryOp,
    Value,
    VectorType,
    WorkgroupArray,
    print_module,
)
from gpucore.ir.build import add, call, lt
from gpucore.passes import expand_functions, fold_dispatch, run
from gpucore.passes.dead_code import remove_dead_code, remove_unused_arguments
from gpucore.passes.folding import fold
from gpucore.passes.placement import place_declarations
from gpucore.passes.promotion import promote_locals
from gpucore.passes.scalars import scalar_replacement
from gpucore.valid import validate

X = Buffer(0, "x", I32, True, False)
Y = Buffer(1, "y", I32, True, True)
N = Param(0, "n", I32)
LID = Builtin(BuiltinKind.LOCAL_ID, 0)


def c(value):
    return Constant(value, I32)


def value(id_, name, type_=I32):
    return Value(id_, name, type_)


def local(id_, name, type_=I32):
    return Local(id_, name, type_)


def store(index, expr):
    return Store(Place(Y, index), expr)


def module(*body, params=(N,), arrays=()):
    origins = tuple(ArgumentOrigin(p.name) for p in params)
    return Module("k", (64, 1, 1), (X, Y), tuple(params), origins, tuple(arrays), tuple(body))


def body_of(result):
    """The body as text, without the two spaces that every line has."""
    text = print_module(result).split("body\n", 1)[1]
    return "".join(line[2:] + "\n" for line in text.splitlines())


def test_fold_forwards_values_and_takes_constant_branches():
    a, b, e, v = value(0, "a"), value(1, "b"), value(2, "e"), local(3, "v")
    before = module(
        Declare(v),
        Let(a, LID),
        Let(b, a),
        Let(e, add(c(2), c(3))),
        Assign(v, e),
        If(lt(e, c(9)), (store(add(b, v), e),), (store(c(0), c(1)),)),
        If(lt(b, N), (), (store(b, c(1)),)),
        If(lt(b, N), (), ()),
        ForRange(value(4, "i"), c(3), add(c(1), c(2)), (store(c(0), c(1)),)),
    )
    assert body_of(fold(before)) == (
        "var v.3: i32\n"
        "v.3 = 5:i32\n"
        "store y[(local_id(0) + 5:i32)] = 5:i32\n"
        "if (local_id(0) >= n)\n"
        "  store y[local_id(0)] = 1:i32\n"
    )


def test_fold_knows_the_components_of_a_vector():
    pair = VectorType(I32, 2)
    same, mixed, read = Value(0, "same", pair), Value(1, "mixed", pair), Value(2, "read", pair)
    v = local(3, "v")
    before = module(
        Declare(v),
        Let(same, Splat(LID, pair)),
        Let(mixed, Construct((N, c(7)), pair)),
        Let(read, Construct((N, v), pair)),
        Assign(v, c(2)),
        *(store(c(0), Extract(vector, index, I32)) for vector in (same, mixed, read) for index in (0, 1)),
    )
    after = body_of(fold(before)).splitlines()
    assert [line.split(" = ")[1] for line in after[-6:]] == [
        "local_id(0)", "local_id(0)", "n", "7:i32", "read.2.x", "read.2.y",
    ]  # fmt: skip


def test_fold_knows_a_local_until_control_flow_assigns_it():
    v, w = local(0, "v"), local(1, "w")
    before = module(
        Declare(v),
        Declare(w),
        Assign(v, c(1)),
        Assign(w, c(2)),
        If(lt(LID, N), (store(c(0), v), Assign(v, N), store(c(1), v)), (store(c(2), v),)),
        store(c(3), v),
        store(c(4), w),
        Loop((store(c(5), w), Assign(w, add(w, c(1))), If(lt(N, w), (Break(),)))),
        store(c(6), w),
    )
    assert body_of(fold(before)) == (
        "var v.0: i32\n"
        "var w.1: i32\n"
        "v.0 = 1:i32\n"
        "w.1 = 2:i32\n"
        "if (local_id(0) < n)\n"
        "  store y[0:i32] = 1:i32\n"
        "  v.0 = n\n"
        "  store y[1:i32] = n\n"
        "else\n"
        "  store y[2:i32] = 1:i32\n"
        "store y[3:i32] = v.0\n"
        "store y[4:i32] = 2:i32\n"
        "loop\n"
        "  store y[5:i32] = w.1\n"
        "  w.1 = (w.1 + 1:i32)\n"
        "  if (n < w.1)\n"
        "    break\n"
        "store y[6:i32] = w.1\n"
    )


def test_fold_keeps_the_old_value_of_a_local_that_changes():
    """`old` is read after v has changed: the Let moves to the last place where it is right. `new` is not."""
    v, old, new = local(0, "v"), value(1, "old"), value(2, "new")
    before = module(
        Declare(v),
        Load(value(3, "e"), Place(X, LID)),
        Assign(v, add(value(3, "e"), c(1))),
        Let(old, v),
        store(c(0), old),
        Assign(v, add(old, c(1))),
        Let(new, v),
        store(c(1), add(old, new)),
        Assign(v, c(7)),
        store(c(2), v),
    )
    after = fold(before)
    assert body_of(after) == (
        "var v.0: i32\n"
        "load e.3: i32 = x[local_id(0)]\n"
        "v.0 = (e.3 + 1:i32)\n"
        "store y[0:i32] = v.0\n"
        "let old.1: i32 = v.0\n"
        "v.0 = (v.0 + 1:i32)\n"
        "store y[1:i32] = (old.1 + v.0)\n"
        "v.0 = 7:i32\n"
        "store y[2:i32] = 7:i32\n"
    )
    assert fold(after) is after


def test_scalar_replacement():
    array, other = PrivateArray(0, "acc", VectorType(F32, 2), 2), PrivateArray(1, "dyn", I32, 2)
    v = value(2, "v", VectorType(F32, 2))
    before = module(
        DeclareArray(array),
        DeclareArray(other),
        Load(v, Place(array, c(1))),
        Store(Place(array, Constant(0, U32)), v),
        Store(Place(other, LID), c(1)),
    )
    assert body_of(scalar_replacement(before)) == (
        "var acc_0.3: f32x2 = splat[f32x2](0.0:f32)\n"
        "var acc_1.4: f32x2 = splat[f32x2](0.0:f32)\n"
        "private dyn.1: i32[2]\n"
        "let v.2: f32x2 = acc_1.4\n"
        "acc_0.3 = v.2\n"
        "store dyn.1[local_id(0)] = 1:i32\n"
    )


def test_scalar_replacement_leaves_an_index_out_of_range_to_the_validator():
    array = PrivateArray(0, "acc", I32, 2)
    before = module(DeclareArray(array), Store(Place(array, c(2)), c(1)))
    assert scalar_replacement(before) is before


def test_promote_a_local_assigned_once():
    v, w = local(0, "v"), local(1, "w")
    before = module(
        Declare(v),
        Declare(w),
        If(lt(LID, N), (Assign(v, add(LID, c(1))), If(lt(v, N), (store(v, v),)))),
        Loop((If(lt(LID, N), (Break(),)), Assign(w, LID), store(w, w))),
    )
    assert body_of(promote_locals(before)) == (
        "var v.0: i32\n"
        "var w.1: i32\n"
        "if (local_id(0) < n)\n"
        "  let v.2: i32 = (local_id(0) + 1:i32)\n"
        "  if (v.2 < n)\n"
        "    store y[v.2] = v.2\n"
        "loop\n"
        "  if (local_id(0) < n)\n"
        "    break\n"
        "  let w.3: i32 = local_id(0)\n"
        "  store y[w.3] = w.3\n"
    )


def test_promote_keeps_what_is_carried_around_a_loop_or_seen_outside():
    v, w = local(0, "v"), local(1, "w")
    before = module(
        Declare(v),
        Declare(w),
        Assign(v, c(0)),
        ForRange(value(2, "i"), c(0), N, (Assign(v, add(v, c(1))), Assign(v, add(v, c(2))), Assign(w, v))),
        If(lt(LID, N), (Assign(w, LID),), (Assign(w, N),)),
        store(v, w),
    )
    assert body_of(promote_locals(before)) == (
        "var v.0: i32\n"
        "var w.1: i32\n"
        "v.0 = 0:i32\n"
        "for i.2: i32 in 0:i32 .. n\n"
        "  let v.3: i32 = (v.0 + 1:i32)\n"  # overwritten in the same block: nobody else sees it
        "  v.0 = (v.3 + 2:i32)\n"
        "  w.1 = v.0\n"
        "if (local_id(0) < n)\n"
        "  w.1 = local_id(0)\n"
        "else\n"
        "  w.1 = n\n"
        "store y[v.0] = w.1\n"
    )


def test_promote_minds_the_way_out_of_a_loop():
    """The first value of v is seen after the break, although the second overwrites it in the same block."""
    v = local(0, "v")
    before = module(
        Declare(v),
        Assign(v, c(0)),
        Loop((Assign(v, c(1)), If(lt(LID, N), (Break(),)), Assign(v, c(2)))),
        store(c(0), v),
    )
    assert promote_locals(before) is before


def test_place_declarations():
    v, w, flag = local(0, "v"), local(1, "w"), local(2, "flag", BOOL)
    before = module(
        Declare(v),
        Declare(w),
        Declare(flag),
        Declare(local(3, "unused")),
        Load(value(4, "e"), Place(X, LID)),
        Assign(v, value(4, "e")),
        Loop(
            (
                If(lt(v, N), (Assign(w, v),), (Assign(w, N),)),
                Assign(v, add(v, w)),
                If(lt(N, v), (Assign(flag, TRUE), If(flag, (Break(),)))),
            )
        ),
    )
    assert body_of(place_declarations(before)) == (
        "load e.4: i32 = x[local_id(0)]\n"
        "var v.0: i32 = e.4\n"
        "loop\n"
        "  var w.1: i32\n"
        "  if (v.0 < n)\n"
        "    w.1 = v.0\n"
        "  else\n"
        "    w.1 = n\n"
        "  v.0 = (v.0 + w.1)\n"
        "  if (n < v.0)\n"
        "    var flag.2: bool = True:bool\n"
        "    if flag.2\n"
        "      break\n"
    )


def test_dead_code():
    v, w, flag = local(0, "v"), local(1, "w"), local(2, "flag", BOOL)
    array = PrivateArray(3, "never_read", I32, 4)
    before = module(
        Declare(v),
        Declare(w),
        Declare(flag),
        DeclareArray(array),
        Load(value(4, "e"), Place(X, c(0))),
        Load(value(5, "f"), Place(X, c(1))),
        Store(Place(array, LID), value(4, "e")),
        Assign(v, value(4, "e")),
        Assign(w, c(0)),
        ForRange(value(6, "i"), c(0), N, (Assign(v, w), Assign(w, v))),  # each feeds only the other
        If(lt(value(5, "f"), N), (Assign(flag, TRUE),), (store(c(0), c(1)),)),
        Atomic(value(7, "old"), AtomicOp.ADD, Place(Y, c(0)), c(1)),
        Atomic(value(8, "now"), AtomicOp.LOAD, Place(Y, c(0))),
        Barrier(),
        Loop((Break(), store(c(0), c(2)))),
    )
    assert body_of(remove_dead_code(before)) == (
        "load f.5: i32 = x[1:i32]\n"
        "if (f.5 >= n)\n"
        "  store y[0:i32] = 1:i32\n"
        "atomic add y[0:i32], 1:i32\n"
        "let now.8: i32 = atomic load y[0:i32]\n"
        "barrier\n"
        "loop\n"
        "  break\n"
    )


def test_a_bounds_check_goes_with_its_access():
    unused, index, used = value(0, "unused"), value(1, "index"), value(2, "used")
    array, tile = PrivateArray(3, "array", I32, 4), WorkgroupArray(4, "tile", I32, 64)
    before = module(
        DeclareArray(array),
        Bounds(X, (LID,), (N,)),
        Load(unused, Place(X, LID)),
        Bounds(X, (N,), (N,)),
        Load(index, Place(X, N)),
        Bounds(tile, (index,), (c(64),)),
        Load(used, Place(tile, index)),
        Bounds(array, (c(1),), (c(4),)),
        Store(Place(array, c(1)), used),
        Bounds(array, (c(1),), (c(4),)),
        Load(value(5, "copy"), Place(array, c(1))),
        Bounds(Y, (LID,), (N,)),
        store(LID, value(5, "copy")),
        arrays=(tile,),
    )
    after = run(before)
    assert [type(statement) for statement in after.body] == [Bounds, Load, Bounds, Load, Bounds, Store]
    validate(after, frozenset(), Limits(), "here")


def test_a_bounds_check_stays_before_its_access_when_a_function_is_expanded():
    """Debugged on a backend that wants the IR as it was lowered: there the pass meets bounds checks."""
    product = call(MathOp.MUL_HI, add(N, c(1)), add(N, c(2)))
    after = expand_functions(module(Bounds(Y, (LID,), (N,)), store(LID, product)), frozenset(), frozenset())
    types = [type(statement) for statement in after.body]
    assert types[-2:] == [Bounds, Store] and set(types[:-2]) == {Let}
    validate(after, frozenset(), Limits(), "here")


def test_unused_arguments_go_and_the_rest_is_renumbered():
    params = (Param(0, "a", I32), Param(1, "b", F32), Param(2, "m", I32))
    arrays = (WorkgroupArray(0, "used", I32, 4), WorkgroupArray(1, "unused", I32, 4))
    before = dataclasses.replace(
        module(Store(Place(arrays[0], c(0)), params[2]), params=params, arrays=arrays),
        origins=(ArgumentOrigin("a"), ArgumentOrigin("b"), ShapeOrigin("x", 0)),
    )
    after = remove_unused_arguments(before)
    assert print_module(after) == (
        "kernel k workgroup_size=(64, 1, 1)\n"
        "  buffer 0 x: in i32\n"
        "  buffer 1 y: inout i32\n"
        "  param 0 m: i32 = ShapeOrigin(name='x', axis=0)\n"
        "  workgroup used.0: i32[4]\n"
        "body\n"
        "  store used.0[0:i32] = m\n"
    )
    assert after.body[0].expr.index == 0


def test_run_makes_registers_of_an_accumulator_array():
    acc = PrivateArray(0, "acc", I32, 2)
    a, b = value(2, "a"), value(3, "b")
    done, v = local(4, "done", BOOL), local(5, "v")
    before = module(
        Declare(done),
        Declare(v),
        Assign(done, FALSE),
        DeclareArray(acc),
        ForRange(
            value(1, "k"),
            c(0),
            N,
            (
                Load(a, Place(X, value(1, "k"))),
                Assign(v, add(a, c(1))),
                Load(b, Place(acc, add(c(0), c(1)))),
                Store(Place(acc, c(1)), add(b, v)),
                Assign(v, add(a, c(2))),
                Load(value(6, "d"), Place(acc, c(1))),
                Store(Place(acc, c(1)), add(value(6, "d"), v)),
            ),
        ),
        Assign(done, TRUE),
        Load(value(7, "r"), Place(acc, c(1))),
        store(LID, value(7, "r")),
    )
    after = run(before)
    assert body_of(after) == (
        "var acc_1.9: i32 = 0:i32\n"
        "for k.1: i32 in 0:i32 .. n\n"
        "  load a.2: i32 = x[k.1]\n"
        "  let v.12: i32 = (a.2 + 1:i32)\n"
        "  let acc_1.13: i32 = (acc_1.9 + v.12)\n"
        "  let v.14: i32 = (a.2 + 2:i32)\n"
        "  acc_1.9 = (acc_1.13 + v.14)\n"
        "store y[local_id(0)] = acc_1.9\n"
    )
    validate(after, frozenset(), Limits())
    assert run(after) == after


def test_fold_dispatch_is_valid_and_uniform():
    wid = [Builtin(BuiltinKind.WORKGROUP_ID, axis) for axis in range(3)]
    before = module(
        Barrier(),
        store(add(wid[0], wid[2]), Builtin(BuiltinKind.NUM_WORKGROUPS, 0)),
        If(lt(wid[2], N), (Barrier(),)),
    )
    after = run(fold_dispatch(before))
    assert print_module(after) == (
        "kernel k workgroup_size=(64, 1, 1)\n"
        "  buffer 0 x: in i32\n"
        "  buffer 1 y: inout i32\n"
        "  param 0 n: i32 = ArgumentOrigin(name='n', field='')\n"
        "  param 1 grid_columns: i32 = GridOrigin(what='columns')\n"
        "  param 2 grid_x: i32 = GridOrigin(what='x')\n"
        "  param 3 grid_y: i32 = GridOrigin(what='y')\n"
        "  param 4 grid_z: i32 = GridOrigin(what='z')\n"
        "body\n"
        "  let linear_workgroup_id.0: u32 = (u32(workgroup_id(0)) + (u32(workgroup_id(1)) * u32(grid_columns)))\n"
        "  if (linear_workgroup_id.0 < ((u32(grid_x) * u32(grid_y)) * u32(grid_z)))\n"
        "    let workgroup_id_x.1: i32 = i32((linear_workgroup_id.0 % u32(grid_x)))\n"
        "    let workgroup_id_z.3: i32 = i32((linear_workgroup_id.0 // (u32(grid_x) * u32(grid_y))))\n"
        "    barrier of workgroup memory\n"
        "    store y[(workgroup_id_x.1 + workgroup_id_z.3)] = grid_x\n"
        "    if (workgroup_id_z.3 < n)\n"
        "      barrier of workgroup memory\n"
    )
    assert validate(after, frozenset(), Limits()).uniform == {0, 1, 3}
    assert validate(fold_dispatch(run(before)), frozenset(Capability), Limits()).uniform == {0, 1, 3}


def test_deep_expressions_and_deep_nesting():
    expr = LID
    for _ in range(200):
        expr = Unary(UnaryOp.NEG, add(expr, N), I32)  # 400 levels
    inner = (store(c(0), expr),)
    for _ in range(60):
        inner = (If(lt(N, LID), inner),)
    after = run(module(*inner))
    assert after.body[0].then[0].then[0].condition == lt(N, LID)
    validate(after, frozenset(), Limits())
