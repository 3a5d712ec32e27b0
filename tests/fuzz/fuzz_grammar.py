"""Random kernels: helpers, a struct, globals, arguments with edge values, and a body."""

from __future__ import annotations

import re
from typing import Any

import fuzz_matches
import fuzz_structs
import numpy as np
from drawing import Choices
from fuzz_extras import Arguments, Body, Extras
from fuzz_kinds import (
    FLOATS,
    GENERIC,
    INTEGERS,
    LENGTH,
    NUMPY,
    SMALL,
    THIRDS,
    WILD,
    WILD64,
    Helper,
    Readable,
    Shape,
    Variable,
    edges,
    element_of,
    lanes_of,
)
from fuzz_program import Host, Program, Tolerance
from fuzz_statements import ATOMICS, SLOTS

import gpucore as gp
from gpucore.testing.bounds import FUNCTION_CASES, FunctionCase, draw

HEAD = """from __future__ import annotations

import enum
from typing import TypeVar

import numpy as np

import gpucore as gp

ZERO, ONE, TOP = 0, 1, 31
PAIR = (3, (7, 2))
TYPED = np.int32(-7)
T = TypeVar("T", gp.i32, gp.u32, gp.f32)


"""
HEAD += f"{fuzz_matches.TEXT}\n\n{fuzz_structs.TEXT}\n\n"

_OUTPUTS = {"i32": "y", "u32": "o", "f32": "z", "i64": "yl", "u64": "ol", "f64": "zd", "f16": "zh"}
_INPUTS = {"i32": "x", "u32": "u", "f32": "s", "i64": "xl", "u64": "ul", "f64": "sd", "f16": "sh"}
_NEEDS = {"i64": gp.Capability.INT64, "f64": gp.Capability.F64, "f16": gp.Capability.F16}
_WEAK = (("ZERO", 0), ("ONE", 1), ("TOP", 31), ("PAIR[0]", 3), ("PAIR[1][0]", 7), ("gp.static(TOP - 3)", 28))
_METHOD = Helper("part.mixed", ("i32",), ("i32",))


class Writer:
    """Draws one program."""

    def __init__(self, choices: Choices, capabilities: frozenset[gp.Capability]) -> None:
        self.choices = choices
        self.capabilities = frozenset[gp.Capability]()
        self.kinds: tuple[str, ...] = ("i32", "u32", "f32")
        extra = choices.weighted(
            (
                (10, ()),
                (4, ("i64", "u64")),
                (2, ("f64",)),
                (1, ("f16",)),
                (1, ("i64", "f64")),
                (2, ("i64", "u64", "f64")),
            )
        )
        needs = frozenset(_NEEDS[kind] for kind in extra if kind in _NEEDS)
        if needs <= capabilities:
            self.kinds += extra
            self.capabilities = needs
        self.small = choices.chance(15)
        arrays = 2 * len(self.kinds) + 10 + 8 * self.small + 2 * ("f64" in self.kinds)
        self.extras = Extras(choices, self.kinds, capabilities, arrays)
        if self.extras.has_wide_counters:
            self.capabilities |= {gp.Capability.ATOMIC_INT64}
        if self.extras.are_apart:
            self.capabilities |= {gp.Capability.SUBGROUP}
        self.is_debugged = choices.chance(10)  # which takes four times as long: these have fewer statements
        self.parts: list[str] = []
        self.helpers: list[Helper] = []
        self.function: FunctionCase = choices.one_of(FUNCTION_CASES)

    def program(self) -> Program:
        size = self.choices.one_of(((4,), (8,), (1,), (4, 2), (3,), (16,), (2, 2, 2), (5,), (12,), (17,)))
        shape = Shape(size, 1 + self.choices.below(3))
        for number in range(self.choices.below(2 if self.is_debugged else 4)):
            self.helper(number)
        body = self.body(shape)
        made = self.arguments(shape)
        used = [name for name in made.annotations if _is_used(name, body.lines)]
        if any(re.search(r"\bT\b", line) for line in body.lines) and "ta" not in used:
            used.append("ta")  # a type variable is that of a parameter
        given = ", ".join(f"{name}: {made.annotations[name]}" for name in used)
        has_mode = any(re.search(r"\bmode\b", line) for line in body.lines)
        text = [f"@gp.kernel(workgroup_size={size if len(size) > 1 else size[0]})"]
        mode = "mode: Mode, " if has_mode else ""
        text.append(f"def k({given}, part: Part, {mode}q: gp.Const[int], n: gp.i32, m: gp.i32):")
        self.parts.append("\n".join([*text, *body.lines]))
        scalars = {
            "n": self.choices.one_of((2, 0, 1, 3, 7)),
            "m": self.choices.one_of((1, 0, -1, 4, -(2**31), 2**31 - 1)),
        }
        fields = {"whole": self._edge("i32"), "bits": self._edge("u32"), "real": float(self.choices.below(8))}
        approximate = {"r": Tolerance(self.function.max_ulp, self.function.absolute)} if "r" in used else {}
        return Program(
            HEAD + "\n\n\n".join(self.parts) + "\n", {name: made.arrays[name] for name in used},
            {name: width for name, width in made.widths.items() if name in used},
            tuple(name for name in used if "Out[" in made.annotations[name]), scalars, {"part": ("Part", fields)},
            {"q": self.constant}, (shape.groups,), self.capabilities, approximate,
            {name: struct for name, struct in made.classes.items() if name in used},
            {"mode": ("Mode", self.extras.mode)} if has_mode else {}, self.is_debugged,
        )  # fmt: skip

    # ---------------------------------------------------------------- functions

    def helper(self, number: int) -> None:
        is_generic = self.choices.chance(25)
        kinds: tuple[str, ...] = (GENERIC,) if is_generic else self.kinds
        writer = Body(self.choices, kinds, 5)
        writer.is_homogeneous = is_generic
        count = 1 + self.choices.below(3)
        allowed = (
            (GENERIC,) if is_generic else (*kinds, "bool", "i32x4", *self.choices.one_of(((), fuzz_structs.FIELDS)))
        )
        parameters = tuple(self.choices.one_of(allowed) for _ in range(count))
        result = self.choices.one_of((GENERIC,) if is_generic else (*kinds, "i32", "u32"))
        results = (result, self.choices.one_of(allowed)) if self.choices.chance(25) else (result,)
        passes = not is_generic and self.choices.chance(40)
        helper = Helper(f"helper{number}", parameters, results, passes)
        names = [f"a{position}" for position in range(count)]
        writer.variables = [Variable(name, kind) for name, kind in zip(names, parameters, strict=True)]
        writer.results = results
        writer.weak = list(_WEAK[:3])
        if passes:
            writer.readable.append(Readable("x", "i32", (LENGTH,)))
        if not is_generic:
            writer.helpers = [one for one in self.helpers if not one.passes_array or passes]
        given = ", ".join((["x"] if passes else []) + names)
        head = f"def {helper.name}({given}):"
        for _ in range(1 + self.choices.below(3)):
            writer.statement()
        writer.line(f"return {', '.join(writer.stored(kind, 2) for kind in results)}")
        self.parts.append("\n".join([head, *writer.lines]))
        self.helpers.append(helper)

    def body(self, shape: Shape) -> Body:
        writer = Body(self.choices, self.kinds, 8 if self.is_debugged else 15)
        writer.line("t, g = gp.local_index(), gp.workgroup_id(0)")
        writer.line(f"i = g * {shape.of_workgroup} + t")
        self.constant = self.choices.below(4)
        writer.helpers = [*self.helpers, _METHOD]
        writer.weak = [*_WEAK, ("q", self.constant)]
        writer.builtins = ("i", "t", "n", "m", "gp.local_id(0)", "gp.num_workgroups(0)")
        writer.variables = [Variable("part", "Part", False), Variable("TYPED", "i32", False)]
        writer.uniform_names = ["n", "g", "m"]
        writer.is_uniform, writer.invocations = True, shape.of_workgroup
        writer.readable = [Readable(_INPUTS[kind], kind, (LENGTH,)) for kind in self.kinds]
        writer.readable += [Readable("f", WILD, (LENGTH,)), Readable("h", "i32", (3, 5))]
        writer.readable += [Readable("vi", "i32x4", (LENGTH // 4,)), Readable("vf", "f32x2", (LENGTH // 2,))]
        writer.readable.append(Readable("vt", "i32x3", (THIRDS,)))
        writer.own = [(f"{_OUTPUTS[kind]}[i]", kind) for kind in self.kinds] + [("w[i]", "u32x2")]
        if "f64" in self.kinds:
            writer.readable.append(Readable("fd", WILD64, (LENGTH,)))
            writer.own.append(("zw[i]", WILD64))
        if self.small:
            writer.readable += [Readable(f"b{kind}", kind, (LENGTH,)) for kind in SMALL]
            writer.own += [(f"c{kind}[i]", kind) for kind in SMALL]
        writer.counters = [("ci", "i32"), ("cu", "u32")]
        self.extras.bring(writer)
        for _ in range(1 + self.choices.below(3) if self.is_debugged else 2 + self.choices.below(6)):
            writer.statement()
            if self.choices.chance(6):
                self.approximate(writer)
        self.observe(writer)
        for kind in ("i64", "u64", WILD64):  # few programs have them, and branches would skip what they compute
            if kind in self.kinds or (kind == WILD64 and "f64" in self.kinds):
                writer.store_comparisons(kind)
        return writer

    def approximate(self, writer: Body) -> None:
        """A function that devices compute approximately: its result is stored and not used."""
        arrays = [Readable(name, "f32", (LENGTH,)) for name in ("fa", "fb")[: len(self.function.domains)]]
        call = f"gp.{self.function.name}({', '.join(writer.load(array) for array in arrays)})"
        writer.line(f"r[i] = {call} if {writer.truth(1)} else gp.f32(1.0)")

    def observe(self, writer: Body) -> None:
        """What the variables hold at the end goes to the outputs."""
        for variable in writer.variables:
            if not variable.is_assignable or variable.kind in (WILD, WILD64):
                continue
            if variable.kind in fuzz_structs.FIELDS:
                writer.line(f"y[i] = y[i] * 31 + ({fuzz_structs.digest(variable.name, variable.kind)})")
            else:
                self._observe(writer, variable.name, variable.kind)
        writer.line("y[i] ^= i")

    def _observe(self, writer: Body, name: str, vector: str) -> None:
        kind = element_of(vector)
        parts = [f"{name}.{'xyzw'[j]}" for j in range(lanes_of(vector))]
        for part in parts if len(parts) > 1 else [name]:
            if kind in INTEGERS:
                writer.line(f"{_OUTPUTS[kind]}[i] = {_OUTPUTS[kind]}[i] * 31 + {part}")
            elif kind in FLOATS:
                most = f"{FLOATS[kind][0]}.0"
                writer.line(f"{_OUTPUTS[kind]}[i] = gp.clamp({_OUTPUTS[kind]}[i] * 3 + {part}, -{most}, {most})")
            else:
                writer.line(f"y[i] = y[i] * 3 + gp.i32({part})")

    # ---------------------------------------------------------------- arguments

    def arguments(self, shape: Shape) -> Arguments:
        numbers = np.random.default_rng(self.choices.below(1 << 16))
        arrays: dict[str, Host] = {}
        annotations: dict[str, str] = {}
        for kind in self.kinds:
            most = FLOATS.get(kind, (0, 0))[0]
            for name, mode, length in ((_INPUTS[kind], "In", LENGTH), (_OUTPUTS[kind], "InOut", shape.total)):
                arrays[name] = (
                    numbers.integers(-most, most, length, endpoint=True).astype(NUMPY[kind])
                    if most
                    else numbers.choice(edges(kind), length)
                )
                annotations[name] = f"gp.{mode}[gp.{kind}]"
        for kind in SMALL:
            dtype = np.dtype(f"{'u' if kind[0] == 'u' else ''}int{kind[1:]}")
            info = np.iinfo(dtype)
            for name, mode, length in ((f"b{kind}", "In", LENGTH), (f"c{kind}", "InOut", shape.total)):
                arrays[name] = numbers.choice([0, 1, 3, 100, info.max, info.max - 1, info.min], length).astype(dtype)
                annotations[name] = f"gp.{mode}[gp.{kind}]"
        arrays["f"] = _wild(numbers, LENGTH)
        arrays["fd"] = _wild64(numbers, LENGTH)
        arrays["zw"] = np.zeros(shape.total, np.float64)
        arrays["h"] = numbers.choice(edges("i32"), (3, 5))
        arrays["vi"] = numbers.choice(edges("i32"), LENGTH)
        arrays["vt"] = numbers.choice(edges("i32"), 3 * THIRDS)
        arrays["vf"] = numbers.integers(-64, 64, LENGTH).astype(np.float32)
        arrays["w"] = np.zeros(2 * shape.total, np.uint32)
        arrays["ci"], arrays["cu"] = (numbers.choice(edges(k), SLOTS * (len(ATOMICS) - 1)) for k in ("i32", "u32"))
        domain = draw(self.function, LENGTH - 2, int(numbers.integers(1 << 16)))
        arrays |= dict(zip(("fa", "fb"), domain, strict=False))
        arrays["r"] = np.ones(shape.total, np.float32)
        annotations |= {"fd": "gp.In[gp.f64]", "zw": "gp.InOut[gp.f64]"}
        annotations |= {"f": "gp.In[gp.f32]", "h": "gp.In[gp.i32, 2]", "vi": "gp.In[gp.i32x4]", "vf": "gp.In[gp.f32x2]",
                        "vt": "gp.In[gp.i32x3]", "w": "gp.InOut[gp.u32x2]", "ci": "gp.InOut[gp.i32]",
                        "cu": "gp.InOut[gp.u32]",
                        "fa": "gp.In[gp.f32]", "fb": "gp.In[gp.f32]", "r": "gp.InOut[gp.f32]"}  # fmt: skip
        made = Arguments(arrays, annotations, {"vi": 4, "vf": 2, "vt": 3, "w": 2})
        self.extras.fill(made, shape, numbers)
        return made

    def _edge(self, kind: str) -> Any:
        return int(self.choices.one_of(edges(kind)))


def _wild(numbers: np.random.Generator, count: int) -> Host:
    """Floats whose sums and products are no subnormals; infinities, NaN and zeros of both signs."""
    drawn = numbers.normal(size=count) * np.exp2(numbers.integers(-8, 34, count))
    special = [np.inf, -np.inf, np.nan, 0.0, -0.0, 0.5, -1.5, 2.5, 2147483648.0, -2147483648.0, 4294967296.0, 3e38]
    chosen = np.where(numbers.random(count) < 0.5, numbers.choice(special, count), drawn)
    return chosen.astype(np.float32)


def _wild64(numbers: np.random.Generator, count: int) -> Host:
    """Doubles as in `_wild`; halves and their neighbours, and numbers at which integers and f64 itself end."""
    drawn = numbers.normal(size=count) * np.exp2(numbers.integers(-8, 60, count))
    halves = [0.5, -0.4, 1.5, -2.5, 0.49999999999999994, 1e10 + 0.5, 2.0**31 - 0.5, -(2.0**31) - 0.5, 2.0**32 - 0.5]
    large = [2.0**52 - 0.5, 2.0**52 + 1.0, 2.0**53, 2.0**63, -(2.0**63), 2.0**64, 1e300]
    special = [np.inf, -np.inf, np.nan, 0.0, -0.0, *halves, *large]
    return np.where(numbers.random(count) < 0.6, numbers.choice(special, count), drawn)


def _is_used(name: str, lines: list[str]) -> bool:
    pattern = re.compile(rf"(?<![\w.]){name}[\[.,)]")
    return name in ("x", "y") or any(pattern.search(line) for line in lines)


__all__ = ["Writer"]
