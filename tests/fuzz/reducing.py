"""Makes the text of a failing program smaller: statements go, blocks lose their heads, expressions become parts of
themselves. What keeps a program well defined stays: barriers and stores of workgroup arrays, counters, indices, clamps.
"""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Callable, Iterator

_SHARED = re.compile(r"\bw\d+\b")
_TEAM = re.compile(r"gp\.(subgroup|workgroup)_(?!array)\w+\(|\b[beh]\d+\b")
"""Parts of what invocations do together, whose result depends on who comes first unless all parts are there."""


def reduce_text(text: str, still_fails: Callable[[str], bool], seconds: float) -> str:
    """The smallest text found in the time, of which `still_fails` holds."""
    until = time.monotonic() + seconds
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for candidates in (_without_statements, _without_heads, _without_cases, _with_parts):
            tried = 0
            while time.monotonic() < until:
                # Goes on where it was: what did not help before seldom helps after.
                found = next(
                    ((at, smaller) for at, smaller in _from(candidates(text), tried)
                     if time.monotonic() > until or still_fails(smaller)), None,
                )  # fmt: skip
                if found is None or time.monotonic() > until:
                    break
                tried, text = found
                is_smaller = True
    return text


def _from(candidates: Iterator[str], first: int) -> Iterator[tuple[int, str]]:
    for position, text in enumerate(candidates):
        if position >= first:
            yield position, text


def _bodies(tree: ast.AST) -> list[list[ast.stmt]]:
    """The lists of statements of functions, innermost last."""
    found = []
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        for node in ast.walk(function):
            for name in ("body", "orelse"):
                block = getattr(node, name, None)
                if isinstance(block, list) and block:
                    found.append(block)
    return found


def _is_kept(statement: ast.stmt) -> bool:
    """Whether a statement bounds a loop or names the invocation."""
    text = ast.unparse(statement)
    kept = r"n\d+ \+= 1$|if n\d+ >= |\(?t, g\)? = |i = g \*|s\d+ //= 2$|if h\d+ == e\d+|e\d+ = h\d+$"
    kept += r"|c\d+ = gp\.map\((bounded|little), "
    return bool(re.match(kept, text))


def _is_whole(statement: ast.stmt) -> bool:
    """Whether a statement stays as it is or goes."""
    text = ast.unparse(statement)
    if isinstance(statement, (ast.If, ast.For, ast.While, ast.Match, ast.FunctionDef)):
        return bool(re.match(r"if gp\.subgroup_elect|if b\d+:|while gp\.subgroup_any|for l\d+ in ", text))
    return bool(_TEAM.search(text))


def _may_go(tree: ast.AST, chunk: list[ast.stmt], left: str) -> bool:
    if any(_is_kept(statement) or isinstance(statement, ast.Break) for statement in chunk):
        return False
    text = "\n".join(ast.unparse(statement) for statement in chunk)
    names = set(_SHARED.findall(text))
    if "gp.barrier" in text and not names and _SHARED.search(left):
        return False
    is_writing = "gp.barrier" in text or any(re.search(rf"{name}(\[.*\])? [^=]?=", text) for name in names)
    return not is_writing or not any(re.search(rf"\b{name}\b", left) for name in names)


def _without_statements(text: str) -> Iterator[str]:
    tree = ast.parse(text)
    for block in _bodies(tree):
        size = len(block)
        while size:
            for start in range(0, len(block), size):
                chunk = block[start : start + size]
                rest = block[:start] + block[start + size :]
                held, block[:] = list(block), rest or [ast.Pass()]
                left = ast.unparse(tree)
                if left != text and not isinstance(chunk[0], ast.Pass) and _may_go(tree, chunk, left):
                    yield left
                block[:] = held
            size //= 2


def _without_heads(text: str) -> Iterator[str]:
    """A branch or loop as the block inside it."""
    tree = ast.parse(text)
    for block in _bodies(tree):
        for position, statement in enumerate(block):
            if _is_kept(statement) or _is_whole(statement):
                continue
            if isinstance(statement, (ast.If, ast.For, ast.While, ast.Match)):
                for inner in _blocks(statement):
                    if inner:
                        held, block[:] = list(block), block[:position] + inner + block[position + 1 :]
                        yield ast.unparse(tree)
                        block[:] = held


def _blocks(statement: ast.If | ast.For | ast.While | ast.Match) -> list[list[ast.stmt]]:
    if isinstance(statement, ast.Match):
        return [case.body for case in statement.cases]
    return [statement.body, statement.orelse]


def _without_cases(text: str) -> Iterator[str]:
    """A match with fewer cases."""
    tree = ast.parse(text)
    for match in (node for node in ast.walk(tree) if isinstance(node, ast.Match) and len(node.cases) > 1):
        held = list(match.cases)
        for case in held:
            match.cases[:] = [one for one in held if one is not case]
            yield ast.unparse(tree)
        match.cases[:] = held


def _with_parts(text: str) -> Iterator[str]:
    """An expression as one of its operands, or as 1."""
    tree = ast.parse(text)
    for parent, field, position in list(_expressions(tree)):
        value = getattr(parent, field)
        old = value if position is None else value[position]
        parts = [node for node in ast.iter_child_nodes(old) if isinstance(node, ast.expr)]
        parts += [ast.Constant(1)] if parts else []
        for part in parts:
            if isinstance(part, ast.Attribute) or (isinstance(part, ast.Name) and part.id == "gp"):
                continue
            _put(parent, field, position, part)
            yield ast.unparse(tree)
        _put(parent, field, position, old)


def _put(parent: ast.AST, field: str, position: int | None, node: ast.expr) -> None:
    if position is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[position] = node


_UNCHANGED = (ast.ClassDef, ast.arguments, ast.JoinedStr, ast.pattern)
"""What has no expressions that may change."""


def _expressions(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Places of expressions that may change, outermost first."""
    for field, value in ast.iter_fields(node):
        is_index = isinstance(node, ast.Subscript) and field == "slice"
        is_head = isinstance(node, (ast.For, ast.While)) or field in ("targets", "target", "func", "annotation", "args")
        if is_index or (is_head and isinstance(node, ast.For) and field == "iter") or field == "decorator_list":
            continue
        if isinstance(node, ast.While) and field == "test":
            continue
        for position, item in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(item, ast.AST) or isinstance(item, _UNCHANGED):
                continue
            if isinstance(item, ast.stmt) and (_is_kept(item) or _is_whole(item)):
                continue
            if isinstance(value, list) and position < len(value) - 1 and _is_atomic(node):
                continue  # the place, and what is expected there
            is_call = isinstance(node, ast.Call) and field == "args" and not _keeps(node)
            if isinstance(item, ast.expr) and (is_call or not is_head) and not _keeps(item):
                yield node, field, position if isinstance(value, list) else None
            yield from _expressions(item)


def _is_atomic(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith("gp.atomic_")


def _keeps(node: ast.AST) -> bool:
    """Whether a call is there to keep a number small or to make memory."""
    return isinstance(node, ast.Call) and bool(
        re.match(
            r"gp\.(clamp\(.*-(8|64|4)\.0, (8|64|4)\.0\)$|map\((bounded|little|cut), |\w+_array|atomic_\w+)",
            ast.unparse(node),
        )
    )
