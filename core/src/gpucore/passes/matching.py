"""expand_matches: MATCH as ballots, for backends that do not list it.

A ballot finds the invocations whose bit is set. Those with the same bit are its complement xor a word that has the own
bit everywhere. So no bool lives from one ballot to the next: drivers that keep such bools apart for each invocation
need more for them, and some get them wrong.
"""

from __future__ import annotations

import dataclasses
import itertools
import math

from gpucore.ir import (
    I32,
    TRUE,
    U32,
    BinaryOp,
    Block,
    Expr,
    Extract,
    Let,
    Limits,
    Module,
    Stmt,
    Subgroup,
    SubgroupOp,
    Value,
    VectorType,
    build,
    walk,
)

_MASK = VectorType(U32, 4)
_ALL = build.constant((1 << U32.bits) - 1, U32)


def expand_matches(module: Module, limits: Limits) -> Module:
    """The module without MATCH; the module itself if it has none. `limits`: of the device."""
    return _Expansion(module, limits).expanded()


def _full_mask(module: Module, limits: Limits) -> list[Expr]:
    """The words with a bit for each invocation of a subgroup, if all subgroups are known to have as many; else none.

    Subgroup operations are reached by whole subgroups, so these are the invocations that take part.
    """
    size = limits.max_subgroup_size
    if size == 0 or size != limits.min_subgroup_size or math.prod(module.workgroup_size) % size:
        return []
    words = (min(U32.bits, size - first) for first in range(0, size, U32.bits))
    return [build.constant((1 << bits) - 1, U32) for bits in words]


class _Expansion:
    """One module's rewriting."""

    def __init__(self, module: Module, limits: Limits) -> None:
        self._module = module
        self._ids = itertools.count(walk.next_id(module))
        self._num_words = -(-limits.max_subgroup_size // U32.bits) or _MASK.width
        self._full = _full_mask(module, limits)

    def expanded(self) -> Module:
        body = self._block(self._module.body)
        return self._module if body is self._module.body else dataclasses.replace(self._module, body=body)

    def _block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for statement in block:
            if isinstance(statement, Subgroup) and statement.op is SubgroupOp.MATCH:
                out += self._match(statement)
            else:
                out.append(walk.map_statement(statement, lambda expr: expr, self._block))
        return walk.same_or(block, out)

    def _match(self, statement: Subgroup) -> list[Stmt]:
        """Of those that exist, the invocations with the same bits: one ballot for each bit."""
        assert statement.operand is not None
        out: list[Stmt] = []

        def bind(name: str, expr: Expr) -> Value:
            value = Value(next(self._ids), name, expr.type)
            out.append(Let(value, expr, statement.span))
            return value

        def ballot(condition: Expr) -> list[Expr]:
            votes = Value(next(self._ids), "votes", _MASK)
            out.append(Subgroup(votes, SubgroupOp.BALLOT, condition, None, statement.span))
            return [Extract(votes, word, U32) for word in range(self._num_words)]

        signed = bind("compared", build.bitcast(statement.operand, I32))
        words: list[Expr] = list(self._full or (bind("same", votes) for votes in ballot(TRUE)))
        for bit in range(statement.bits):
            last = bind("bit", build.shl(signed, I32.bits - 1 - bit) if bit < I32.bits - 1 else signed)
            own = bind("own", build.bitcast(build.binary(BinaryOp.SHR, last, I32.bits - 1), U32))
            for word, votes in enumerate(ballot(build.lt(last, 0))):
                differ = build.bit_xor(votes, own)
                same = build.invert(differ)
                words[word] = bind("same", same if words[word] == _ALL else build.bit_and(words[word], same))
        words += [build.constant(0, U32)] * (_MASK.width - len(words))
        out.append(Let(statement.result, build.construct(*words), statement.span))
        return out
