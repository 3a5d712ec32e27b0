"""Pure expressions as text."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from gpucore.back.c_family.bodies import DIVISION_SYMBOLS, division_body, reverse_bits_body, unsigned_type
from gpucore.back.c_family.derived import DERIVED
from gpucore.back.c_family.dialect import CDialect
from gpucore.back.c_family.functions import Helpers
from gpucore.back.c_family.literals import float_literal, integer_literal
from gpucore.back.c_family.numbers import through_i32
from gpucore.back.c_family.overflow import WRAPPING, is_at_least, needs_wrap
from gpucore.back.c_family.terms import PRIMARY, UNARY, Term, cast, conditional, infix, prefix
from gpucore.back.names import Names
from gpucore.errors import EmitError
from gpucore.ir import (
    BOOL,
    FLOORING,
    SUBGROUP_BUILTINS,
    Binary,
    BinaryOp,
    Bitcast,
    Builtin,
    Call,
    Capability,
    Constant,
    Construct,
    Convert,
    Expr,
    Extract,
    Local,
    MathOp,
    Param,
    ScalarType,
    Select,
    Splat,
    Type,
    Unary,
    UnaryOp,
    Value,
    VectorType,
    scalar_of,
    with_scalar,
)
from gpucore.ir.ranges import Ranges
from gpucore.span import Span

_SYMBOLS = {
    BinaryOp.ADD: "+", BinaryOp.SUB: "-", BinaryOp.MUL: "*", BinaryOp.DIV: "/", BinaryOp.BIT_AND: "&",
    BinaryOp.BIT_OR: "|", BinaryOp.BIT_XOR: "^", BinaryOp.SHL: "<<", BinaryOp.SHR: ">>", BinaryOp.AND: "&&",
    BinaryOp.OR: "||", BinaryOp.EQ: "==", BinaryOp.NE: "!=", BinaryOp.LT: "<", BinaryOp.LE: "<=", BinaryOp.GT: ">",
    BinaryOp.GE: ">=",
}  # fmt: skip
_BOOL_SYMBOLS = {BinaryOp.BIT_AND: "&&", BinaryOp.BIT_OR: "||", BinaryOp.BIT_XOR: "!="}
_PREFIXES = {UnaryOp.NEG: "-", UnaryOp.NOT: "!", UnaryOp.INVERT: "~"}
_COMPONENTS = "xyzw"
Key = TypeVar("Key")


class Expressions:
    """Writes the expressions of one kernel. `span` is the source location for errors."""

    def __init__(
        self,
        dialect: CDialect,
        names: Names,
        helpers: Helpers,
        ranges: Ranges | None,
        kernel: str,
        workgroup_size: tuple[int, int, int],
    ) -> None:
        self.span: Span | None = None
        self._kernel = kernel
        self._workgroup_size = workgroup_size
        self._dialect = dialect
        self._names = names
        self._helpers = helpers
        self._ranges = ranges

    def text(self, expr: Expr) -> str:
        """The expression as an initialiser, an argument or the right side of an assignment."""
        return self.term(expr).text

    def type_name(self, type: Type) -> str:
        """The dialect's name for a type."""
        name = self._entry(self._dialect.types, type, f"the type {type}")
        self._helpers.used_types.add(scalar_of(type))
        return name

    def value_name(self, value: Value | Local) -> str:
        return self._names.name(value.id, value.name)

    def term(self, expr: Expr) -> Term:
        match expr:
            case Constant():
                return self._constant(expr)
            case Value() | Local():
                return Term(self.value_name(expr))
            case Param():
                return Term(self._names.name(("param", expr.index), expr.name))
            case Builtin():
                return cast(self.type_name(expr.type), self._builtin(expr))
            case Unary():
                return self._unary(expr)
            case Binary():
                return self._binary(expr)
            case Call():
                return self._call(expr)
            case Select():
                return self._select(expr)
            case Convert():
                return self._convert(expr)
            case Bitcast():
                return self._bitcast(expr)
            case Construct():
                return self._construct(expr)
            case Splat():
                return self._splat(expr)
            case Extract():
                return self._extract(expr)

    # ------------------------------------------------------------ leaves

    def _constant(self, expr: Constant, type: ScalarType | None = None) -> Term:
        type = type or expr.type
        if type == BOOL:
            template = self._entry(self._dialect.literals, BOOL, "constants of bool")
            return Term(template.format(value="true" if expr.value else "false", bits="1" if expr.value else "0"))
        self.type_name(type)
        literal = self._entry(self._dialect.literals, type, f"constants of {type}")
        if type.is_float:
            special = self._dialect.special_floats.get(type)
            if special is None and not math.isfinite(expr.value):
                raise self.missing(f"infinity and NaN of {type}")
            text = float_literal(expr, literal, special or "")
        else:
            value = int(expr.value) if type.is_signed else int(expr.value) % (1 << type.bits)
            text = integer_literal(value, type, literal)
        return Term(text, UNARY if text.startswith("-") else PRIMARY)

    def _builtin(self, expr: Builtin) -> Term:
        template = self._entry(self._dialect.builtins, expr.kind, expr.kind.value)
        x, y, z = self._workgroup_size
        if expr.kind in SUBGROUP_BUILTINS:
            self._helpers.used_capabilities.add(Capability.SUBGROUP)
        text = template.format(axis=expr.axis, letter=_COMPONENTS[expr.axis], x=x, y=y, z=z, invocations=x * y * z)
        return Term(text)

    def _select(self, expr: Select) -> Term:
        term = conditional(self.term(expr.condition), self.term(expr.if_true), self.term(expr.if_false))
        # In C, `?:` promotes integers of 8 and 16 bits to int.
        return cast(self.type_name(expr.type), term) if scalar_of(expr.type).is_storage else term

    # ------------------------------------------------------------ operators

    def _unary(self, expr: Unary) -> Term:
        type = expr.type
        if isinstance(type, VectorType):
            return self._vector_operator(expr.op, (expr.operand,), type, _PREFIXES[expr.op])
        if needs_wrap(expr, self._ranges):
            return cast(self.type_name(type), self._unsigned(expr))
        if expr.op is UnaryOp.INVERT and type == BOOL:
            return prefix("!", self.term(expr.operand))
        return prefix(_PREFIXES[expr.op], self.term(expr.operand))

    def _binary(self, expr: Binary) -> Term:
        type = expr.left.type
        if isinstance(type, VectorType):
            assert isinstance(expr.type, VectorType)
            return self._vector_operator(expr.op, (expr.left, expr.right), expr.type, _SYMBOLS.get(expr.op, ""))
        if expr.op in DIVISION_SYMBOLS:
            return self._division(expr, type)
        if needs_wrap(expr, self._ranges):
            return cast(self.type_name(type), self._unsigned(expr))
        if expr.op in (BinaryOp.SHL, BinaryOp.SHR):
            return infix(self.term(expr.left), _SYMBOLS[expr.op], self._shift_count(expr.right, type))
        symbol = _BOOL_SYMBOLS.get(expr.op, _SYMBOLS[expr.op]) if type == BOOL else _SYMBOLS[expr.op]
        return infix(self.term(expr.left), symbol, self.term(expr.right))

    def _shift_count(self, count: Expr, type: ScalarType) -> Term:
        if isinstance(count, Constant):
            return Term(str(int(count.value) % type.bits))
        return infix(self.term(count), "&", Term(str(type.bits - 1)))

    def _unsigned(self, expr: Expr) -> Term:
        """A signed integer expression in the unsigned type: a chain of wrapping operators is cast once, at its end."""
        assert isinstance(expr.type, ScalarType)
        unsigned = unsigned_type(expr.type)
        match expr:
            case Constant():
                return self._constant(expr, unsigned)
            case Builtin():
                return cast(self.type_name(unsigned), self._builtin(expr))
            case Convert() if expr.operand.type == unsigned:
                return self.term(expr.operand)
            case Unary() if needs_wrap(expr, self._ranges):
                return prefix("-", self._unsigned(expr.operand))
            case Binary() if expr.op is BinaryOp.SHL and needs_wrap(expr, self._ranges):
                return infix(self._unsigned(expr.left), "<<", self._shift_count(expr.right, expr.type))
            case Binary() if needs_wrap(expr, self._ranges):
                return infix(self._unsigned(expr.left), _SYMBOLS[expr.op], self._unsigned(expr.right))
            case _:
                return cast(self.type_name(unsigned), self.term(expr))

    def _division(self, expr: Binary, type: ScalarType) -> Term:
        left, right, symbol = expr.left, expr.right, DIVISION_SYMBOLS[expr.op]
        divisor = int(right.value) if isinstance(right, Constant) else 0
        floors = type.is_signed and expr.op in FLOORING
        is_power = divisor > 0 and divisor & (divisor - 1) == 0
        if is_power and type.is_signed and (floors or is_at_least(left, 0, self._ranges)):
            if symbol == "/":
                return infix(self.term(left), ">>", Term(str(divisor.bit_length() - 1)))
            return infix(self.term(left), "&", self._constant(Constant(divisor - 1, type)))
        is_plain = is_at_least(right, 1, self._ranges) and (not floors or is_at_least(left, 0, self._ranges))
        if is_plain or (not floors and divisor not in (0, -1)):
            return infix(self.term(left), symbol, self.term(right))
        name = self.type_name(type)
        body = division_body(expr.op, type, name, self.type_name(unsigned_type(type)))
        return self._helper(f"gpucore_{expr.op.value}_{type}", (left, right), type, body)

    # ------------------------------------------------------------ functions and conversions

    def _call(self, expr: Call) -> Term:
        type, args = expr.args[0].type, expr.args
        template = self._dialect.math.get((expr.op, type))
        if template is not None:
            return self._apply(template, args)
        if isinstance(type, VectorType) and expr.op is not MathOp.DOT:
            element = scalar_of(expr.type)
            assert isinstance(expr.type, VectorType)
            return self._apply_by_component(
                f"gpucore_{expr.op.value}_{type}", args, expr.type, lambda parts: Call(expr.op, tuple(parts), element)
            )
        if type in self._dialect.computed_in:
            return self.term(_computed_in(expr, self._dialect.computed_in[scalar_of(type)]))
        name = f"gpucore_{expr.op.value}_{type}"
        if expr.op in DERIVED:
            return self._helper(name, args, expr.type, lambda arguments: DERIVED[expr.op](*arguments))
        if expr.op is MathOp.REVERSE_BITS and isinstance(type, ScalarType):
            body = reverse_bits_body(type, self.type_name(type), self.type_name(unsigned_type(type)))
            return self._helper(name, args, expr.type, body)
        raise self.missing(f"{expr.op.value} of {type}")

    def _convert(self, expr: Convert) -> Term:
        operand, source, target = expr.operand, expr.operand.type, expr.type
        template = self._dialect.conversions.get((source, target))
        if source == target:
            return self.term(operand)
        self.type_name(target)
        if template is not None:
            return self._apply(template, (operand,))
        if (wider := through_i32(expr)) is not None:
            return self.term(wider)
        if isinstance(target, VectorType):
            element = target.element
            return self._apply_by_component(
                f"gpucore_{source}_to_{target}", (operand,), target, lambda parts: Convert(parts[0], element)
            )
        assert isinstance(source, ScalarType)
        if target == BOOL:
            return infix(self.term(operand), "!=", self._constant(_zero(source)))
        if source == BOOL:
            one = Constant(1.0 if target.is_float else 1, target)
            return self._select(Select(operand, one, _zero(target), target))
        if source.is_float and target.is_integer:
            raise self.missing(f"the conversion of {source} to {target}")
        return cast(self.type_name(target), self.term(operand))

    def _bitcast(self, expr: Bitcast) -> Term:
        operand, source, target = expr.operand, expr.operand.type, expr.type
        if source == target:
            return self.term(operand)
        if (source, target) in self._dialect.bitcasts:
            return self._apply(self._dialect.bitcasts[source, target], (operand,))
        are_scalars = isinstance(source, ScalarType) and isinstance(target, ScalarType)
        if are_scalars and scalar_of(source).is_integer and scalar_of(target).is_integer:
            return cast(self.type_name(target), self.term(operand))
        return self._any_bitcast(self.text(operand), source, target)

    def _any_bitcast(self, text: str, source: Type, target: Type) -> Term:
        if not self._dialect.any_bitcast:
            raise self.missing(f"the bits of {source} as {target}")
        return Term(self._dialect.any_bitcast.format(text, type=self.type_name(target)))

    # ------------------------------------------------------------ vectors

    def _construct(self, expr: Construct) -> Term:
        template = self._entry(self._dialect.construct, expr.type, f"the type {expr.type}")
        self.type_name(expr.type)
        return self._apply(template, expr.components)

    def _splat(self, expr: Splat) -> Term:
        if expr.type in self._dialect.splat:
            self.type_name(expr.type)
            return self._apply(self._dialect.splat[expr.type], (expr.operand,))
        return self._apply_by_component(
            f"gpucore_splat_{expr.type}", (expr.operand,), expr.type, lambda parts: parts[0]
        )

    def _extract(self, expr: Extract) -> Term:
        assert isinstance(expr.vector.type, VectorType)
        template = self._dialect.extract.get(expr.vector.type, "{0}.{component}")
        return Term(template.format(self.term(expr.vector).at(PRIMARY), component=_COMPONENTS[expr.index]))

    def _vector_operator(
        self, op: BinaryOp | UnaryOp, operands: tuple[Expr, ...], result: VectorType, symbol: str
    ) -> Term:
        type = operands[0].type
        assert isinstance(type, VectorType)
        own = self._dialect.vector_operators
        if op in WRAPPING and type.element.is_signed:
            unsigned = with_scalar(type, unsigned_type(type.element))
            if (op, unsigned) in own:
                terms = [self._bitcast(Bitcast(operand, unsigned)) for operand in operands]
                text = _operator(symbol, terms).text
                return self._any_bitcast(text, unsigned, type)
        elif (op, type) in own:
            return _operator(symbol, [self.term(operand) for operand in operands])
        element = result.element

        def part(parts: Sequence[Expr]) -> Expr:
            if isinstance(op, UnaryOp):
                return Unary(op, parts[0], element)
            return Binary(op, parts[0], parts[1], element)

        overloads = self._dialect.operator_overloading and symbol not in ("&&", "||", "")
        name = f"operator{symbol}" if overloads else f"gpucore_{op.value}_{type}"
        return self._apply_by_component(name, operands, result, part)

    def _apply_by_component(
        self, name: str, args: tuple[Expr, ...], result: VectorType, part: Callable[[Sequence[Expr]], Expr]
    ) -> Term:
        """A helper that applies `part` to each component. Scalar arguments are used for every component."""

        def body(arguments: Sequence[Expr]) -> Expr:
            return Construct(
                tuple(part([_component(argument, index) for argument in arguments]) for index in range(result.width)),
                result,
            )

        return self._helper(name, args, result, body)

    # ------------------------------------------------------------ helper functions

    def _apply(self, template: str, args: Sequence[Expr]) -> Term:
        return Term(template.format(*(self.text(argument) for argument in args)))

    def _helper(
        self, name: str, args: tuple[Expr, ...], result: Type, body: str | Callable[[Sequence[Expr]], Expr]
    ) -> Term:
        """A call of a helper function. The function is defined at its first use."""
        parameter_types = tuple(self.type_name(argument.type) for argument in args)
        if not self._helpers.has(name, parameter_types):
            text = body if isinstance(body, str) else self._helper_body(args, body)
            self._helpers.define(self.type_name(result), name, parameter_types, text)
        terms = [self.term(argument) for argument in args]
        if name.startswith("operator"):
            return _operator(name.removeprefix("operator"), terms)
        return Term(f"{name}({', '.join(term.text for term in terms)})")

    def _helper_body(self, args: tuple[Expr, ...], body: Callable[[Sequence[Expr]], Expr]) -> str:
        names = Names(self._dialect.names_in_use)
        inner = Expressions(self._dialect, names, self._helpers, None, self._kernel, self._workgroup_size)
        inner.span = self.span
        arguments = [
            Value(index, letter, arg.type) for index, (arg, letter) in enumerate(zip(args, "abcd", strict=False))
        ]
        for argument in arguments:
            inner.value_name(argument)
        return f"return {inner.text(body(arguments))};"

    def _entry(self, table: Mapping[Key, str], key: Key, what: str) -> str:
        """An entry of one of the dialect's tables. Raises EmitError where it has none."""
        text = table.get(key)
        if text is None:
            raise self.missing(what)
        return text

    def missing(self, what: str) -> EmitError:
        """The error for what the dialect does not have."""
        language = self._dialect.name
        error = EmitError(
            "GP601",
            f"the {language} backend cannot express {what}, which {self._kernel} needs",
            self.span,
            why=f"its table of {language} has no entry for that",
            fix="run the kernel on another device",
        )
        error.what = what
        return error


def _operator(symbol: str, terms: Sequence[Term]) -> Term:
    return prefix(symbol, terms[0]) if len(terms) == 1 else infix(terms[0], symbol, terms[1])


def _component(argument: Expr, index: int) -> Expr:
    if isinstance(argument.type, VectorType):
        return Extract(argument, index, argument.type.element)
    return argument


def _zero(type: ScalarType) -> Constant:
    return Constant(0.0 if type.is_float else 0, type)


def _computed_in(expr: Call, wide: ScalarType) -> Expr:
    """The call on arguments of a wider type, with the result narrowed again."""
    narrow = expr.args[0].type
    args = tuple(Convert(arg, wide) if arg.type == narrow else arg for arg in expr.args)
    if expr.type == BOOL:
        return Call(expr.op, args, BOOL)
    return Convert(Call(expr.op, args, wide), expr.type)
