"""What the bytecode of functions reads from outside."""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterator
from types import CodeType
from weakref import WeakKeyDictionary

_EXTENDED, _GLOBAL = dis.opmap["EXTENDED_ARG"], dis.opmap["LOAD_GLOBAL"]
_DEREF, _NAME = (
    {dis.opmap[name] for name in names if name in dis.opmap}
    for names in (
        ("LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF"),
        ("LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"),  # in the body of a class
    )
)
_ATTRIBUTE, _METHOD = dis.opmap["LOAD_ATTR"], dis.opmap.get("LOAD_METHOD")
_IMPORT = dis.opmap["IMPORT_NAME"]
_chains: WeakKeyDictionary[CodeType, frozenset[tuple[str, ...]]] = WeakKeyDictionary()
_SHIFT = 1 if sys.version_info >= (3, 12) else 0  # of the number of a name in LOAD_ATTR


def nested(code: CodeType) -> Iterator[CodeType]:
    """A code object, and all that are in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)


def has_import(code: CodeType) -> bool:
    """Whether a function imports something when it runs."""
    return any(_IMPORT in each.co_code[::2] for each in nested(code))


def chains_in(code: CodeType) -> frozenset[tuple[str, ...]]:
    """The globals and closure variables in the bytecode, each with the attributes that are read from it at once."""
    chains = _chains.get(code)
    if chains is None:
        chains = _chains[code] = _read_chains(code)
    return chains


def _read_chains(code: CodeType) -> frozenset[tuple[str, ...]]:
    found: set[tuple[str, ...]] = set()
    for each in nested(code):
        free = each.co_varnames + tuple(name for name in each.co_cellvars if name not in each.co_varnames)
        local_or_free = free + each.co_freevars
        extended = 0
        chain: list[str] = []
        for op, number in zip(each.co_code[::2], each.co_code[1::2], strict=True):
            number |= extended
            extended = number << 8 if op == _EXTENDED else 0
            if op in (_EXTENDED, 0):  # 0: an inline cache
                continue
            if chain and op == _ATTRIBUTE:
                chain.append(each.co_names[number >> _SHIFT])
                continue
            if chain and op == _METHOD:
                chain.append(each.co_names[number])
                continue
            if chain:
                found.add(tuple(chain))
            chain = []
            if op == _GLOBAL:
                chain = [each.co_names[number >> 1]]
            elif op in _NAME:
                chain = [each.co_names[number]]
            elif op in _DEREF and local_or_free[number] in code.co_freevars:
                chain = [local_or_free[number]]
        if chain:
            found.add(tuple(chain))
    return frozenset(found)
