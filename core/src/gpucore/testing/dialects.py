"""What a table of a dialect of C lacks: each operation is emitted in a kernel of its own."""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
import string
from collections.abc import Iterable, Iterator
from typing import Any

from gpucore.back.c_family import CDialect, emit
from gpucore.errors import EmitError
from gpucore.ir import (
    BOOL,
    F16,
    F32,
    F64,
    FLOAT_ATOMICS,
    FUNCTIONS,
    I8,
    I16,
    I32,
    I64,
    LANE_OPERATIONS,
    MASKS,
    SCALARS,
    SUBGROUP_BUILTINS,
    U8,
    U16,
    U32,
    U64,
    VECTORS,
    VOTES,
    ArgumentOrigin,
    Atomic,
    AtomicOp,
    Barrier,
    Binary,
    BinaryOp,
    Bitcast,
    Buffer,
    Builtin,
    BuiltinKind,
    Call,
    Capability,
    Constant,
    Construct,
    Convert,
    DeclareArray,
    DeviceFence,
    Expr,
    Extract,
    Let,
    Limits,
    Load,
    Module,
    Param,
    Place,
    PrivateArray,
    ScalarType,
    Select,
    Splat,
    Stmt,
    Store,
    Subgroup,
    SubgroupOp,
    Type,
    Unary,
    UnaryOp,
    Value,
    VectorType,
    WorkgroupArray,
    build,
    scalar_of,
    walk,
    with_scalar,
)
from gpucore.ir.ops import argument_types, result_type
from gpucore.valid import validate
from gpucore.valid.types import is_well_typed, is_well_typed_subgroup

_NEEDED = {
    F16: Capability.F16, F64: Capability.F64, I64: Capability.INT64, U64: Capability.INT64, I8: Capability.INT8,
    U8: Capability.INT8, I16: Capability.INT16, U16: Capability.INT16,
}  # fmt: skip
_NAME = "check"
_OPERATORS = (*UnaryOp, *BinaryOp)
_FIRST = Constant(0, I32)


PLACEHOLDERS = {
    "entry": "{name} {parameters} {x} {y} {z} {invocations} {min_workgroups}",
    "buffer": "{type} {name} {const} {volatile} {restrict}",
    "scalars_parameter": "{type} {name}",
    "static_assertion": "{condition} {number}",
    "offset_of": "{struct} {member}",
    "workgroup_array": "{type} {name} {length} {volatile} {alignment}",
    "constant_array": "{type} {name} {length} {values}",
    "view": "{type} {name} {const}",
    "volatile_access": "{type} {place}",
    "any_bitcast": "{type} {0}",
    "workgroup_block": "{alignment}",
    "workgroup_array_in_block": "{type} {name} {offset} {volatile}",
}
"""What the writer fills in the templates that are fields of their own."""

_NEEDED_IN = {
    "entry": ("name", "parameters"),
    "constant_array": ("type", "name", "length", "values"),
    "any_bitcast": ("0",),
}
_NEEDED_IN |= dict.fromkeys(("buffer", "scalars_parameter", "view", "workgroup_array_in_block"), ("type", "name"))
_NEEDED_IN |= {"workgroup_array": ("type", "name", "length"), "volatile_access": ("place",)}
_WHOLE = ("name", "barrier", "barrier_with_buffers", "zero_initialiser")  # no templates
_NOT_EMPTY = ("entry", "buffer", "scalars_parameter", "workgroup_array", "constant_array", *_WHOLE)


def check_dialect(dialect: CDialect, capabilities: Iterable[Capability]) -> list[str]:
    """What the table lacks, or has with a field that the writer does not fill, for kernels with these capabilities:
    one line each, empty if it is complete. Operations on matrices are not looked at, and no text is compiled."""
    given = frozenset(capabilities)
    of_texts = {name: _of_text(name, getattr(dialect, name)) for name in (*PLACEHOLDERS, *_WHOLE)}
    found = [f"{name}: {what}" for name, its in of_texts.items() for what in its]
    lacking: dict[str, None] = dict.fromkeys([*found, *_of_members(dialect, given)])
    # Each kernel would repeat what is wrong with one of these.
    mended: dict[str, Any] = {
        name: PLACEHOLDERS[name] for name, its in of_texts.items() if its and name in PLACEHOLDERS
    }
    dialect = dataclasses.replace(dialect, **mended)
    for what, body, arrays in _kernels(dialect, given):
        try:
            text = emit(validate(_module(body, arrays), given, Limits()), dialect).text
            for name in _undefined(text, dialect):
                lacking[f"prologue: {name}, which the table names"] = None
        except EmitError as error:
            lacking[error.what or f"{what}: {error.message}"] = None
        except (LookupError, ValueError, AttributeError) as error:
            lacking[f"{what}: {type(error).__name__}: {error}"] = None
    return list(lacking)


def _of_text(name: str, text: str) -> list[str]:
    """What is wrong with a field that is one text."""
    if not text or name in _WHOLE:
        return ["it is empty"] if not text and name in _NOT_EMPTY else []
    try:
        fields = {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}
    except ValueError as error:
        return [str(error)]
    known = re.findall(r"\w+", PLACEHOLDERS[name])
    unknown = [f"{{{one}}} is no field of it" for one in sorted(fields.difference(known))]
    return unknown + [f"it has no {{{one}}}" for one in _NEEDED_IN.get(name, ()) if one not in fields]


def _of_members(dialect: CDialect, given: frozenset[Capability]) -> Iterator[str]:
    """Of the members of the packed scalars, which are as long as a slot: a bool and a small type are in four bytes."""
    for type in _scalars(given):
        member, _ = dialect.scalar_members.get(type, (type, ""))
        if member == BOOL or member.nbytes != max(type.nbytes, U32.nbytes):
            small = "a u32 of 0 or 1" if type == BOOL else "the low bits of a u32"
            what = small if type.nbytes < U32.nbytes or type == BOOL else f"{type.nbytes} bytes"
            yield f"scalar_members: {type}, which is {what} there"


def _undefined(text: str, dialect: CDialect) -> list[str]:
    """The functions with the dialect's prefix that a kernel's text calls and neither the table nor the writer has."""
    headers = (dialect.header, *dialect.type_headers.values(), *dialect.capability_headers.values())
    for name, its in dialect.prologue.items():
        text = text.replace(its.rstrip("\n"), "") if name in text else text
    of_writer = re.findall(r"^.*\b(gpucore_\w+)\(.*\)\n\{", text, re.MULTILINE)
    defined = {*dialect.prologue, *of_writer, *re.findall(r"\bgpucore_\w+", "\n".join(headers))}
    return [name for name in re.findall(r"\b(gpucore_\w+)\(", text) if name not in defined]


_Kernel = tuple[str, list[Stmt], tuple[WorkgroupArray, ...]]


def _kernels(dialect: CDialect, given: frozenset[Capability]) -> Iterator[_Kernel]:
    scalars = _scalars(given)
    vectors = [one for one in VECTORS if one.element in scalars]
    types: list[Type] = [*scalars, *vectors, *(VectorType(BOOL, width) for width in (2, 4))]
    for expr in itertools.chain(_leaves(scalars, given), _expressions(types), _calls(types, dialect, given)):
        if is_well_typed(expr):
            yield _label(expr), [*_operands(walk.children(expr), 0), Let(Value(1, "result", expr.type), expr)], ()
    for type in scalars:
        yield f"a parameter of {type}", [Let(Value(1, "result", type), Param(0, "parameter", type))], ()
    yield from _memories([*scalars, *vectors])
    yield from _atomics(given)
    yield from _subgroups(given)
    for fence in [DeviceFence()] if Capability.DEVICE_FENCE in given else []:
        yield "a fence of the device", [fence], ()


def _scalars(given: frozenset[Capability]) -> list[ScalarType]:
    return [one for one in SCALARS if _NEEDED.get(one) is None or _NEEDED[one] in given]


def _leaves(scalars: list[ScalarType], given: frozenset[Capability]) -> Iterator[Expr]:
    for type in scalars:
        numbers: tuple[float, ...] = (1.5, math.inf, math.nan) if type.is_float else (1,)
        for number in (True,) if type == BOOL else () if type.is_storage else numbers:
            yield Constant(number, type)
    kinds = [BuiltinKind.WORKGROUP_ID, BuiltinKind.LOCAL_ID, BuiltinKind.NUM_WORKGROUPS]
    for kind in kinds:
        yield from (Builtin(kind, axis) for axis in range(3))
    if Capability.SUBGROUP in given:
        yield from (Builtin(kind, 0) for kind in SUBGROUP_BUILTINS)


def _expressions(types: list[Type]) -> Iterator[Expr]:
    for type in types:
        a, b = _value(0, type), _value(1, type)
        for op in _OPERATORS:
            if isinstance(op, UnaryOp):
                yield Unary(op, a, type)
            else:
                results = {type, with_scalar(type, BOOL)}
                yield from (Binary(op, a, b, result) for result in results)
        if not scalar_of(type).is_storage:
            yield Select(_value(2, BOOL), a, b, type)
        if isinstance(type, VectorType) and type.element != BOOL:
            component = _value(0, type.element)
            yield Construct((component,) * type.width, type)
            yield Splat(component, type)
            yield Extract(a, type.width - 1, type.element)
        for other in types:
            if other != type and scalar_of(other) != BOOL:
                yield Convert(a, other)
                yield Bitcast(a, other)


def _calls(types: list[Type], dialect: CDialect, given: frozenset[Capability]) -> Iterator[Expr]:
    for op, function in FUNCTIONS.items():
        for type in types if op in dialect.operations else []:
            if not function.domain.has(type):
                continue
            if function.is_transcendental and scalar_of(type) == F64 and Capability.F64_MATH not in given:
                continue
            arguments = tuple(_value(number, each) for number, each in enumerate(argument_types(op, type)))
            yield Call(op, arguments, result_type(op, type))


def _memories(types: list[Type]) -> Iterator[_Kernel]:
    for type in types:
        private, shared = PrivateArray(2, "private", type, 4), WorkgroupArray(3, "shared", type, 4)
        yield f"the type {type}", [DeclareArray(private)], ()
        value = _value(0, type)
        declare: list[Stmt] = [DeclareArray(private), *_operands([value], 0)]
        beside = [*_operands([value])]
        yield f"a private array of {type}", [*declare, Store(Place(private, _FIRST), value)], ()
        yield f"a workgroup array of {type}", [*declare, Store(Place(shared, _FIRST), value), Barrier()], (shared,)
        if scalar_of(type) != BOOL:
            buffer = _buffer(type)
            load = Load(Value(5, "loaded", type), Place(buffer, _FIRST))
            yield f"an array of {type}", [*beside, Store(Place(buffer, _FIRST), value), load], ()
    yield "a barrier", [Barrier(buffers=False)], ()


def _atomics(given: frozenset[Capability]) -> Iterator[_Kernel]:
    types = [I32, U32]
    types += [I64, U64] if Capability.ATOMIC_INT64 in given else []
    types += [F32] if Capability.ATOMIC_F32 in given else []
    for type in types:
        for op in FLOAT_ATOMICS if type.is_float else AtomicOp:
            operand = None if op is AtomicOp.LOAD else _value(0, type)
            comparand = _value(1, type) if op is AtomicOp.COMPARE_EXCHANGE else None
            value = None if op is AtomicOp.STORE else Value(6, "old", type)
            shared = WorkgroupArray(7, "shared", type, 4)
            for memory in (_buffer(type), shared):
                declared = _operands([operand, comparand], 0 if memory is shared else 1)
                atomic = Atomic(value, op, Place(memory, _FIRST), operand, comparand)
                arrays = (shared,) if memory is shared else ()
                yield f"the atomic {op.value} of {type}", [*declared, atomic], arrays


def _subgroups(given: frozenset[Capability]) -> Iterator[_Kernel]:
    if Capability.SUBGROUP not in given:
        return
    for op in SubgroupOp:
        for type in (BOOL, I32, U32, F32):
            operand = None if op is SubgroupOp.ELECT else _value(0, type)
            argument = _value(1, U32) if op in LANE_OPERATIONS else None
            result: Type = VectorType(U32, 4) if op in MASKS else BOOL if op in VOTES or operand is None else type
            bits = 4 if op is SubgroupOp.MATCH else 0
            statement = Subgroup(Value(8, "result", result), op, operand, argument, bits=bits)
            declared = list(_operands([operand, argument], 0))
            if is_well_typed_subgroup(statement):
                yield f"{op.value} of subgroups", [*declared, statement], ()


def _value(number: int, type: Type) -> Value:
    return Value(100 + number, f"operand_{number}", type)


def _operands(exprs: Iterable[Expr | None], first: int = 1) -> Iterator[Stmt]:
    """Definitions of these values, from buffers of which `first` is the first. A bool, which no array has, is a
    comparison."""
    for buffer, value in enumerate({one.id: one for one in exprs if isinstance(one, Value)}.values(), first):
        stored = with_scalar(value.type, I32) if scalar_of(value.type) == BOOL else value.type
        loaded = Value(value.id + 100, f"loaded_{value.id}", stored) if stored != value.type else value
        yield Load(loaded, Place(_buffer(stored, buffer), _FIRST))
        if loaded is not value:
            yield Let(value, Binary(BinaryOp.NE, loaded, build.zero(stored), value.type))


def _label(expr: Expr) -> str:
    match expr:
        case Unary() | Binary() | Call():
            return f"{expr.op.value} of {walk.children(expr)[0].type}"
        case Builtin():
            return expr.kind.value
        case Convert() | Bitcast():
            return f"{type(expr).__name__.lower()} of {expr.operand.type} to {expr.type}"
    return f"{type(expr).__name__.lower()} of {expr.type}"


def _buffer(type: Type, index: int = 0) -> Buffer:
    return Buffer(index, f"array_{index}", type, readable=True, writable=index == 0)


def _module(body: list[Stmt], arrays: tuple[WorkgroupArray, ...]) -> Module:
    memories = [each.place.memory for each in body if isinstance(each, (Load, Store, Atomic))]
    buffers = {one.index: one for one in memories if isinstance(one, Buffer)}
    bound = (buffers.get(0, _buffer(I32)), *(buffers[index] for index in sorted(buffers) if index))
    params = tuple(each.expr for each in body if isinstance(each, Let) and isinstance(each.expr, Param))
    origins = tuple(ArgumentOrigin(param.name) for param in params)
    return Module(_NAME, (64, 1, 1), bound, params, origins, arrays, tuple(body))
