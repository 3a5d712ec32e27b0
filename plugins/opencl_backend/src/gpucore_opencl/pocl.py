"""Workarounds, in the IR of a kernel, for defects of PoCL's compiler (seen with PoCL 3.1, LLVM 15).

- It splits a kernel at its barriers, and skips statements around a barrier in a branch: see `hoisting`.
- If a workgroup has one invocation along x, the first invocation executes parts of a kernel with barriers twice. So
  the workgroup is turned: its first axis with several invocations becomes x. Ids of workgroups stay as they are.
- Its optimiser gets some loops with barriers wrong that are in a loop, or have a `break` or a `continue` (a `while`
  whose condition takes a statement, to read memory for example, has a `break`). So kernels with such loops are built
  without optimisation; the steps above apply to them too. What follows is done in optimised kernels only.
- Two barriers in a row are miscompiled, so they become one.
- If `x[(i * 5) & 15]` is in a loop with a constant number of iterations, LLVM's vectoriser may read past the end
  instead of wrapping around (LLVM issue 156849). So masks and counts of right shifts become opaque constants.
- `floor`, `rint`, `exp` and others are undefined for a constant NaN, and stores of the result are dropped. So the bits
  of a NaN become an opaque constant.
- LLVM joins comparisons before and after barriers into one vector instruction; those after the first barrier get wrong
  results. It does that only within a basic block. So each barrier is followed by a branch, which begins a new block. It
  is never taken, but the compiler cannot prove that.
- In a kernel with barriers, its analysis takes a basic block for uniform if one of its predecessors is: the body of
  `if n > 3 or x[i] > 2`, what follows a `return`, a loop in a loop that some invocations leave. There it adds barriers
  to loops, and takes variables for uniform. So a divergent statement without barriers is put in a branch. It is always
  taken, but its condition seems to depend on the invocation.
- It takes a counter from 0 by 1 for uniform, even after a loop that some invocations leave earlier. And LLVM joins the
  tests of two loops with as many iterations. So the bounds of divergent loops, and the integers that they change, are
  opaque.

An opaque constant is a constant xor a zero that the compiler cannot derive. The zero is made of bits 0 and 2 of a
square, which are never both set. The square is that of the number of workgroups: PoCL compiles for one workgroup size
and knows the range of each id, but not this number.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math

from gpucore.plugin import DeviceInfo, ir
from gpucore.plugin.ir import (
    BOOL,
    F16,
    F32,
    F64,
    FLOORING,
    I32,
    I64,
    QUOTIENTS,
    REMAINDERS,
    U8,
    U16,
    U32,
    U64,
    BinaryOp,
    Ranges,
    build,
    exits,
    walk,
)
from gpucore_opencl.dialect import WITHOUT_OPTIMISATION
from gpucore_opencl.hoisting import has_barrier, hoist_barriers, split_while

PLATFORM = "Portable Computing Language"

_INTEGERS = frozenset({I32, U32, I64, U64})
_NAN_BITS = {F32: (0x7FC00000, U32), F64: (0x7FF8000000000000, U64)}


def is_pocl(device: DeviceInfo) -> bool:
    """Whether a device belongs to PoCL."""
    return device.driver.startswith(PLATFORM)


def prepare(valid: ir.ValidModule) -> ir.Module:
    """The kernel with the workarounds; the module itself if nothing changes."""
    module = valid.module
    hoisted = hoist_barriers(_turned(module))
    if _is_unoptimised(module):
        return dataclasses.replace(hoisted, options=(WITHOUT_OPTIMISATION,))
    steps = _Steps(hoisted, valid.uniform)
    body = steps.block(hoisted.body)
    if body is module.body:
        return module
    return dataclasses.replace(hoisted, body=(*steps.declarations, *body))


def _is_unoptimised(module: ir.Module) -> bool:
    """Whether a kernel is built without optimisation."""
    loops = [loop for loop in walk.statements(module.body) if isinstance(loop, ir.ForRange | ir.Loop)]
    return any(has_barrier(loop) and (bool(exits(split_while(loop)[1])) or _has_inner_barrier(loop)) for loop in loops)


def _has_inner_barrier(loop: ir.ForRange | ir.Loop) -> bool:
    """Whether a loop has a barrier in a loop."""
    inner = walk.statements(loop.body)
    return any(isinstance(statement, ir.ForRange | ir.Loop) and has_barrier(statement) for statement in inner)


def _turned(module: ir.Module) -> ir.Module:
    """A kernel with barriers has several invocations along x: axes of its workgroups are exchanged."""
    size = list(module.workgroup_size)
    other = next((axis for axis, length in enumerate(size) if length > 1), 0)
    if other == 0 or not any(map(has_barrier, module.body)):
        return module
    size[0], size[other] = size[other], size[0]
    axes = {0: other, other: 0}

    def on_leaf(leaf: ir.Expr) -> ir.Expr:
        if isinstance(leaf, ir.Builtin) and leaf.kind is ir.BuiltinKind.LOCAL_ID:
            return dataclasses.replace(leaf, axis=axes.get(leaf.axis, leaf.axis))
        return leaf

    body = walk.map_block(module.body, lambda expr: walk.map_leaves(expr, on_leaf))
    return dataclasses.replace(module, workgroup_size=(size[0], size[1], size[2]), body=body)


class _Steps:
    """Rewrites one module."""

    def __init__(self, module: ir.Module, uniform: frozenset[int]) -> None:
        """`uniform` has the names that are known to be the same in a whole workgroup."""
        self.declarations: list[ir.Stmt] = []
        self._ids = itertools.count(walk.next_id(module))
        self._ranges = Ranges(module)
        self._zero_value: ir.Value | None = None
        self._effect = _effect(module)
        self._local_ids: list[ir.Expr] = [
            ir.Builtin(ir.BuiltinKind.LOCAL_ID, axis) for axis, size in enumerate(module.workgroup_size) if size > 1
        ]
        self._is_split = bool(self._local_ids) and any(map(has_barrier, module.body))
        self._uniform = set(uniform)
        for statement in walk.statements(module.body):  # the conditions of branches that had barriers
            if isinstance(statement, ir.Let) and walk.is_uniform(statement.expr, self._uniform):
                self._uniform.add(statement.value.id)

    # ------------------------------------------------------------ statements

    def block(self, block: ir.Block, is_apart: bool = False) -> ir.Block:
        """The block, rewritten; the block itself if nothing changes. `is_apart`: it is in a branch made here."""
        out: list[ir.Stmt] = []
        previous: ir.Stmt | None = None
        for statement in block:
            if isinstance(statement, ir.If | ir.ForRange | ir.Loop):
                out += self._control(statement, is_apart)
            elif isinstance(statement, ir.Declare) and statement.init is None and self._is_split:
                out.append(dataclasses.replace(statement, init=build.zero(statement.local.type)))
            elif not isinstance(statement, ir.Barrier):
                out.append(walk.map_statement(statement, self._expr, self.block))
            elif not isinstance(previous, ir.Barrier) or statement.buffers > previous.buffers:
                out += [statement, *self._new_basic_block()]
            previous = statement
        return walk.same_or(block, out)

    def _control(self, statement: ir.If | ir.ForRange | ir.Loop, is_apart: bool) -> list[ir.Stmt]:
        """A branch or loop; in a branch that is always taken if some invocations execute it otherwise than others."""
        is_end = not is_apart and bool(exits((statement,)))  # of a loop with barriers, which all leave together
        differs = self._is_split and not (is_end or has_barrier(statement)) and self._differs(statement)
        new = walk.map_statement(statement, self._expr, lambda inner: self.block(inner, is_apart or differs))
        if not differs:
            return [new]
        out = [new]
        if isinstance(statement, ir.ForRange) and isinstance(new, ir.ForRange):
            if ir.Break in exits(new.body) or not self._has_uniform_bounds(statement):
                start, stop = (build.bit_xor(bound, self._zero(bound.type)) for bound in (new.start, new.stop))
                out = [*self._begin(new), dataclasses.replace(new, start=start, stop=stop)]
        elif isinstance(new, ir.Loop):
            out = [*self._begin(new), new]
        if is_apart:
            return out
        local_id = functools.reduce(build.bit_or, self._local_ids)
        always = ir.Value(next(self._ids), "always", BOOL)
        condition = build.eq(build.bit_and(self._zero(I32), local_id), 0)
        return [ir.Uniform(always, condition, statement.span), ir.If(always, tuple(out), (), statement.span)]

    def _begin(self, loop: ir.ForRange | ir.Loop) -> list[ir.Stmt]:
        """Makes the integers opaque that a loop changes."""
        inner = list(walk.statements(loop.body))
        declared = {statement.local.id for statement in inner if isinstance(statement, ir.Declare)}
        changed = {statement.local.id: statement.local for statement in inner if isinstance(statement, ir.Assign)}
        return [
            ir.Assign(local, build.binary(BinaryOp.BIT_XOR, local, self._zero(local.type)), loop.span)
            for local in changed.values()
            if local.type in _INTEGERS and local.id not in declared
        ]

    def _differs(self, statement: ir.Stmt) -> bool:
        """Whether some invocations may take other ways through a statement than others."""
        for inner in walk.statements((statement,)):
            if isinstance(inner, ir.If) and not walk.is_uniform(inner.condition, self._uniform):
                return True
            if isinstance(inner, ir.ForRange) and not self._has_uniform_bounds(inner):
                return True
        return False

    def _has_uniform_bounds(self, loop: ir.ForRange) -> bool:
        return walk.is_uniform(loop.start, self._uniform) and walk.is_uniform(loop.stop, self._uniform)

    def _new_basic_block(self) -> list[ir.Stmt]:
        """A branch that is never taken, with a store that the compiler cannot remove."""
        if self._effect is None:
            return []
        return [ir.If(build.binary(BinaryOp.NE, self._zero(U32), 0), (self._effect,))]

    # ------------------------------------------------------------ expressions

    def _expr(self, expr: ir.Expr) -> ir.Expr:
        match expr:
            case ir.Constant() if expr.type.is_float and math.isnan(expr.value):
                return self._nan(expr.type)
        children = walk.children(expr)
        new = [self._expr(child) for child in children]
        rebuilt = expr if all(map(_is_same, children, new)) else walk.rebuild(expr, new)
        match expr:
            case ir.Binary() if expr.left.type in _INTEGERS:
                return self._binary(expr, rebuilt)
            case ir.Convert(type=ir.ScalarType() as target) if target in (U8, U16) and expr.operand.type in _INTEGERS:
                return ir.Convert(self._masked(new[0], (1 << target.bits) - 1), target)
        return rebuilt

    def _binary(self, expr: ir.Binary, rebuilt: ir.Expr) -> ir.Expr:
        """An operator on integers; `expr` is the original, for which ranges are known."""
        assert isinstance(rebuilt, ir.Binary) and isinstance(expr.left.type, ir.ScalarType)
        op, left, right, type = expr.op, rebuilt.left, rebuilt.right, expr.left.type
        if op is BinaryOp.BIT_AND:
            return ir.Binary(op, self._opaque(left), self._opaque(right), type, expr.span)
        if op is BinaryOp.SHR and isinstance(right, ir.Constant):
            return ir.Binary(op, left, self._opaque(ir.Constant(int(right.value) % type.bits, type)), type, expr.span)
        divisor = int(right.value) if isinstance(right, ir.Constant) else 0
        is_power = divisor > 0 and divisor & (divisor - 1) == 0
        if is_power and (op in FLOORING or self._ranges.interval(expr.left).lo >= 0):
            if op in QUOTIENTS:
                count = self._opaque(ir.Constant(divisor.bit_length() - 1, type))
                return ir.Binary(BinaryOp.SHR, left, count, type, expr.span)
            if op in REMAINDERS:
                return self._masked(left, divisor - 1)
        return rebuilt

    def _masked(self, expr: ir.Expr, mask: int) -> ir.Expr:
        return build.binary(BinaryOp.BIT_AND, expr, self._opaque(build.constant(mask, expr.type)))

    def _opaque(self, operand: ir.Expr) -> ir.Expr:
        """The operand; a positive constant becomes opaque."""
        if not (isinstance(operand, ir.Constant) and operand.value > 0):
            return operand
        return build.binary(BinaryOp.BIT_XOR, operand, self._zero(operand.type))

    def _nan(self, type: ir.ScalarType) -> ir.Expr:
        if type == F16:
            return ir.Convert(self._nan(F32), F16)
        bits, integer = _NAN_BITS[type]
        return ir.Bitcast(build.binary(BinaryOp.BIT_XOR, ir.Constant(bits, integer), self._zero(integer)), type)

    def _zero(self, type: ir.Type) -> ir.Expr:
        """A zero that the compiler cannot derive."""
        if self._zero_value is None:
            workgroups = ir.Convert(ir.Builtin(ir.BuiltinKind.NUM_WORKGROUPS, 0), U32)
            square, self._zero_value = (ir.Value(next(self._ids), name, U32) for name in ("square", "zero"))
            both = build.binary(BinaryOp.BIT_AND, square, build.binary(BinaryOp.SHR, square, 2))
            self.declarations += [
                ir.Let(square, build.binary(BinaryOp.MUL, workgroups, workgroups)),
                ir.Let(self._zero_value, build.binary(BinaryOp.BIT_AND, both, 1)),
            ]
        return self._zero_value if type == U32 else ir.Convert(self._zero_value, type)


def _is_same(one: object, other: object) -> bool:
    return one is other


def _effect(module: ir.Module) -> ir.Stmt | None:
    """A store to a memory that the kernel writes and other invocations can see."""
    for statement in walk.statements(module.body):
        if isinstance(statement, ir.Store | ir.Atomic) and not isinstance(statement.place.memory, ir.PrivateArray):
            place = dataclasses.replace(statement.place, index=ir.Constant(0, I32))
            if isinstance(statement, ir.Store):
                return ir.Store(place, build.zero(place.type))
            if statement.op is not ir.AtomicOp.LOAD:
                return ir.Atomic(None, ir.AtomicOp.STORE, place, build.zero(place.type))
    return None
