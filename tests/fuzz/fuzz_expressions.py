"""Random expressions as text. Each is well defined by the numeric contract, so that devices must agree on it."""

from __future__ import annotations

from drawing import Choices
from fuzz_kinds import (
    FLOAT_FORMS,
    FLOATS,
    GENERIC,
    GENERIC_FORMS,
    INTEGER_FORMS,
    INTEGERS,
    SIGNED,
    SMALL,
    SMALL_LITERALS,
    UNSIGNED,
    WILD,
    WILD64,
    Helper,
    Readable,
    Variable,
    element_of,
    integer_functions,
    lanes_of,
    literals_of,
)

_ARITHMETIC = ("+", "-", "*", "&", "|", "^", "//", "%", "<<", ">>", "+", "-", "*", "//", "%")
COMPARISONS = ("<", "==", "!=", "<=", ">", ">=")
ROUNDINGS = ("floor", "ceil", "trunc", "round")


class Expressions:
    """Writes expressions over what is in scope."""

    def __init__(self, choices: Choices, kinds: tuple[str, ...]) -> None:
        self.choices = choices
        self.kinds = kinds  # scalar kinds that the program may use
        self.variables: list[Variable] = []
        self.weak: list[tuple[str, int]] = []  # compile-time whole numbers and the greatest value of each, from 0
        self.readable: list[Readable] = []
        self.own: list[tuple[str, str]] = []  # elements that only this invocation writes, and their kinds
        self.helpers: list[Helper] = []
        self.builtins: tuple[str, ...] = ()  # i32
        self.is_homogeneous = False  # inside a generic helper: one integer kind, and literals that fit all

    # ---------------------------------------------------------------- any kind

    def value(self, kind: str, depth: int) -> str:
        """A typed expression of `kind`."""
        if lanes_of(kind) > 1:
            return self.vector(kind, depth)[0]
        if kind == "bool":
            return self.truth(depth)
        if kind == WILD:
            return self.wild(depth)
        if kind == WILD64:
            return self.wild64(depth)
        if kind in FLOATS:
            return self.whole_float(kind, depth)[0]
        return self.integer(kind, depth)

    def stored(self, kind: str, depth: int) -> str:
        """As `value`, and small enough to be kept in a variable: floats may not grow in loops."""
        element = element_of(kind)
        if element not in FLOATS:
            return self.value(kind, depth)
        most = FLOATS[element][0]
        text, bound = self.vector(kind, depth) if lanes_of(kind) > 1 else self.whole_float(kind, depth)
        if bound <= most:
            return text
        if lanes_of(kind) > 1:
            return f"gp.clamp({text}, gp.{kind}(-{most}.0), gp.{kind}({most}.0))"
        return f"gp.clamp({text}, -{most}.0, {most}.0)"

    def _named(self, kind: str) -> list[str]:
        found = [v.name for v in self.variables if v.kind == kind]
        return found + [text for text, of in self.own if of == kind]

    # ---------------------------------------------------------------- integers

    def integer(self, kind: str, depth: int) -> str:
        if depth <= 0 or self.choices.chance(20):
            return self._integer_leaf(kind)
        form = self.choices.weighted(GENERIC_FORMS if self.is_homogeneous else INTEGER_FORMS)
        return str(getattr(self, f"_integer_{form}")(kind, depth - 1))

    def _integer_leaf(self, kind: str) -> str:
        names = self._named(kind)
        if not self.is_homogeneous:
            names += [self.load(array) for array in self._arrays(kind)]
            names += [f"gp.{kind}({self.load(array)})" for array in self.readable if array.kind in SMALL]
            if kind == "i32":
                names += self.builtins
        if names and not self.choices.chance(15):
            return self.choices.one_of(names)
        if self.is_homogeneous:
            return self.choices.one_of(names)
        return f"gp.{kind}({self.choices.one_of(literals_of(kind))})"

    def literal(self, kind: str) -> str:
        """A weak number that fits `kind`."""
        if self.weak and self.choices.chance(30):
            return self.choices.one_of(self.weak)[0]
        return str(self.choices.one_of(SMALL_LITERALS if self.is_homogeneous else literals_of(kind)))

    def _pair(self, kind: str, depth: int) -> tuple[str, str]:
        """Two operands, of which one may be a literal."""
        which = self.choices.below(5)
        left = self.literal(kind) if which == 4 else self.integer(kind, depth)
        right = self.literal(kind) if which in (2, 3) else self.integer(kind, depth)
        return left, right

    def _integer_binary(self, kind: str, depth: int) -> str:
        operator = self.choices.one_of(_ARITHMETIC)
        if operator in ("<<", ">>"):
            count = str(self.choices.one_of((1, 0, 5, 31, 32, 33, 63, 64, 100)))
            right = count if self.choices.chance(50) else self.integer(kind, depth)
            return f"({self.integer(kind, depth)} {operator} {right})"
        left, right = self._pair(kind, depth)
        return f"({left} {operator} {right})"

    def _integer_unary(self, kind: str, depth: int) -> str:
        return f"({self.choices.one_of('-~')}{self.integer(kind, depth)})"

    def _integer_function(self, kind: str, depth: int) -> str:
        return f"{self.choices.one_of(('abs', *integer_functions(1)))}({self.integer(kind, depth)})"

    def _integer_function2(self, kind: str, depth: int) -> str:
        if kind in ("i32", "u32") and not self.is_homogeneous and self.choices.chance(15):
            name = "gp.dot4_u8_packed" if kind == "u32" else "gp.dot4_i8_packed"
            return f"{name}({self.integer('u32', depth)}, {self.integer('u32', depth)})"
        name = self.choices.one_of(("min", "max", "gp.div_trunc", "gp.rem", *integer_functions(2)))
        if name in ("gp.rotate_left", "gp.rotate_right"):
            return f"{name}({self.integer(kind, depth)}, {self.choices.one_of((1, 0, 5, 31, 32, 63, 100))})"
        left, right = self._pair(kind, depth)
        return f"{name}({left}, {right})"

    def _integer_clamp(self, kind: str, depth: int) -> str:
        low, high = self._pair(kind, depth)
        return f"gp.clamp({self.integer(kind, depth)}, {low}, {high})"

    def _integer_power(self, kind: str, depth: int) -> str:
        return f"({self.integer(kind, depth)} ** {self.choices.one_of((2, 0, 1, 3, 5, 16))})"

    def _arms(self, kind: str, depth: int) -> tuple[str, str]:
        """Two typed values: a condition known at compile time leaves one of them, and a literal would be i32."""
        return self.integer(kind, depth), self.integer(kind, depth)

    def _integer_select(self, kind: str, depth: int) -> str:
        left, right = self._arms(kind, depth)
        return f"gp.select({self.truth(depth)}, {left}, {right})"

    def _integer_conditional(self, kind: str, depth: int) -> str:
        left, right = self._arms(kind, depth)
        return f"({left} if {self.truth(depth)} else {right})"

    def _integer_convert(self, kind: str, depth: int) -> str:
        source = self.choices.one_of([one for one in (*self.kinds, "bool") if one != kind and one != "f16"])
        return f"gp.{kind}({self.value(source, depth)})"

    def _integer_bitcast(self, kind: str, depth: int) -> str:
        other = {"i32": "u32", "u32": "i32", "i64": "u64", "u64": "i64"}[kind]
        if INTEGERS[kind] == 32 and self.choices.chance(40):
            return f"gp.bitcast(gp.{kind}, {self._wild_leaf()})"
        return f"gp.bitcast(gp.{kind}, {self.integer(other, depth)})"

    def _integer_saturate(self, kind: str, depth: int) -> str:
        return f"gp.{kind}({self._wild_result(depth)})"

    def _integer_component(self, kind: str, depth: int) -> str:
        if INTEGERS[kind] == 64:
            return self._integer_convert(kind, depth)
        vector = self.choices.one_of([f"{kind}x4", f"{kind}x3", f"{kind}x2"])
        if self.choices.chance(15):
            return f"gp.dot({self.vector(vector, depth)[0]}, {self.vector(vector, depth)[0]})"
        text = self.vector(vector, depth)[0]
        if self.choices.chance(30):
            return f"{text}[{self.index(Readable('', kind, (lanes_of(vector),), is_buffer=False), 0)}]"
        return f"{text}.{'xyzw'[self.choices.below(lanes_of(vector))]}"

    def _integer_call(self, kind: str, depth: int) -> str:
        fitting = [h for h in self.helpers if len(h.results) == 1 and h.results[0] in (kind, GENERIC)]
        if not fitting:
            return self._integer_binary(kind, depth)
        return self.call(self.choices.one_of(fitting), kind, depth)

    def call(self, helper: Helper, generic: str, depth: int) -> str:
        given = [self.value(generic if one == GENERIC else one, min(depth, 1)) for one in helper.parameters]
        if helper.passes_array:
            given.insert(0, "x")
        return f"{helper.name}({', '.join(given)})"

    # ---------------------------------------------------------------- memory

    def _arrays(self, kind: str) -> list[Readable]:
        return [array for array in self.readable if array.kind == kind]

    def load(self, array: Readable) -> str:
        return f"{array.name}[{', '.join(self.index(array, axis) for axis in range(len(array.lengths)))}]"

    def index(self, array: Readable, axis: int) -> str:
        """An index in range, whatever its parts are."""
        length = array.lengths[axis]
        form = self.choices.below(6)
        if form == 0:
            return str(self.choices.below(length))
        names = [v.name for v in self.variables if v.kind in ("i32", "u32")]
        part = self.choices.one_of([*self.builtins, *names] or ["1"])
        kind = "u32" if any(v.name == part and v.kind == "u32" for v in self.variables) else "i32"
        if form == 1 and kind == "i32" and array.is_buffer:
            return f"{part} % {array.name}.{'size' if len(array.lengths) == 1 else f'shape[{axis}]'}"
        if form == 2:
            return f"gp.clamp({part}, 0, {length - 1})"
        if form == 3 and self.choices.chance(50):
            part = f"({part} {self.choices.one_of('+*^')} {self.choices.one_of((1, 3, 5))})"
        if length & (length - 1) == 0:
            return f"{part} & {length - 1}"
        return f"{part} % {length}"

    # ---------------------------------------------------------------- truth

    def truth(self, depth: int) -> str:
        names = self._named("bool")
        if depth <= 0 or self.choices.chance(15):
            if names and self.choices.chance(50):
                return self.choices.one_of(names)
            return self._compare(0)
        form = self.choices.weighted(_GENERIC_TRUTHS if self.is_homogeneous else _TRUTHS)
        return str(getattr(self, f"_truth_{form}")(depth - 1))

    def _compare(self, depth: int) -> str:
        kind = self._scalar()
        operator = self.choices.one_of(COMPARISONS)
        if kind in FLOATS:
            return f"({self.value(kind, depth)} {operator} {self.value(kind, depth)})"
        left, right = self._pair(kind, depth)
        return f"({left} {operator} {right})"

    def _scalar(self) -> str:
        if self.is_homogeneous:
            return GENERIC
        return self.choices.one_of(self.kinds)

    def _truth_compare(self, depth: int) -> str:
        return self._compare(depth)

    def _truth_chain(self, depth: int) -> str:
        kind = self._scalar()
        one, two, three = (self.value(kind, depth) for _ in range(3))
        first, second = self.choices.one_of(COMPARISONS), self.choices.one_of(COMPARISONS)
        return f"({one} {first} {two} {second} {three})"

    def _truth_not(self, depth: int) -> str:
        return f"(not {self.truth(depth)})"

    def _truth_both(self, depth: int) -> str:
        return (
            f"({self.truth(depth)} {self.choices.one_of(('and', 'or', '&', '|', '^', '==', '!='))} {self.truth(depth)})"
        )

    def _truth_choice(self, depth: int) -> str:
        return f"({self.truth(depth)} if {self.truth(depth)} else {self.truth(depth)})"

    def _truth_convert(self, depth: int) -> str:
        return f"gp.bool({self.value(self._scalar(), depth)})"

    def _truth_wild(self, depth: int) -> str:
        form = self.choices.below(4)
        if form == 0:
            return f"gp.isnan({self._wild_result(depth)})"
        if form == 1:
            return f"gp.isinf({self.wild(depth)})"
        return f"({self.wild(depth)} {self.choices.one_of(COMPARISONS)} {self.wild(depth)})"

    # ---------------------------------------------------------------- floats that are whole numbers

    def whole_float(self, kind: str, depth: int) -> tuple[str, int]:
        """A float expression whose value is a whole number, and the greatest magnitude that it may have."""
        most, limit = FLOATS[kind]
        if depth <= 0 or self.choices.chance(25):
            return self._float_leaf(kind)
        form = self.choices.weighted(FLOAT_FORMS)
        text, bound = getattr(self, f"_float_{form}")(kind, depth - 1)
        return (text, bound) if bound <= limit else (f"gp.clamp({text}, -{most}.0, {most}.0)", most)

    def _float_leaf(self, kind: str) -> tuple[str, int]:
        names = self._named(kind) + [self.load(array) for array in self._arrays(kind)]
        if names and not self.choices.chance(20):
            return self.choices.one_of(names), FLOATS[kind][0]
        if self.choices.chance(30):
            return f"gp.{kind}({self.integer(self.choices.one_of(('i32', 'u32')), 0)} & 7)", 7
        return f"gp.{kind}({self.choices.one_of((1.0, 0.0, -1.0, 2.0, -3.0, 5.0))})", 5

    def _float_binary(self, kind: str, depth: int) -> tuple[str, int]:
        (left, a), (right, b) = self.whole_float(kind, depth), self.whole_float(kind, depth)
        operator = self.choices.one_of("+-*")
        if operator == "*" and a * b > FLOATS[kind][1]:
            operator = "-"
        return f"({left} {operator} {right})", a * b if operator == "*" else a + b

    def _float_literal(self, kind: str, depth: int) -> tuple[str, int]:
        text, bound = self.whole_float(kind, depth)
        number = self.choices.one_of((2, 1, 0, 3, -1))
        return (
            f"({text} {self.choices.one_of('+-*')} {self.choices.one_of((f'{number}.0', str(number)))})",
            3 * bound + 3,
        )

    def _float_negative(self, kind: str, depth: int) -> tuple[str, int]:
        text, bound = self.whole_float(kind, depth)
        sign = f"{self._float_leaf(kind)[0]} + 0.5"  # no zero, of whose sign drivers are not sure
        forms = (f"(-{text})", f"gp.abs({text})", f"gp.copysign({text}, {sign})", f"gp.ldexp({text}, 1)")
        return self.choices.one_of(forms), 2 * bound

    def _float_sign(self, kind: str, depth: int) -> tuple[str, int]:
        text, _ = self.whole_float(kind, depth)
        return self.choices.one_of((f"gp.sign({text})", f"gp.step({text}, {self._float_leaf(kind)[0]})")), 1

    def _float_pair(self, kind: str, depth: int) -> tuple[str, int]:
        (left, a), (right, b) = self.whole_float(kind, depth), self.whole_float(kind, depth)
        forms = ("gp.min({0}, {1})", "gp.max({0}, {1})", "({0} if {2} else {1})", "gp.select({2}, {0}, {1})")
        form = self.choices.one_of((*forms, f"gp.mix({{0}}, {{1}}, gp.{kind}({{2}}))"))
        return form.format(left, right, self.truth(depth)), max(a, b)

    def _float_round(self, kind: str, depth: int) -> tuple[str, int]:
        text, bound = self.whole_float(kind, depth)
        if self.choices.chance(20):
            return f"(gp.fract({text} * 0.25) * 4.0)", 3
        return (
            f"gp.{self.choices.one_of(ROUNDINGS)}({text} * {self.choices.one_of(('0.5', '0.25', '1.5'))})",
            2 * bound + 1,
        )

    def _float_fma(self, kind: str, depth: int) -> tuple[str, int]:
        (x, a), (y, b) = self._float_leaf(kind), self._float_leaf(kind)
        z, c = self.whole_float(kind, depth)
        return f"gp.fma({x}, {y}, {z})", a * b + c

    def _float_convert(self, kind: str, depth: int) -> tuple[str, int]:
        others = [one for one in FLOATS if one in self.kinds and one != kind]
        if not others or self.choices.chance(50):
            return f"gp.{kind}({self.truth(depth)})", 1
        other = self.choices.one_of(others)
        text, bound = self.whole_float(other, depth)
        if bound > FLOATS[kind][1]:
            most = FLOATS[kind][0]
            return f"gp.{kind}(gp.clamp({text}, -{most}.0, {most}.0))", most
        return f"gp.{kind}({text})", bound

    def _float_component(self, kind: str, depth: int) -> tuple[str, int]:
        if kind != "f32":
            return self._float_binary(kind, depth)
        vector = self.choices.one_of(("f32x4", "f32x3", "f32x2"))
        text, bound = self.vector(vector, depth)
        return f"{text}.{self.choices.one_of('xyzw'[: int(vector[-1])])}", bound

    def _float_call(self, kind: str, depth: int) -> tuple[str, int]:
        fitting = [h for h in self.helpers if h.results == (kind,)]
        if not fitting:
            return self._float_binary(kind, depth)
        return self.call(self.choices.one_of(fitting), "i32", depth), FLOATS[kind][0]

    # ---------------------------------------------------------------- any f32

    def _wild_leaf(self) -> str:
        """An f32 of any bits, unchanged since it was loaded."""
        names = self._named(WILD) + [self.load(array) for array in self._arrays(WILD)]
        return self.choices.one_of(names) if names else "gp.f32(2.5)"

    def wild(self, depth: int) -> str:
        """An f32 that may be infinite or NaN, or a rounded integer; no subnormal, which devices may flush."""
        form = self.choices.below(8) if depth > 0 else self.choices.below(2)
        if form in (0, 1, 2):
            return self._wild_leaf()
        if form == 3:
            return f"({self._wild_leaf()} if {self.truth(depth - 1)} else {self._wild_leaf()})"
        if form == 4:
            return f"gp.f32({self.integer(self.choices.one_of([k for k in self.kinds if k in INTEGERS]), depth - 1)})"
        if form == 5:
            return f"gp.{self.choices.one_of(('min', 'max'))}({self._wild_leaf()}, {self._wild_leaf()})"
        if form == 6:
            return f"gp.{self.choices.one_of((*ROUNDINGS, 'abs', 'sign'))}({self._wild_leaf()})"
        return f"gp.clamp({self._wild_leaf()}, -2.5, 100.0)"

    def _wild_result(self, depth: int) -> str:
        """At most one operation that rounds."""
        form = self.choices.below(4)
        if form == 0:
            return self.wild(depth)
        if form == 1:
            return f"({self._wild_leaf()} {self.choices.one_of('+-*')} {self._wild_leaf()})"
        if form == 2:
            return f"(-{self.wild(depth)})"
        return f"gp.bitcast(gp.f32, {self.integer(self.choices.one_of(('i32', 'u32')), depth)})"

    # ---------------------------------------------------------------- vectors

    def vector(self, kind: str, depth: int) -> tuple[str, int]:
        """A vector expression, and the greatest magnitude of a component of floats."""
        element, lanes = element_of(kind), lanes_of(kind)
        limit = FLOATS[element][1] if element in FLOATS else 0
        names = self._named(kind) + [self.load(array) for array in self._arrays(kind)]
        if names and (depth <= 0 or self.choices.chance(25)):
            return self.choices.one_of(names), FLOATS[element][0] if limit else 0
        if depth <= 0:
            return f"gp.{kind}({self._component_leaf(element)[0]})", FLOATS[element][0] if limit else 0
        form = self.choices.one_of(
            ("construct", "construct", "arithmetic", "arithmetic", "swizzle", "choose", "convert", "load")
        )
        text, bound = getattr(self, f"_vector_{form}")(kind, element, lanes, depth - 1)
        if limit and bound > limit:
            most = FLOATS[element][0]
            return f"gp.clamp({text}, gp.{kind}(-{most}.0), gp.{kind}({most}.0))", most
        return text, bound

    def _component_leaf(self, element: str) -> tuple[str, int]:
        return self._float_leaf(element) if element in FLOATS else (self._integer_leaf(element), 0)

    def _component(self, element: str, depth: int) -> tuple[str, int]:
        return self.whole_float(element, depth) if element in FLOATS else (self.integer(element, depth), 0)

    def _vector_construct(self, kind: str, element: str, lanes: int, depth: int) -> tuple[str, int]:
        form = self.choices.below(3)
        if form == 0 or (form == 1 and lanes == 2):
            text, bound = self._component(element, depth)
            return f"gp.{kind}({text})", bound
        if form == 1:
            width = self.choices.below(lanes - 2) + 2
            part, bound = self.vector(f"{element}x{width}", depth)
            rest = [self._component_leaf(element) for _ in range(lanes - width)]
            bound = max(bound, *(most for _, most in rest))
            return f"gp.{kind}({part}, {', '.join(text for text, _ in rest)})", bound
        parts = [self._component(element, depth if position == 0 else 0) for position in range(lanes)]
        return f"gp.{kind}({', '.join(text for text, _ in parts)})", max(bound for _, bound in parts)

    def _vector_arithmetic(self, kind: str, element: str, lanes: int, depth: int) -> tuple[str, int]:
        left, a = self.vector(kind, depth)
        right, b = self.vector(kind, depth) if self.choices.chance(60) else self._component(element, depth)
        if element in FLOATS:
            operator = self.choices.one_of("+-*")
            if operator == "*" and a * b > FLOATS[element][1]:
                operator = "+"
            return f"({left} {operator} {right})", a * b if operator == "*" else a + b
        if self.choices.chance(30):
            name = self.choices.one_of(
                ("gp.min", "gp.max", "gp.abs", "gp.popcount", "gp.reverse_bits", "-", "~", "gp.clz")
            )
            if name in ("gp.min", "gp.max"):
                return f"{name}({left}, {self.vector(kind, depth)[0]})", 0
            return f"({name}{left})" if name in "-~" else f"{name}({left})", 0
        return f"({left} {self.choices.one_of(_ARITHMETIC)} {right})", 0

    def _vector_load(self, kind: str, element: str, lanes: int, depth: int) -> tuple[str, int]:
        """Of neighbouring elements of an array of numbers, or of its row."""
        arrays = [array for array in self._arrays(element) if len(array.lengths) <= 2 and array.lengths[-1] >= lanes]
        if not arrays:
            return self._vector_swizzle(kind, element, lanes, depth)
        array = self.choices.one_of(arrays)
        starts = Readable("", element, (array.lengths[-1] - lanes + 1,), is_buffer=False)
        row = f"[{self.index(array, 0)}]" if len(array.lengths) > 1 else ""
        bound = FLOATS[element][0] if element in FLOATS else 0
        return f"gp.vload({array.name}{row}, {self.index(starts, 0)}, {lanes})", bound

    def _vector_swizzle(self, kind: str, element: str, lanes: int, depth: int) -> tuple[str, int]:
        source = self.choices.one_of((4, 3, 2))
        text, bound = self.vector(f"{element}x{source}", depth)
        return f"{text}.{''.join(self.choices.one_of('xyzw'[:source]) for _ in range(lanes))}", bound

    def _vector_choose(self, kind: str, element: str, lanes: int, depth: int) -> tuple[str, int]:
        (left, a), (right, b) = self.vector(kind, depth), self.vector(kind, depth)
        if self.choices.chance(50):
            return f"gp.select({self.truth(depth)}, {left}, {right})", max(a, b)
        return f"({left} if {self.truth(depth)} else {right})", max(a, b)

    def _vector_convert(self, kind: str, element: str, lanes: int, depth: int) -> tuple[str, int]:
        others = {"i32": ("u32", "f32"), "u32": ("i32", "f32"), "f32": ("i32", "u32")}[element]
        other = self.choices.one_of(others)
        text = self.vector(f"{other}x{lanes}", depth)[0]
        if element == "f32":
            return f"gp.{kind}({text} & 7)", 7
        if other != "f32" and self.choices.chance(50):
            return f"gp.bitcast(gp.{kind}, {text})", 0
        return f"gp.{kind}({text})", 0


_TRUTHS = (
    (4, "compare"), (4, "constant"), (2, "chain"), (2, "not"), (5, "both"), (1, "choice"), (1, "convert"), (3, "wild"),
)  # fmt: skip
_GENERIC_TRUTHS = ((4, "compare"), (4, "constant"), (2, "chain"), (2, "not"), (3, "both"))

__all__ = [
    "COMPARISONS", "FLOAT_FORMS", "GENERIC_FORMS", "INTEGER_FORMS", "ROUNDINGS", "SIGNED", "UNSIGNED", "Expressions",
]  # fmt: skip
