"""Random element-wise kernels and loops over arrays in wide steps, which core gives several elements an invocation."""

from __future__ import annotations

import numpy as np
from drawing import Choices
from fuzz_kinds import FLOATS, INTEGERS, NUMPY, SMALL, edges
from fuzz_program import Host, Program

import gpucore as gp

_HEAD = "from __future__ import annotations\n\nimport gpucore as gp\n\n\n"
_NEEDS = {"i64": gp.Capability.INT64, "u64": gp.Capability.INT64, "f64": gp.Capability.F64, "f16": gp.Capability.F16}
_DTYPES = {**NUMPY, **{kind: np.dtype(f"{'u' if kind[0] == 'u' else ''}int{kind[1:]}").type for kind in SMALL}}


class Streams:
    """Draws one program. The arrays of a program are of one kind, and of a second one."""

    def __init__(self, choices: Choices, capabilities: frozenset[gp.Capability]) -> None:
        self.choices = choices
        known = ("f32", "i32", "u32", *SMALL, *(kind for kind, need in _NEEDS.items() if need in capabilities))
        self.kinds = (choices.one_of(known), choices.one_of(known))
        self.capabilities = frozenset(_NEEDS[kind] for kind in self.kinds if kind in _NEEDS)
        self.size = choices.one_of((32, 64, 100))
        self.total = self.size * (1 + choices.below(6))
        self.lines: list[str] = []

    def program(self) -> Program:
        """A kernel `k` with inputs x0 and x1 and outputs y0 and y1, of one or two kinds."""
        self.length = max(0, self.total - self.choices.below(12) + self.choices.below(8))
        self.longest = self.length + self.choices.below(6)
        is_loop = self.choices.chance(25)
        self.outputs = ["y0", "y1"][: 1 + self.choices.below(2)]
        (self._loop if is_loop else self._element)()
        annotations = {f"x{at}": f"gp.In[gp.{kind}]" for at, kind in enumerate(self.kinds)}
        annotations |= {name: f"gp.InOut[gp.{self.kinds[int(name[1])]}]" for name in self.outputs}
        given = ", ".join(f"{name}: {annotation}" for name, annotation in annotations.items())
        text = f"{_HEAD}@gp.kernel(workgroup_size={self.size})\ndef k({given}, n: gp.i32, m: gp.i32):\n"
        numbers = np.random.default_rng(self.choices.below(1 << 16))
        arrays = {name: self._values(numbers, self.kinds[int(name[1])], name[0] == "x") for name in annotations}
        scalars = {"n": self.choices.one_of((self.length, self.length // 2, self.length - 1, 0)), "m": 3}
        workgroups = max(1, self.total // self.size // (3 if is_loop else 1))
        return Program(
            text + "".join(f"    {line}\n" for line in self.lines), arrays, {}, tuple(self.outputs), scalars, {}, {},
            (workgroups,), self.capabilities,
        )  # fmt: skip

    def _values(self, numbers: np.random.Generator, kind: str, is_input: bool) -> Host:
        length = self.longest if is_input else self.length
        if kind in FLOATS:
            most = FLOATS[kind][0]
            return numbers.integers(-most, most, length, endpoint=True).astype(NUMPY[kind])
        if kind in SMALL:
            info = np.iinfo(_DTYPES[kind])
            return numbers.integers(info.min, info.max, length, endpoint=True).astype(_DTYPES[kind])
        return numbers.choice(edges(kind), length)

    # ---------------------------------------------------------------- forms

    def _element(self) -> None:
        """Guards, and what an invocation does to its element."""
        size = f"{self.outputs[0]}.size"
        self.lines.append("i = gp.global_id(0)")
        guard = self.choices.one_of((
            f"if i < {size}:", f"if {size} > i:", f"if i < {size} and i < n:", f"if i > m and i < {size} and n >= i:",
            f"if i >= {size}:", f"if gp.u32(i) < gp.u32({size}):", f"if i < {size} and x0[i] != x0[0]:",
        ))  # fmt: skip
        indent = "    "
        self.lines.append(guard)
        if guard == f"if i >= {size}:":
            self.lines.append("    return")
            indent = ""
        inner = len(self.lines)
        for _ in range(self.choices.below(3)):
            self._variable()
        for name in self.outputs:
            self._store(name)
        self.lines[inner:] = [indent + line for line in self.lines[inner:]]

    def _loop(self) -> None:
        """A loop in steps of the grid."""
        step = f"gp.num_workgroups(0) * {self.size}"
        is_while = self.choices.chance(50)
        stop = self.choices.one_of((f"{self.outputs[0]}.size", f"gp.min(n, {self.outputs[0]}.size)"))
        kind = self.kinds[0]
        if kind not in SMALL:
            self.lines.append(f"total = gp.{kind}(0)")
        if is_while:
            self.lines += ["i = gp.global_id(0)", f"while i < {stop}:"]
        else:
            self.lines.append(f"for i in range(gp.global_id(0), {stop}, {step}):")
        inner = len(self.lines)
        if self.choices.chance(50):
            self._variable()
        does_store = kind in SMALL or self.choices.chance(60)
        if does_store:
            for name in self.outputs:
                self._store(name)
        if kind not in SMALL:
            self.lines.append(f"total = {self._wrapped('total + x0[i]', kind)}")
        if is_while:
            self.lines.append(f"i += {step}")
        self.lines[inner:] = [f"    {line}" for line in self.lines[inner:]]
        if not does_store:
            at = "gp.global_id(0)"
            self.lines += [f"if {at} < y0.size:", f"    y0[{at}] = total"]

    def _variable(self) -> None:
        name = f"v{len(self.lines)}"
        kind = self._wide(self.kinds[0])
        self.lines.append(f"{name} = {self._term(0, 'x0')}")
        if self.choices.chance(50):
            self.lines += [
                f"if {name} > {self._number(kind)}:",
                f"    {name} = {self._wrapped(f'{name} - {self._number(kind)}', kind)}",
            ]

    def _store(self, name: str) -> None:
        """The element of an output: on every way, on one, or in two steps."""
        at = int(name[1])
        value = self._stored(at, self._term(at, name))
        form = self.choices.below(6)
        if form == 0:
            other = self._stored(at, self._term(at, name))
            if self.choices.chance(70):  # read before the branch
                before = len(self.lines)
                self.lines += [f"v{before} = {value}", f"v{before + 1} = {other}"]
                value, other = f"v{before}", f"v{before + 1}"
            self.lines += [
                f"if x0[i] == x0[{self.choices.below(2)}]:", f"    {name}[i] = {value}", "else:",
                f"    {name}[i] = {other}",
            ]  # fmt: skip
        elif form == 1 and self.choices.chance(30):
            self.lines += ["if i % 3 == 0:", f"    {name}[i] = {value}"]
        elif form == 2:
            self.lines += [f"{name}[i] = {value}", f"{name}[i] = {self._stored(at, self._term(at, name))}"]
        else:
            self.lines.append(f"{name}[i] = {value}")

    # ---------------------------------------------------------------- expressions

    def _wide(self, kind: str) -> str:
        return "i32" if kind in SMALL else kind

    def _number(self, kind: str) -> str:
        return f"{self.choices.below(4)}.0" if kind in FLOATS else str(self.choices.below(4))

    def _operand(self, at: int, *more: str) -> str:
        kind = self.kinds[at]
        index = f"(i + {1 + self.choices.below(3)}) % x{at}.size"
        scattered = f"x{at}[{index}]" if self.choices.chance(25) else f"x{at}[i]"
        names = (f"x{at}[i]", f"x{at}[i]", f"x{at}[i]", scattered, "x1[i]" if self.kinds[0] == self.kinds[1]
                 else f"x{at}[i]", *(f"{name}[i]" if name[0] == "y" else name for name in more))  # fmt: skip
        operand = self.choices.one_of(names)
        if kind in SMALL and "[" in operand:
            return f"gp.i32({operand})"
        return operand

    def _term(self, at: int, *more: str) -> str:
        """An exact expression of the kind of arrays `at`, as it is computed."""
        more = tuple(name for name in more if name[0] == "y" or "[" in name)
        kind = self._wide(self.kinds[at])
        left, right = self._operand(at, *more), self._operand(at, *more)
        operator = self.choices.one_of(("+", "-", "*") if kind in FLOATS else ("+", "-", "*", "^", "&", "|"))
        return self._wrapped(f"{left} {operator} {right}", kind)

    def _wrapped(self, text: str, kind: str) -> str:
        if kind not in FLOATS:
            assert kind in INTEGERS
            return text
        most = f"{FLOATS[kind][0]}.0"
        return f"gp.clamp({text}, -{most}, {most})"

    def _stored(self, at: int, text: str) -> str:
        kind = self.kinds[at]
        return f"gp.{kind}({text})" if kind in SMALL else text


__all__ = ["Streams"]
