"""What validate() refuses and what it hands out."""

import dataclasses

import pytest

from gpucore.errors import CapabilityError, CompileError, KernelTypeError, LimitError
from gpucore.ir import (
    BOOL,
    F16,
    F32,
    F64,
    FALSE,
    I32,
    I64,
    TRUE,
    U32,
    ArgumentOrigin,
    Assign,
    Atomic,
    AtomicOp,
    Barrier,
    Binary,
    BinaryOp,
    Bounds,
    Break,
    Buffer,
    Builtin,
    BuiltinKind,
    Call,
    Capability,
    Constant,
    Continue,
    Convert,
    Debug,
    DebugKind,
    Declare,
    DeclareArray,
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
    Select,
    Splat,
    Store,
    Unary,
    UnaryOp,
    ValidModule,
    Value,
    VectorType,
    WorkgroupArray,
)
from gpucore.span import Span
from gpucore.valid import validate
from gpucore.valid.slots import lay_out

X = Buffer(0, "x", F32, True, False)
Y = Buffer(1, "y", I32, True, True)
N = Param(0, "n", I32)
LID = Builtin(BuiltinKind.LOCAL_ID, 0)
WHERE = 'device "wgpu:vulkan:0" (llvmpipe)'
SPAN = Span("nowhere.py", 7, 4, 7, 9)


def c(value, type_=I32):
    return Constant(value, type_)


def module(*body, buffers=(X, Y), params=(N,), arrays=(), size=(64, 1, 1)):
    origins = tuple(ArgumentOrigin(p.name) for p in params)
    return Module("k", size, tuple(buffers), tuple(params), origins, tuple(arrays), tuple(body), SPAN)


def check(*body, capabilities=(), limits=None, **parts):
    return validate(module(*body, **parts), frozenset(capabilities), limits or Limits(), WHERE)


# ---------------------------------------------------------------- internal errors


V, W, T = Value(0, "v", I32), Local(1, "w", I32), Value(2, "t", F32)
CHECK = Bounds(Y, (c(0),), (N,))
TILE, MINE = WorkgroupArray(3, "tile", I32, 8), PrivateArray(4, "mine", I32, 4)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ([Let(V, c(1.0, F32))], "f32 where i32 belongs in `let v.0: i32 = 1.0:f32`"),
        ([Let(V, Binary(BinaryOp.ADD, c(1), c(1, U32), I32))], "an ill-typed Binary in"),
        ([Let(V, Binary(BinaryOp.DIV, c(1), c(1), I32))], "an ill-typed Binary in"),
        ([Let(V, Binary(BinaryOp.LT, c(1), c(1), I32))], "an ill-typed Binary in"),
        ([Let(V, Unary(UnaryOp.NOT, c(1), I32))], "an ill-typed Unary in"),
        ([Let(V, Call(MathOp.SIN, (c(1),), I32))], "an ill-typed Call in"),
        ([Let(V, Call(MathOp.MIN, (c(1),), I32))], "an ill-typed Call in"),
        ([Let(V, Select(c(1), c(1), c(1), I32))], "an ill-typed Select in"),
        ([Let(V, c(2**31))], "an ill-typed Constant in"),
        ([Let(V, c(1)), Let(V, c(1))], "id 0 is defined twice"),
        ([Store(Place(Y, V), c(1))], "`v` is not in scope in `store y[v.0] = 1:i32`"),
        ([If(TRUE, (Let(V, c(1)),)), Store(Place(Y, c(0)), V)], "`v` is not in scope in"),
        ([Assign(W, c(1))], "`w` is not in scope in"),
        ([ForRange(V, c(0), c(4), ()), Store(Place(Y, c(0)), V)], "`v` is not in scope in"),
        ([Let(V, c(1)), Store(Place(Y, c(0)), Value(0, "v", U32))], "`v` of type i32 is used as u32"),
        ([Break()], "Break outside a loop"),
        ([If(TRUE, (Continue(),))], "Continue outside a loop"),
        ([If(c(1), ())], "i32 where bool belongs"),
        ([ForRange(V, c(0), c(4, U32), ())], "u32 where i32 belongs"),
        ([Load(T, Place(X, c(0.0, F32)))], "an index of type f32"),
        ([Load(V, Place(X, c(0)))], "f32 where i32 belongs"),
        ([Store(Place(X, c(0)), c(1.0, F32))], "buffer `x` is written against its mode"),
        ([Store(Place(Buffer(2, "z", I32, True, True), c(0)), c(1))], "buffer `z` does not belong to the kernel"),
        ([Store(Place(TILE, c(0)), c(1))], "array `tile` is not in scope"),
        ([Store(Place(MINE, c(0)), c(1))], "array `mine` is not in scope"),
        ([Store(Place(Y, Param(0, "m", I32)), c(1))], "param `m` does not belong to the kernel"),
        ([DeclareArray(MINE), Atomic(None, AtomicOp.ADD, Place(MINE, c(0)), c(1))], "an atomic on `mine` of i32"),
        ([Atomic(None, AtomicOp.ADD, Place(Y, c(0)))], "atomic add with a wrong number of operands"),
        ([Atomic(None, AtomicOp.STORE, Place(Y, c(0)), c(1), c(1))], "atomic store with a wrong number of operands"),
        ([CHECK, CHECK, Store(Place(Y, c(0)), c(1))], "no access to `y` follows its bounds check"),
        ([CHECK, Let(V, c(1)), Store(Place(Y, c(0)), V)], "no access to `y` follows its bounds check"),
        ([CHECK, Load(T, Place(X, c(0)))], "no access to `y` follows its bounds check"),
        ([If(TRUE, (CHECK,)), Store(Place(Y, c(0)), c(1))], "no access to `y` follows its bounds check"),
    ],
)
def test_ill_formed_ir_is_an_internal_error(body, message):
    with pytest.raises(CompileError) as caught:
        check(*body)
    assert caught.value.code == "GP900"
    assert message in caught.value.message


def test_params_must_be_numbered_in_order():
    with pytest.raises(CompileError, match="param `n` is numbered 0, not 1"):
        check(params=(N, N))


# ---------------------------------------------------------------- constant indices


@pytest.mark.parametrize("index", [-1, 8])
def test_constant_index_out_of_range(index):
    with pytest.raises(KernelTypeError) as caught:
        check(Store(Place(TILE, c(index)), c(1), SPAN), arrays=(TILE,))
    assert str(caught.value) == (
        f"nowhere.py:7:5: error[GP310]: index {index} is out of range for `tile` of length 8\n"
        "  why: a constant index is checked when the kernel is compiled\n"
        "  fix: use an index from 0 to 7"
    )


def test_constant_index_of_a_private_array():
    with pytest.raises(KernelTypeError, match="index 4 is out of range for `mine`"):
        check(DeclareArray(MINE), Store(Place(MINE, c(4)), c(1)))
    check(DeclareArray(MINE), Store(Place(MINE, c(3)), c(1)))


# ---------------------------------------------------------------- capabilities


def test_missing_type_of_a_parameter():
    with pytest.raises(CapabilityError) as caught:
        check(buffers=(Buffer(0, "x", VectorType(F16, 4), True, False),))
    assert str(caught.value) == (
        "nowhere.py:7:5: error[GP401]: array `x` has elements of type f16x4, "
        'which device "wgpu:vulkan:0" (llvmpipe) does not have\n'
        "  why: it needs the capability 'f16'\n"
        "  fix: use gp.f32, which every device has"
    )


def test_missing_type_inside_the_kernel_is_shown_where_it_is_used_first():
    first, second = Span("nowhere.py", 9, 0, 9, 1), Span("nowhere.py", 10, 0, 10, 1)
    wide = Value(0, "wide", I64)
    body = [Let(wide, Convert(N, I64), first), Let(Value(1, "b", I64), wide, second)]
    with pytest.raises(CapabilityError) as caught:
        check(*body)
    assert caught.value.span == first
    assert caught.value.message == f"this computes with type i64, which {WHERE} does not have"
    assert check(*body, capabilities=[Capability.INT64]).needs == {Capability.INT64: first}


def test_needs_of_all_kinds():
    body = [
        Debug(DebugKind.BREAKPOINT, (), SPAN),
        Let(Value(0, "h", F16), c(1.0, F16), SPAN),
        Let(Value(1, "d", BOOL), Binary(BinaryOp.EQ, c(1.0, F64), c(2.0, F64), BOOL), SPAN),
    ]
    assert set(check(*body, capabilities=Capability).needs) == {Capability.BREAKPOINT, Capability.F16, Capability.F64}
    with pytest.raises(CapabilityError, match="this stops in a debugger, which device"):
        check(*body, capabilities=[Capability.F16, Capability.F64])
    assert check().needs == {}


# ---------------------------------------------------------------- limits


def test_workgroup_size_along_an_axis():
    with pytest.raises(LimitError) as caught:
        check(size=(1, 1, 65))
    assert str(caught.value) == (
        "nowhere.py:7:5: error[GP402]: a workgroup of `k` has 65 invocations along axis 2; "
        'device "wgpu:vulkan:0" (llvmpipe) allows 64\n'
        "  why: workgroup_size=(1, 1, 65); the limit is (256, 256, 64), and 256 in total\n"
        "  fix: give @gp.kernel a smaller workgroup_size"
    )


def test_workgroup_size_in_all():
    with pytest.raises(LimitError, match=r"has 512 invocations; device .* allows 256"):
        check(size=(32, 16, 1))


def test_workgroup_memory_counts_the_alignment():
    arrays = (WorkgroupArray(0, "flag", I32, 1), WorkgroupArray(1, "tile", VectorType(F32, 4), 3))
    check(arrays=arrays, limits=Limits(max_workgroup_memory=64))
    with pytest.raises(LimitError) as caught:
        check(arrays=arrays, limits=Limits(max_workgroup_memory=63))
    assert caught.value.code == "GP403"
    assert caught.value.message == f"`k` needs 64 bytes of workgroup memory; {WHERE} has 63"
    assert caught.value.why == "its workgroup arrays take, in bytes, each rounded up to 16: `flag` 4, `tile` 48"


def test_number_of_buffers():
    buffers = tuple(Buffer(i, f"b{i}", F32, True, False) for i in range(9))
    with pytest.raises(LimitError, match=r"`k` takes 9 arrays; device .* binds at most 8"):
        check(buffers=buffers)


# ---------------------------------------------------------------- what is handed out


def test_slots_are_aligned_to_their_size():
    types = (BOOL, F16, I64, I32, F64, U32)
    slots, nbytes = lay_out(tuple(Param(i, f"p{i}", t) for i, t in enumerate(types)))
    assert [slot.offset for slot in slots] == [0, 4, 8, 16, 24, 32]
    assert nbytes == 48
    assert lay_out(()) == ((), 0)
    assert lay_out((N,))[1] == 16


def test_facts_about_memories():
    other = Buffer(2, "other", I32, True, True)
    body = [
        Atomic(None, AtomicOp.ADD, Place(TILE, c(0)), c(1)),
        Atomic(Value(0, "now", I32), AtomicOp.LOAD, Place(other, c(0))),
        Store(Place(Y, c(0)), c(1)),
        Load(Value(1, "e", F32), Place(X, c(0))),
        Barrier(),
    ]
    valid = check(*body, buffers=(X, Y, other), arrays=(TILE,))
    assert valid.atomic_memories == {TILE, other}
    assert valid.written_buffers == {1}
    assert valid.barrier_orders_buffers
    assert not check(*body[:-1], Barrier(buffers=False), buffers=(X, Y, other), arrays=(TILE,)).barrier_orders_buffers


def test_uniform_names():
    """Everything that depends on nothing but params, workgroup ids and what the kernel does not write."""
    same, mine, element, own = Value(0, "same", I32), Value(1, "mine", I32), Value(2, "e", F32), Value(5, "own", F32)
    variable, inner, flag = Local(3, "v", I32), Local(4, "inner", I32), Local(6, "flag", BOOL)
    k, old, w = Value(7, "k", I32), Value(8, "old", I32), Value(9, "w", I32)
    valid = check(
        Let(same, Binary(BinaryOp.ADD, Builtin(BuiltinKind.WORKGROUP_ID, 0), N, I32)),
        Let(mine, LID),
        Load(element, Place(X, same)),
        Load(own, Place(X, mine)),
        Load(w, Place(Y, c(0))),
        Atomic(old, AtomicOp.ADD, Place(Y, c(0)), c(1)),
        Declare(variable, c(0)),
        Declare(flag, FALSE),
        If(
            Binary(BinaryOp.LT, mine, N, BOOL),
            (
                Declare(inner, c(0)),  # lives where the invocations have parted already: the same for all that see it
                Assign(variable, same),
                ForRange(k, c(0), N, (Assign(inner, Binary(BinaryOp.ADD, inner, k, I32)),)),
            ),
        ),
        Let(Value(10, "u", VectorType(F32, 4)), Splat(element, VectorType(F32, 4))),
        Loop((If(Binary(BinaryOp.LT, N, same, BOOL), (Assign(flag, TRUE), Break())),)),
    )
    assert valid.uniform == {0, 2, 4, 6, 7, 10}


def test_one_invocation_is_always_uniform():
    valid = check(
        Let(V, LID), Atomic(Value(9, "old", I32), AtomicOp.ADD, Place(Y, V), c(1)), size=(1, 1, 1)
    )  # fmt: skip
    assert valid.uniform == {0, 9}


def test_a_valid_module_is_made_by_validation_alone_and_cannot_be_altered() -> None:
    valid = check(Store(Place(Y, c(0)), c(1)))
    with pytest.raises(TypeError, match=r"made by gpucore\.valid\.validate alone"):
        ValidModule()
    with pytest.raises(TypeError):
        dataclasses.replace(valid, written_buffers=frozenset())
    with pytest.raises(AttributeError, match="cannot be altered"):
        valid.written_buffers = frozenset()
    assert valid.written_buffers == {1}


def test_a_declaration_may_write_what_is_writable() -> None:
    valid = validate(module(), frozenset(), Limits(), WHERE, is_declaration=True)
    assert valid.written_buffers == {1}
