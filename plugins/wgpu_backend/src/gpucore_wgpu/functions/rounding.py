"""round and trunc of f64 by floor and ceil, for drivers whose own are wrong: see `driver_defects`."""

from __future__ import annotations

from gpucore.ir import Type
from gpucore_wgpu.functions.library import Builder, Functions, define
from gpucore_wgpu.wgsl_types import full, type_name


def _trunc(functions: Functions, identifier: str, type: Type) -> list[str]:
    """ceil keeps the sign of what it rounds to zero, floor that of a zero."""
    return define(identifier, f"x: {type_name(type)}", type, f"return select(floor(x), ceil(x), x < {full(type, 0)});")


def _round(functions: Functions, identifier: str, type: Type) -> list[str]:
    """To nearest, ties to even. `x - whole` is exact; for an infinity it is NaN, and every comparison is false.

    The step away from zero is also taken by floor and ceil, so that nothing is added to a zero.
    """
    half = full(type, 0.5)
    return define(
        identifier, f"x: {type_name(type)}", type,
        f"let whole = {functions.call('trunc', type, 'x')};",
        "let rest = abs(x - whole);",
        f"let halved = whole * {half};",
        f"let is_up = (rest > {half}) | ((rest == {half}) & (halved != floor(halved)));",
        f"return select(whole, select(floor(x), ceil(x), x > {full(type, 0)}), is_up);",
    )  # fmt: skip


ROUNDING_FUNCTIONS: dict[str, Builder] = {"round": _round, "trunc": _trunc}
