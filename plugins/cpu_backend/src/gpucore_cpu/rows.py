"""Loop interchange: moves a loop whose bounds are the same for all invocations of a row outside the loop over the row.

A row is the invocations of a workgroup with the same y and z. If a region contains `for k in range(n)` and n is the
same along x, the loop over k is hoisted out of the loop over the row, and each part of its body is run over the row
before the next k. The innermost loops then access neighbouring elements, which LLVM vectorises, instead of strided
ones. Only the order between invocations changes, which is undefined between two barriers.

The statements of a region are split as `regions` splits a kernel; names used in more than one part are spilled here
too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gpucore import ir
from gpucore.ir.walk import statements
from gpucore_cpu.guards import same_along_x
from gpucore_cpu.names import Name
from gpucore_cpu.regions import Hoisted, Item, Plan, Region, leaves_loop, recomputable, record_uses

_MIN_WIDTH = 4  # of a row
_MAX_LOOPS = 32  # per region: each is written twice, with loops over the row inside, which LLVM has to optimise


@dataclass(frozen=True, slots=True)
class Rows:
    """The parts of a region for one row: hoisted, or executed by each invocation."""

    items: tuple[Item, ...]
    spilled: dict[int, Name]
    recomputed: dict[int, ir.Expr]

    @property
    def is_interchanged(self) -> bool:
        """Whether any loop is hoisted out of the row."""
        return any(_has_loop(item) for item in self.items)


def plan_rows(body: ir.Block, plan: Plan, width: int) -> Rows:
    """Split a region with rows of length `width`."""
    if width < _MIN_WIDTH or not _is_suitable(body):
        return whole_rows(body)
    same = set(plan.hoisted) | _find_same_recomputed(plan)
    items = tuple(_split(body, same, frozenset(plan.spilled)))
    if not any(_has_loop(item) for item in items):
        return whole_rows(body)
    uses: dict[int, set[int]] = {}
    known: dict[int, Name] = {}
    record_uses(items, uses, known)
    recomputed = recomputable(body, same)
    shared = {key for key in uses if len(uses[key]) > 1}
    shared -= same | plan.spilled.keys() | plan.recomputed.keys() | recomputed.keys()
    return Rows(items, {key: known[key] for key in sorted(shared)}, recomputed)


def _is_suitable(body: ir.Block) -> bool:
    """Whether a region may be split: without atomics, whose order would change, and of ordinary length."""
    num_loops = 0
    for statement in statements(body):
        num_loops += isinstance(statement, ir.ForRange)
        if isinstance(statement, ir.Atomic) or num_loops > _MAX_LOOPS:
            return False
    return True


def whole_rows(body: ir.Block) -> Rows:
    """A region in which no loop is interchanged."""
    return Rows((Region(body),), {}, {})


def _find_same_recomputed(plan: Plan) -> set[int]:
    """Ids of the recomputed values that are the same along x. Definitions come before their uses."""
    same: set[int] = set()
    for key, expr in plan.recomputed.items():
        if same_along_x(expr, plan.hoisted | same):
            same.add(key)
    return same


def _has_loop(item: Item) -> bool:
    if isinstance(item, Region):
        return False
    return isinstance(item.statement, ir.ForRange) or any(_has_loop(inner) for block in item.blocks for inner in block)


def _split(block: ir.Block, same: set[int], spilled: frozenset[int]) -> Iterator[Item]:
    """Split a block; ids found to be the same along x are added to `same`."""
    run: list[ir.Stmt] = []
    for statement in block:
        item = _hoist(statement, same, spilled)
        if item is None:
            run.append(statement)
            continue
        if run and not isinstance(statement, ir.Let):  # a Let is pure and may move before the run
            yield Region(tuple(run))
            run = []
        yield item
    if run:
        yield Region(tuple(run))


def _hoist(statement: ir.Stmt, same: set[int], spilled: frozenset[int]) -> Hoisted | None:
    """The statement hoisted out of the row; None if an invocation must execute it."""
    match statement:
        case ir.Let() if statement.value.id not in spilled and same_along_x(statement.expr, same):
            same.add(statement.value.id)
            return Hoisted(statement)
        case ir.ForRange() if same_along_x(statement.start, same) and same_along_x(statement.stop, same):
            if any(leaves_loop(inner) for inner in statement.body):
                return None
            same.add(statement.counter.id)
            return Hoisted(statement, (tuple(_split(statement.body, same, spilled)),))
        case ir.If() if same_along_x(statement.condition, same):
            inside = set(same)
            blocks = tuple(tuple(_split(inner, inside, spilled)) for inner in (statement.then, statement.orelse))
            if not any(_has_loop(item) for items in blocks for item in items):
                return None
            same |= inside
            return Hoisted(statement, blocks)
        case _:
            return None
