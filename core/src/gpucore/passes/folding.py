"""fold: evaluates constants, applies identities, resolves constant branches, and forwards known values.

What is known while the statements are walked in order:
- a `Let` bound to a constant, param, builtin or other value is replaced by it everywhere;
- a local that was last assigned such a thing is replaced by it, until control flow that assigns it joins;
- a `Let` bound to a local is an alias of it until the local is assigned. Then the `Let` moves there if uses remain;
- a load from a constant array at a constant index is that constant;
- a component of a `Let` bound to a vector made of such things, no locals, is replaced by that thing;
- a comparison of an integer with 0 that interval analysis decides, as of the step of a range, is a constant;
- a comparison of floats that their bounds decide, as abs(x) >= -1, is a test for NaN.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections import Counter

from gpucore.ir import (
    COMPARISONS,
    F16,
    F32,
    F64,
    FALSE,
    TRUE,
    Assign,
    Binary,
    BinaryOp,
    Block,
    Builtin,
    Constant,
    ConstantArray,
    Construct,
    Convert,
    Declare,
    Expr,
    Extract,
    ForRange,
    If,
    Let,
    Load,
    Local,
    Loop,
    MathOp,
    Module,
    Param,
    Place,
    Splat,
    Stmt,
    Value,
    build,
    scalar_of,
    walk,
)
from gpucore.ir.float_ranges import FloatRanges
from gpucore.ir.ranges import Interval, Ranges
from gpucore.passes.identities import INVERSE, negate, simplify

_FLOATS = (F16, F32, F64)
_ATOMS = (Constant, Value, Param, Builtin)


def fold(module: Module) -> Module:
    """The module with every expression simplified; the module itself if nothing changes."""
    body = _Folder(module).block(module.body)
    return module if body is module.body else dataclasses.replace(module, body=body)


class _Folder:
    def __init__(self, module: Module) -> None:
        body = module.body
        self._ranges = Ranges(module)
        self._floats = FloatRanges(module)
        self._assigned = walk.assigned_locals(body)
        self._bound: dict[int, Expr] = {}  # by value; a Local is an alias, valid until it is assigned
        self._vectors: dict[int, Construct | Splat] = {}  # by value; their components are atoms
        self._known: dict[int, Expr] = {}  # the current expression of each local
        self._aliases: dict[int, dict[int, Let]] = {}  # by local: the Lets that are aliases of it, by value
        self._scopes: list[list[Let]] = []  # the same Lets by block
        self._uses_left = _uses_of_aliases(body)

    # ------------------------------------------------------------ statements

    def block(self, block: Block) -> Block:
        out: list[Stmt] = []
        self._scopes.append([])
        self._append(block, out)
        for let in self._scopes.pop():
            local = self._bound.get(let.value.id)
            if isinstance(local, Local):
                self._aliases[local.id].pop(let.value.id, None)
        return walk.same_or(block, out)

    def _append(self, block: Block, out: list[Stmt]) -> None:
        for statement in block:
            match statement:
                case Let():
                    self._let(statement, out)
                case Assign():
                    self._assign(statement, out)
                case Load(place=Place(memory=ConstantArray())):
                    self._load(statement, out)
                case If():
                    self._if(statement, out)
                case ForRange() | Loop():
                    self._loop(statement, out)
                case Declare():
                    declared = walk.map_statement(statement, self._expr, self.block)
                    self._materialise_aliases({statement.local.id}, out)
                    self._record(statement.local, declared.init if isinstance(declared, Declare) else None)
                    out.append(declared)
                case _:
                    out.append(walk.map_statement(statement, self._expr, self.block))

    def _let(self, statement: Let, out: list[Stmt]) -> None:
        expr = self._expr(statement.expr)
        if isinstance(expr, _ATOMS):
            self._bound[statement.value.id] = expr
            return
        alias = isinstance(expr, Local) and isinstance(statement.expr, (Local, Value))
        if isinstance(expr, Construct | Splat) and all(isinstance(part, _ATOMS) for part in walk.children(expr)):
            self._vectors[statement.value.id] = expr
        if expr is not statement.expr:
            statement = Let(statement.value, expr, statement.span)
        if alias and isinstance(expr, Local):
            self._bound[statement.value.id] = expr
            self._aliases.setdefault(expr.id, {})[statement.value.id] = statement
            self._scopes[-1].append(statement)
        else:
            out.append(statement)

    def _load(self, statement: Load, out: list[Stmt]) -> None:
        """A load from a constant array; at a constant index it is that constant."""
        table, index = statement.place.memory, self._expr(statement.place.index)
        assert isinstance(table, ConstantArray)
        if isinstance(index, Constant) and 0 <= index.value < table.length:
            self._bound[statement.value.id] = Constant(table.values[int(index.value)], table.element)
        else:
            out.append(walk.map_statement(statement, self._expr, self.block))

    def _assign(self, statement: Assign, out: list[Stmt]) -> None:
        local, expr = statement.local, self._expr(statement.expr)
        if isinstance(expr, Local) and expr.id == local.id:
            return
        self._materialise_aliases({local.id}, out)
        self._record(local, expr)
        out.append(statement if expr is statement.expr else Assign(local, expr, statement.span))

    def _if(self, statement: If, out: list[Stmt]) -> None:
        condition = self._expr(statement.condition)
        if isinstance(condition, Constant):
            self._append(statement.then if condition.value else statement.orelse, out)
            return
        assigned = self._assigned[id(statement.then)] | self._assigned[id(statement.orelse)]
        self._materialise_aliases(assigned, out)
        before = {local: self._known[local] for local in assigned if local in self._known}
        then = self.block(statement.then)
        self._invalidate(assigned)
        self._known.update(before)
        orelse = self.block(statement.orelse)
        self._invalidate(assigned)
        if not then and not orelse:
            return
        if not then:
            condition, then, orelse = negate(condition), orelse, ()
        if condition is not statement.condition or then is not statement.then or orelse is not statement.orelse:
            statement = If(condition, then, orelse, statement.span)
        out.append(statement)

    def _loop(self, statement: ForRange | Loop, out: list[Stmt]) -> None:
        assigned = self._assigned[id(statement.body)]
        if isinstance(statement, ForRange):
            start, stop = self._expr(statement.start), self._expr(statement.stop)
            if isinstance(start, Constant) and isinstance(stop, Constant) and start.value >= stop.value:
                return
            if start is not statement.start or stop is not statement.stop:
                statement = dataclasses.replace(statement, start=start, stop=stop)
        self._materialise_aliases(assigned, out)
        self._invalidate(assigned)
        body = self.block(statement.body)
        self._invalidate(assigned)
        out.append(statement if body is statement.body else dataclasses.replace(statement, body=body))

    # ------------------------------------------------------------ known values

    def _record(self, local: Local, expr: Expr | None) -> None:
        if isinstance(expr, _ATOMS):
            self._known[local.id] = expr
        else:
            self._known.pop(local.id, None)

    def _invalidate(self, assigned: set[int]) -> None:
        for local in assigned:
            self._known.pop(local, None)

    def _materialise_aliases(self, assigned: set[int], out: list[Stmt]) -> None:
        """These locals are about to change: bind the Lets that still have uses to the current values of the locals."""
        for local in sorted(assigned & self._aliases.keys()) if self._aliases else ():
            for let in self._aliases.pop(local).values():
                del self._bound[let.value.id]
                if self._uses_left[let.value.id] > 0:
                    out.append(let)

    # ------------------------------------------------------------ expressions

    def _expr(self, expr: Expr) -> Expr:
        if isinstance(expr, Binary):
            left, right = self._expr(expr.left), self._expr(expr.right)
            if left is not expr.left or right is not expr.right:
                expr = Binary(expr.op, left, right, expr.type)
            return self._decided(simplify(expr))
        if isinstance(expr, Value):
            bound = self._bound.get(expr.id)
            if bound is None:
                return expr
            if isinstance(bound, Local):
                self._uses_left[expr.id] -= 1
            return bound
        if isinstance(expr, Local):
            return self._known.get(expr.id, expr)
        if isinstance(expr, _ATOMS):
            return expr
        old = walk.children(expr)
        new = []
        changed = False
        for child in old:
            folded = self._expr(child)
            changed |= folded is not child
            new.append(folded)
        if isinstance(expr, Extract) and isinstance(new[0], Value) and new[0].id in self._vectors:
            new[0], changed = self._vectors[new[0].id], True
        return simplify(walk.rebuild(expr, new) if changed else expr)

    def _decided(self, expr: Expr) -> Expr:
        """A comparison that is decided: of an integer with 0 by its interval, of floats by their bounds."""
        if not isinstance(expr, Binary) or expr.op not in COMPARISONS:
            return expr
        if expr.left.type in _FLOATS:
            return self._decided_floats(expr)
        if not isinstance(expr.right, Constant):
            return expr
        if expr.right.value != 0 or not expr.right.type.is_integer:
            return expr
        interval = self._ranges.interval(expr.left)
        if _holds(expr.op, interval):
            return TRUE
        return FALSE if _holds(INVERSE[expr.op], interval) else expr

    def _decided_floats(self, expr: Binary) -> Expr:
        """If all numbers compare so, whether no operand is NaN; FALSE if none do."""
        (low, high), (least, most) = self._floats.bounds(expr.left), self._floats.bounds(expr.right)
        match expr.op:
            case BinaryOp.GE | BinaryOp.LT:
                holds, fails = low >= most, high < least
            case BinaryOp.GT | BinaryOp.LE:
                holds, fails = low > most, high <= least
            case _:
                return expr
        if expr.op in (BinaryOp.LT, BinaryOp.LE):
            holds, fails = fails, holds
        if fails or _is_nan(expr.left) or _is_nan(expr.right):
            return FALSE
        if not holds:
            return expr
        tests = [_is_number(side) for side in (expr.left, expr.right) if not _is_never_nan(side)]
        return functools.reduce(build.logical_and, tests) if tests else TRUE


def _is_nan(expr: Expr) -> bool:
    return isinstance(expr, Constant) and math.isnan(expr.value)


def _is_never_nan(expr: Expr) -> bool:
    """Whether an expression is known to be a number: a constant, which is not NaN here, or an integer."""
    return isinstance(expr, Constant) or (isinstance(expr, Convert) and not scalar_of(expr.operand.type).is_float)


def _is_number(expr: Expr) -> Expr:
    """The test that an expression is not NaN."""
    return build.logical_not(build.call(MathOp.ISNAN, expr))


def _holds(op: BinaryOp, interval: Interval) -> bool:
    """Whether every number of the interval compares so with 0."""
    match op:
        case BinaryOp.EQ:
            return interval.lo == 0 == interval.hi
        case BinaryOp.NE:
            return 0 not in interval
        case BinaryOp.LT:
            return interval.hi < 0
        case BinaryOp.LE:
            return interval.hi <= 0
        case BinaryOp.GT:
            return interval.lo > 0
        case _:
            return interval.lo >= 0


def _uses_of_aliases(body: Block) -> Counter[int]:
    """How often each value is used, if there is any Let of a local; empty otherwise, because it is not needed then."""
    uses: Counter[int] = Counter()
    every = list(walk.statements(body))
    if any(isinstance(s, Let) and isinstance(s.expr, (Local, Value)) for s in every):
        for statement in every:
            for expr in walk.expressions(statement):
                uses.update(leaf.id for leaf in walk.leaves(expr) if isinstance(leaf, Value))
    return uses
