"""Loop interchange: moves a loop whose bounds are the same for all invocations of a row outside the loop over the row.

A row is the invocations of a workgroup with the same y and z. If a region contains `for k in range(n)` and n is the
same along x, the loop over k is executed once for the row, and each part of its body is run over the row before the
next k. The innermost loops then run over neighbouring elements, which LLVM vectorises, instead of over k with strides
through memory. Only the order between invocations changes, which is undefined between two barriers.

The statements are split as in `regions`, one level down; names used in more than one part *cross* here too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gpucore import ir
from gpucore.ir.walk import statements
from gpucore_cpu.guards import same_along_x
from gpucore_cpu.names import Name
from gpucore_cpu.regions import Item, Once, Plan, Region, leaves_loop, recomputable, record_places

_LEAST_WIDTH = 4  # minimum length of a row
_MOST_LOOPS = 32  # per region: each is written twice, with loops over the row inside, which LLVM has to optimise


@dataclass(frozen=True, slots=True)
class Rows:
    """The parts of a row: executed once for the row, or by each invocation."""

    items: tuple[Item, ...]
    crossing: dict[int, Name]
    recomputed: dict[int, ir.Expr]

    @property
    def is_interchanged(self) -> bool:
        """Whether any loop is executed once for the row."""
        return any(_has_loop(item) for item in self.items)


def plan_rows(body: ir.Block, plan: Plan, width: int) -> Rows:
    """Split a region with rows of length `width`."""
    if width < _LEAST_WIDTH or not _is_suitable(body):
        return whole_rows(body)
    same = set(plan.once) | _find_same_recomputed(plan)
    items = tuple(_cut(body, same, frozenset(plan.crossing)))
    if not any(_has_loop(item) for item in items):
        return whole_rows(body)
    places: dict[int, set[int]] = {}
    known: dict[int, Name] = {}
    record_places(items, places, known)
    recomputed = recomputable(body, same)
    shared = {key for key in places if len(places[key]) > 1}
    shared -= same | plan.crossing.keys() | plan.recomputed.keys() | recomputed.keys()
    return Rows(items, {key: known[key] for key in sorted(shared)}, recomputed)


def _is_suitable(body: ir.Block) -> bool:
    """Whether a region may be split: without atomics, whose order would change, and of ordinary length."""
    num_loops = 0
    for statement in statements(body):
        num_loops += isinstance(statement, ir.ForRange)
        if isinstance(statement, ir.Atomic) or num_loops > _MOST_LOOPS:
            return False
    return True


def whole_rows(body: ir.Block) -> Rows:
    """A region that every invocation executes without interchange."""
    return Rows((Region(body),), {}, {})


def _find_same_recomputed(plan: Plan) -> set[int]:
    """Ids of the recomputed values that are the same along x. Definitions come before their uses."""
    same: set[int] = set()
    for key, expr in plan.recomputed.items():
        if same_along_x(expr, plan.once | same):
            same.add(key)
    return same


def _has_loop(item: Item) -> bool:
    if isinstance(item, Region):
        return False
    return isinstance(item.statement, ir.ForRange) or any(_has_loop(inner) for block in item.blocks for inner in block)


def _cut(block: ir.Block, same: set[int], crossing: frozenset[int]) -> Iterator[Item]:
    """Split a block; ids found to be the same along x are added to `same`."""
    run: list[ir.Stmt] = []
    for statement in block:
        item = _once(statement, same, crossing)
        if item is None:
            run.append(statement)
            continue
        if run and not isinstance(statement, ir.Let):  # a Let is pure and may move before the run
            yield Region(tuple(run))
            run = []
        yield item
    if run:
        yield Region(tuple(run))


def _once(statement: ir.Stmt, same: set[int], crossing: frozenset[int]) -> Once | None:
    """The statement as one executed once per row, if possible."""
    match statement:
        case ir.Let() if statement.value.id not in crossing and same_along_x(statement.expr, same):
            same.add(statement.value.id)
            return Once(statement)
        case ir.ForRange() if same_along_x(statement.start, same) and same_along_x(statement.stop, same):
            if any(leaves_loop(inner) for inner in statement.body):
                return None
            same.add(statement.counter.id)
            return Once(statement, (tuple(_cut(statement.body, same, crossing)),))
        case ir.If() if same_along_x(statement.condition, same):
            inside = set(same)
            blocks = tuple(tuple(_cut(inner, inside, crossing)) for inner in (statement.then, statement.orelse))
            if not any(_has_loop(item) for items in blocks for item in items):
                return None
            same |= inside
            return Once(statement, blocks)
        case _:
            return None
