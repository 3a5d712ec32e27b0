"""Barriers must be reached by all invocations of a workgroup or by none, operations of subgroups by all of a subgroup.

The error explains what diverges.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gpucore.errors import UniformityError
from gpucore.ir import (
    OF_SUBGROUPS,
    Barrier,
    Capability,
    GroupMultiply,
    GroupWait,
    Module,
    Subgroup,
    SubgroupOp,
    Together,
    Uniform,
)
from gpucore.valid.divergence import Collective, Graph, at, build_graph
from gpucore.valid.versions import Node, is_version

_KEYWORDS = {"if": ("if", "elif", "while", "for", "assert", "match", "case"), "for": ("for",), "loop": ("while", "for")}


def check_uniformity(
    module: Module, written_buffers: frozenset[int], emulated: frozenset[Capability] = frozenset()
) -> frozenset[int]:
    """Ids of the values and locals that are the same in all invocations of a workgroup that define them.

    Raises UniformityError for the first Barrier or Uniform that only some invocations of a workgroup may reach, or
    Subgroup that only some of a subgroup may, or Together with a value that may differ. `emulated`: capabilities that
    are made of barriers of the workgroup.
    """
    graph = build_graph(module, written_buffers)
    causes = graph.causes()
    if any(isinstance(statement, OF_SUBGROUPS) for statement, _ in graph.barriers):
        of_subgroups = build_graph(module, written_buffers, of_subgroups=True)
        in_subgroups = of_subgroups.causes()
        own = [(barrier, regions) for barrier, regions in of_subgroups.barriers if isinstance(barrier, OF_SUBGROUPS)]
        _check(own, of_subgroups, in_subgroups, emulated=None)
    _check([each for each in graph.barriers if _waits_for_all(each[0], emulated)], graph, causes, emulated)
    _check_values(graph, causes)
    return frozenset(node for node in graph.nodes if node >= 0 and node not in causes and not is_version(node))


def _waits_for_all(barrier: Collective, emulated: frozenset[Capability]) -> bool:
    """Whether all invocations of the workgroup must reach it."""
    return not isinstance(barrier, OF_SUBGROUPS) or _made_of(barrier, emulated) is not None


def _made_of(barrier: Collective, emulated: frozenset[Capability]) -> Capability | None:
    """The capability without which the operation of subgroups is made of barriers of the workgroup."""
    if not isinstance(barrier, Subgroup) or barrier.op is SubgroupOp.ELECT:
        return None
    if Capability.SUBGROUP in emulated:
        return Capability.SUBGROUP
    is_barrier = barrier.op is SubgroupOp.BARRIER
    return Capability.SUBGROUP_BARRIER if is_barrier and Capability.SUBGROUP_BARRIER in emulated else None


def _check(
    barriers: Iterable[tuple[Collective, tuple[int, ...]]],
    graph: Graph,
    causes: dict[int, int | None],
    emulated: frozenset[Capability] | None,
) -> None:
    """Raise UniformityError for the first that is in a region that differs. `emulated` is None for operations of
    subgroups in the graph of subgroups."""
    for barrier, regions in barriers:
        differing = [region for region in regions if region in causes]
        if differing:
            # a branch or loop is easier to see than the code after an exit; of several, the nearest
            named = [region for region in differing if graph.nodes[region].kind != "exit"] or differing
            raise _error(barrier, _Explanation(graph, causes).explain(named[-1]), emulated)


def _check_values(graph: Graph, causes: dict[int, int | None]) -> None:
    """Raise UniformityError for the first value that differs where all invocations are meant to have the same."""
    for node, (statement, name) in graph.uniform.items():
        if node in causes:
            raise UniformityError(
                "GP302",
                f"the {name} of this operation of the workgroup may differ between the invocations",
                statement.span,
                why=f"it depends on {_Explanation(graph, causes).source(node)}",
                fix="all invocations work on the same part: give the same value to each; where you know that it is the "
                "same for all, say so with gp.assume_uniform",
            )


def _error(barrier: Collective, why: str, emulated: frozenset[Capability] | None) -> UniformityError:
    names = {Barrier: "barrier", Uniform: "gp.assume_uniform"}
    names |= dict.fromkeys((Together, GroupMultiply, GroupWait), "operation of the workgroup")
    what = names.get(type(barrier), "subgroup operation")
    if isinstance(barrier, Subgroup) and barrier.op is SubgroupOp.BARRIER:
        what = "gp.subgroup_barrier"
    moved = "the barrier" if isinstance(barrier, Barrier) else "it"
    fix = f"move {moved} to where all invocations pass it, and guard only the loads and stores with the condition"
    lacking = _made_of(barrier, emulated) if emulated is not None else None
    if lacking is not None:
        why += f"; this device lacks the capability {lacking.value!r}, and the operation waits for the whole workgroup"
        fix += f", or choose a device with {lacking.value!r}"
    elif not isinstance(barrier, Uniform):
        fix += "; where you know that the condition is the same for all, say so with gp.assume_uniform"
    group = "subgroup" if emulated is None else "workgroup"
    return UniformityError(
        "GP301", f"not every invocation of the {group} reaches this {what}", barrier.span, why=why, fix=fix
    )


class _Explanation:
    """Explains why a node differs, from the effect to the cause."""

    def __init__(self, graph: Graph, causes: dict[int, int | None]) -> None:
        self._graph, self._causes = graph, causes

    def explain(self, region: int) -> str:
        node = self._graph.nodes[region]
        if node.kind == "exit":
            return f"some invocations have left by an early exit: {self._after(region)}"
        if node.span is None and (culprit := self._named_region(region)) is not None:
            # a test added by the front end, of a flag that says that a loop or branch was left
            return f"some invocations have left by an early exit: {self.explain(culprit)}"
        if not self._is_exit(self._causes[region]):
            return f"{_subject(node)} depends on {self.source(region)}"
        reason = self._after(region)
        if reason.startswith(f"{_subject(node)} "):
            return reason  # the condition of a `while` itself
        return f"{_subject(node)} is left early by some invocations only: {reason}"

    def _is_exit(self, node: int | None) -> bool:
        return node is not None and self._graph.nodes[node].kind == "exit"

    def _named_region(self, region: int) -> int | None:
        """The nearest cause of `region` that is a branch or loop in the user's code."""
        cause = self._causes[region]
        while cause is not None and (cause >= 0 or self._graph.nodes[cause].span is None):
            cause = self._causes[cause]
        return cause

    def _after(self, region: int) -> str:
        """The branch or loop that makes an exit differ."""
        cause = self._causes[region]
        while cause is not None and self._graph.nodes[cause].kind == "exit":
            cause = self._causes[cause]
        return "" if cause is None else self.explain(cause)

    def source(self, node: int) -> str:
        """Why `node` differs, back to the root."""
        parts: list[str] = []
        while True:
            cause = self._causes[node]
            if cause is None:
                reason, span = self._graph.roots[node]
                if parts and reason.startswith(f"an element of {parts[-1]}"):
                    parts.pop()  # the loaded value has the array's name
                # the location of a condition has just been given
                parts.append(reason if node < 0 else f"{reason}{at(span)}")
                return ", which comes from ".join(parts)
            if cause < 0:
                ending = f"which is set in code that some invocations skip: {self.explain(cause)}"
                return f"{', which comes from '.join(parts)}, {ending}" if parts else ending
            name = f"`{self._graph.nodes[cause].name}`"
            # versions of one local are adjacent
            if _is_users_own(self._graph.nodes[cause]) and name not in parts[-1:]:
                parts.append(name)
            node = cause


def _subject(node: Node) -> str:
    return f"the `{_keyword(node)}`{at(node.span)}"


def _is_users_own(node: Node) -> bool:
    """Whether the name of a value occurs in the line that creates it: if not, the name is the compiler's; nor is it one
    of gpucore's helpers."""
    if node.span and node.span.is_own and not node.span.in_kernel().is_own:
        return False
    line = node.span.source_line() if node.span else ""
    return not line or re.search(rf"\b{re.escape(node.name)}\b", line) is not None


def _keyword(node: Node) -> str:
    """The keyword in the user's code: the same node may come from `if`, `elif` or `while`."""
    default = "while" if node.kind == "loop" else node.kind
    if node.span is None:
        return default
    allowed = _KEYWORDS[node.kind]
    line = node.span.source_line()
    for text in (line.encode()[node.span.column :].decode(errors="ignore"), line):
        word = re.match(r"\s*(\w+)", text)
        if word and word[1] in allowed:
            return word[1]
    return default
