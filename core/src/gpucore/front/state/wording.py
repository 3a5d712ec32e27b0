"""Parts of messages: articles, suggestions for misspelt names, conversions to write."""

from __future__ import annotations

import ast
import difflib
import enum
import re
from collections.abc import Iterable

from gpucore import ir
from gpucore.ir import BF16, NominalType


def article(noun: str) -> str:
    """The noun with "a" or "an", by its pronunciation: "an i32", "an f64", "a u32", "an Op"."""
    spoken_as_vowel = noun[:1] in "aeioAEIO" or (noun[:1] == "f" and noun[1:2].isdigit())
    return f"{'an' if spoken_as_vowel else 'a'} {noun}"


def index_letters(text: str) -> list[str]:
    """Names for indices that are not in the text of an expression."""
    return [letter for letter in "ijklmnop" if letter not in re.findall(r"\w+", text)]


def did_you_mean(name: str, known: Iterable[str], otherwise: str) -> str:
    """The fix for a misspelt name: the nearest known one, else `otherwise`."""
    candidates = [candidate for candidate in known if not candidate.startswith("_") and candidate != name]
    by_case = {candidate.lower(): candidate for candidate in candidates}
    near = difflib.get_close_matches(name.lower(), by_case, n=1, cutoff=0.7)
    return f"did you mean {by_case[near[0]]}?" if near else otherwise


def conversion(type: ir.Type, text: str, have: ir.Type | None = None) -> str:
    """The expression that converts `text` to a type. A nominal type is converted from its base type."""
    if not isinstance(type, NominalType) or type == BF16:
        return f"gp.{type}({text})"
    inner = text if have is None or have == type.base else f"gp.{type.base}({text})"
    return f"{type}({inner})"


def to_convert(type: ir.Type, node: ast.AST, text: str, have: ir.Type | None = None) -> str:
    """The fix that converts the value of `node`. `x += 1` is written out, because the sum is converted."""
    converted = conversion(type, text, have)
    if isinstance(node, ast.AugAssign):
        return f"write {ast.unparse(node.target)} = {converted}"
    return f"convert, as in {converted}"


def member_name(member: enum.Enum) -> str:
    """A member with its class. (`str` of an IntEnum member gives its number.)"""
    return f"{type(member).__name__}.{member.name}"


def as_function(method: str, owner: str) -> str:
    """The fix for a method call on an enum member."""
    return f"write a function with `def` that takes the member, and call {method}({owner})"
