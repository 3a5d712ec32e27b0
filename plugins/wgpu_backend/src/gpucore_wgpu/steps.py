"""Steps from IR to IR: workarounds for defects of drivers, see `driver_defects`, and constant arrays as words."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from gpucore.plugin import DeviceInfo, ir
from gpucore.plugin.ir import F16, F32, F64, U32, BuiltinKind, Capability, MathOp, Rewriter, build, scalar_of, walk
from gpucore_wgpu.driver_defects import Defect, defects_of
from gpucore_wgpu.exact import protect_arithmetic
from gpucore_wgpu.ordering import widen_barriers
from gpucore_wgpu.tables import as_words

_IN_F32 = frozenset({
    MathOp.FMOD, MathOp.POW, MathOp.SIN, MathOp.COS, MathOp.TAN, MathOp.ASIN, MathOp.ACOS, MathOp.ATAN,
    MathOp.ATAN2, MathOp.ERF, MathOp.SINH, MathOp.TANH,
})  # fmt: skip
_GREATEST_F16 = 65504.0
_BEYOND_INTEGERS = 2.0**127


def prepare(module: ir.Module, device: DeviceInfo | None) -> ir.Module:
    """The kernel for the device's driver; the module itself if nothing changes.

    Operands of f64 are hidden only if the device has 64-bit integers.
    """
    defects = defects_of(device)
    module = widen_barriers(as_words(module))
    zero = ir.Value(walk.next_id(module), "opaque_zero", U32)
    prepared = module
    if Defect.REAL_ARITHMETIC in defects:
        has_int64 = device is not None and Capability.INT64 in device.capabilities
        prepared = protect_arithmetic(prepared, zero, has_int64=has_int64)
    if Defect.LATE_INDEX in defects:
        prepared = _opaque_indices(prepared, zero)
    if prepared is not module:
        prepared = dataclasses.replace(prepared, body=(_declaration(zero, module), *prepared.body))
    return _Functions(prepared, defects).rewritten()


def _declaration(zero: ir.Value, module: ir.Module) -> ir.Let:
    """`zero` is 1 if there are no workgroups. There is always at least one, but a compiler cannot know that."""
    is_never = build.eq(ir.Builtin(BuiltinKind.NUM_WORKGROUPS, 0), 0)
    return ir.Let(zero, build.select(is_never, ir.Constant(1, U32), 0), module.span)


# ---------------------------------------------------------------- private arrays


def _opaque_indices(module: ir.Module, zero: ir.Value) -> ir.Module:
    """The kernel with `zero` added to the indices of private arrays that are not constant."""

    def on_block(block: ir.Block) -> ir.Block:
        return walk.same_or(block, [on_statement(statement) for statement in block])

    def on_statement(statement: ir.Stmt) -> ir.Stmt:
        if walk.blocks(statement):
            return walk.map_statement(statement, lambda expr: expr, on_block)
        if not isinstance(statement, ir.Load | ir.Store):
            return statement
        place = statement.place
        if not isinstance(place.memory, ir.PrivateArray) or isinstance(place.index, ir.Constant):
            return statement
        index = build.add(place.index, build.convert(zero, place.index.type))
        return dataclasses.replace(statement, place=dataclasses.replace(place, index=index))

    body = on_block(module.body)
    return module if body is module.body else dataclasses.replace(module, body=body)


# ---------------------------------------------------------------- functions and conversions


class _Functions(Rewriter):
    """Replaces expressions that the driver computes wrongly by others with the right result."""

    def __init__(self, module: ir.Module, defects: frozenset[Defect]) -> None:
        super().__init__(module)
        self._defects = defects

    def rewrite(self, expr: ir.Expr) -> ir.Expr:
        match expr:
            case ir.Call() if expr.op in _IN_F32 and scalar_of(expr.type) == F16:
                if Defect.NARROW_FUNCTIONS in self._defects:
                    wide = [build.convert(arg, ir.with_scalar(arg.type, F32)) for arg in expr.args]
                    return build.convert(build.call(expr.op, *wide), expr.type)
            case ir.Call(op=MathOp.ROUND | MathOp.TRUNC) if scalar_of(expr.type) == F64:
                if Defect.ROUNDING_OF_F64 in self._defects:
                    rounded = self._trunc if expr.op is MathOp.TRUNC else self._round
                    return self._of_components(rounded, expr.args[0])
            case ir.Call(op=MathOp.ABS) if scalar_of(expr.type).is_integer and scalar_of(expr.type).is_signed:
                if Defect.ABSOLUTE_VALUE in self._defects:
                    return self._of_components(_absolute_value, expr.args[0])
            case ir.Convert() if scalar_of(expr.operand.type) == F16 and scalar_of(expr.type).is_integer:
                if Defect.INFINITE_F16 in self._defects:
                    return build.convert(self._of_components(self._finite_f32, expr.operand), expr.type)
        return expr

    def _of_components(self, function: Callable[[ir.Expr], ir.Expr], x: ir.Expr) -> ir.Expr:
        """The function applied to a scalar, or to every component of a vector."""
        results = [function(self.let("x", component)) for component in build.components(self.let("x", x))]
        return build.construct(*results) if isinstance(x.type, ir.VectorType) else results[0]

    def _trunc(self, x: ir.Expr) -> ir.Expr:
        """By ceil for negative numbers, else by floor, which both keep the sign of a zero."""
        return build.select(build.lt(x, 0.0), build.call(MathOp.CEIL, x), build.call(MathOp.FLOOR, x))

    def _round(self, x: ir.Expr) -> ir.Expr:
        """To nearest, ties to even. `x - whole` is exact; for an infinity it is NaN, so that `is_away` is false.

        Floor and ceil also round away from zero: adding 1 or -1 to `whole` could lose the sign of a zero.
        """
        whole = self.let("whole", self._trunc(x))
        rest = self.let("rest", build.call(MathOp.ABS, build.sub(x, whole)))
        half = self.let("half", build.mul(whole, 0.5))
        is_odd = build.ne(half, build.call(MathOp.FLOOR, half))
        is_away = build.logical_or(build.gt(rest, 0.5), build.logical_and(build.eq(rest, 0.5), is_odd))
        away = build.select(build.gt(x, 0.0), build.call(MathOp.CEIL, x), build.call(MathOp.FLOOR, x))
        return build.select(is_away, away, whole)

    def _finite_f32(self, x: ir.Expr) -> ir.Expr:
        """An f16 as f32, with numbers beyond every integer instead of infinities."""
        above = build.select(build.gt(x, _GREATEST_F16), _BEYOND_INTEGERS, build.convert(x, F32))
        return build.select(build.lt(x, -_GREATEST_F16), -_BEYOND_INTEGERS, above)


def _absolute_value(x: ir.Expr) -> ir.Expr:
    """Of an integer; of the least one, itself."""
    return build.select(build.lt(x, 0), build.sub(ir.Constant(0, scalar_of(x.type)), x), x)


__all__ = ["prepare"]
