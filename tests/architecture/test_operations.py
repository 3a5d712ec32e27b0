"""The table of operations in `ir.ops` is whole, and what cannot be derived from it agrees with it."""

from __future__ import annotations

import ast
import builtins
import math
import re
from typing import Any

import pytest
from source_tree import ROOT

import gpucore as gp
from gpucore import lang
from gpucore.front.language import substitutes
from gpucore.front.language.geometry import GEOMETRY
from gpucore.host import as_in_kernels
from gpucore.ir import F32, FUNCTIONS, I32, U32, AtomicOp, BinaryOp, MathOp, SubgroupOp, UnaryOp, arithmetic
from gpucore.ir.ops import OPERATORS, Operation, meaning

_INTERNAL = {MathOp.FMOD, MathOp.BF16_BITS}  # no functions of the language: they are in `%` and gp.bf16
_FACTS = {"BITS", "LAST", "MASK", "LOW", "HIGH", "ZERO", "ONE", "wrap"}


def test_every_operation_has_an_entry() -> None:
    assert set(FUNCTIONS) == set(MathOp)
    assert set(OPERATORS) == set(UnaryOp) | set(BinaryOp)


def test_every_operation_is_a_function_of_the_language_and_of_the_face() -> None:
    assert set(lang.MATH) == {op.value for op in MathOp if op not in _INTERNAL} | set(GEOMETRY)
    assert set(lang.ATOMICS) == {op.value for op in AtomicOp}
    assert set(lang.SUBGROUPS) == {op.value for op in SubgroupOp}
    stubs = [*lang.MATH.values(), *lang.ATOMICS.values(), *lang.SUBGROUPS.values()]
    assert all(as_in_kernels(getattr(gp, stub.__name__, None)) is stub for stub in stubs)


@pytest.mark.parametrize("op", [*UnaryOp, *BinaryOp, *MathOp], ids=str)
def test_texts_name_arguments_facts_and_functions_only(op: Operation) -> None:
    arguments = {"a", "b", "c"} if not isinstance(op, MathOp) else set("abc"[: FUNCTIONS[op].arity])
    for type in (F32, I32, U32):
        names = {node.id for node in ast.walk(ast.parse(meaning(op, type) or "a")) if isinstance(node, ast.Name)}
        unknown = names - arguments - _FACTS
        assert all(hasattr(arithmetic, name) or hasattr(builtins, name) for name in unknown), unknown


@pytest.mark.parametrize("op", MathOp, ids=str)
def test_names_in_python_exist(op: MathOp) -> None:
    for name in FUNCTIONS[op].python:
        module: Any = math if name.startswith("math.") else builtins
        assert callable(getattr(module, name.removeprefix("math.")))


def test_errors_propose_no_formula_for_a_function_of_the_language() -> None:
    functions = {(op.value, FUNCTIONS[op].arity) for op in set(MathOp) - _INTERNAL}
    assert functions & set(substitutes._FORMULAS) == set()


def test_the_reference_of_the_language_names_every_function() -> None:
    text = (ROOT / "docs" / "language.md").read_text()
    named = set(re.findall(r"`gp\.(\w+)", text))
    assert set(lang.MATH) - named == set()
