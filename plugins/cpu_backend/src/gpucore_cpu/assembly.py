"""LLVM IR as text: the blocks and instructions of one function, and the declarations of the module around it.

`FunctionText` is independent of kernels. It gives fresh names, tracks the current block, and puts allocas into the
entry block, where LLVM turns them into registers. After a terminator nothing is written until the next label.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gpucore.plugin import EmitError, Span

Line = tuple[str, Span | None]
_SHORT_LOOP = "!1"
SHORT_LOOPS = (f"{_SHORT_LOOP} = distinct !{{{_SHORT_LOOP}, !2}}", '!2 = !{!"llvm.loop.unroll.disable"}')
"""Definitions for modules with short loops."""


@dataclass(frozen=True, slots=True)
class CountedLoop:
    """An open loop: its counter and where `continue` and `break` go."""

    counter: str
    kind: str
    next_label: str
    end_label: str
    head_label: str
    step_flag: str
    step: int


class ModuleText:
    """Declarations and tables that functions need, each once."""

    def __init__(self) -> None:
        self._declarations: dict[str, str] = {}

    def declare(self, name: str, result: str, arguments: Sequence[str]) -> None:
        """Declare a function without side effects. Intrinsics have their own attributes."""
        attributes = "" if name.startswith("llvm.") else " nounwind willreturn memory(none)"
        self._declarations[name] = f"declare {result} @{name}({', '.join(arguments)}){attributes}"

    def hold(self, name: str, kind: str, entries: Sequence[str]) -> None:
        """Define a table of constants."""
        listed = ", ".join(f"{kind} {entry}" for entry in entries)
        self._declarations[name] = f"@{name} = private unnamed_addr constant [{len(entries)} x {kind}] [{listed}]"

    def lines(self) -> list[str]:
        """The declarations and tables."""
        return [self._declarations[name] for name in sorted(self._declarations)]


class FunctionText:
    """The body of one function under construction."""

    def __init__(self) -> None:
        self.span: Span | None = None  # attached to each line
        self.label = "entry"
        self.terminated = False
        self._entry: list[Line] = []
        self._body: list[Line] = []
        self._count = 0

    def lines(self) -> list[Line]:
        return [("entry:", None), *self._entry, *self._body]

    def missing(self, what: str) -> EmitError:
        """The error for what this backend cannot express, at the current statement."""
        return EmitError("GP601", f"the cpu backend has no {what}", self.span)

    def fresh(self, hint: str = "t") -> str:
        """A new local name that starts with `hint`."""
        self._count += 1
        stem = re.sub(r"[^A-Za-z0-9_]", "_", hint) or "t"
        return f"%{stem}.{self._count}"

    def write(self, instruction: str) -> None:
        """Write an instruction without a result."""
        if not self.terminated:
            self._body.append((f"  {instruction}", self.span))

    def define(self, instruction: str, hint: str = "t") -> str:
        """Write an instruction with a result; returns the result's name."""
        name = self.fresh(hint)
        self.write(f"{name} = {instruction}")
        return name

    def vector(self, kind: str, elements: Sequence[str]) -> str:
        """A vector of elements of the LLVM type `kind`."""
        whole = "poison"
        for index, element in enumerate(elements):
            whole = self.define(f"insertelement <{len(elements)} x {kind}> {whole}, {kind} {element}, i32 {index}")
        return whole

    def splat(self, kind: str, text: str, count: int) -> str:
        """A vector of `count` elements of the LLVM type `kind` that are all `text`."""
        if not text.startswith("%"):
            return "<" + ", ".join([f"{kind} {text}"] * count) + ">"
        vector = f"<{count} x {kind}>"
        first = self.define(f"insertelement {vector} poison, {kind} {text}, i32 0")
        return self.define(f"shufflevector {vector} {first}, {vector} poison, <{count} x i32> zeroinitializer")

    def alloca(self, type: str, align: int, hint: str) -> str:
        """Memory in the function's stack frame; returns its address."""
        name = self.fresh(hint)
        self._entry.append((f"  {name} = alloca {type}, align {align}", self.span))
        return name

    # ------------------------------------------------------------ control flow

    def fresh_label(self, hint: str) -> str:
        return self.fresh(hint)[1:]

    def start(self, label: str) -> None:
        """Begin the block `label`, with a jump from the previous block if that has no terminator yet."""
        self.jump(label)
        self._body.append((f"{label}:", self.span))
        self.label, self.terminated = label, False

    def jump(self, label: str, note: str = "") -> None:
        self.write(f"br label %{label}{note}")
        self.terminated = True

    def branch(self, condition: str, then: str, orelse: str) -> None:
        self.write(f"br i1 {condition}, label %{then}, label %{orelse}")
        self.terminated = True

    def write_return(self) -> None:
        """Return from a function without a result."""
        self.write("ret void")
        self.terminated = True

    def open_loop(
        self, kind: str, start: str, stop: str, *, signed: bool = True, hint: str = "i", step: int = 1
    ) -> CountedLoop:
        """Open a loop over start .. stop in the integer type `kind`; code written next is its body."""
        head, body, latch, end = (self.fresh_label(f"{hint}_{part}") for part in ("head", "body", "next", "end"))
        before = self.label
        self.start(head)
        counter = self.fresh(hint)
        self.write(f"{counter} = phi {kind} [ {start}, %{before} ], [ {counter}.next, %{latch} ]")
        going = self.define(f"icmp {'slt' if signed else 'ult'} {kind} {counter}, {stop}")
        self.branch(going, body, end)
        self.start(body)
        return CountedLoop(counter, kind, latch, end, head, "nsw" if signed else "nuw", step)

    def close_loop(self, loop: CountedLoop, *, is_short: bool = False) -> None:
        """End the body. The counter is below the bound there, so a step of 1 cannot wrap. `is_short`: do not unroll."""
        self.start(loop.next_label)
        self.write(f"{loop.counter}.next = add {loop.step_flag} {loop.kind} {loop.counter}, {loop.step}")
        self.jump(loop.head_label, f", !llvm.loop {_SHORT_LOOP}" if is_short else "")
        self.start(loop.end_label)
