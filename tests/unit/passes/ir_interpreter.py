"""A small, strict interpreter of one invocation of IR, for tests of passes.

It fails on a variable that is read before it is assigned, and forgets a variable when its declaration is executed
again, so a declaration in a wrong place shows. What memory, parameters and ids hold, the tests say.
"""

from __future__ import annotations

import abc

from gpucore.ir import (
    I32,
    Assign,
    Binary,
    Bitcast,
    Break,
    Builtin,
    Call,
    Constant,
    Continue,
    Convert,
    Declare,
    DeclareArray,
    ForRange,
    If,
    Let,
    Load,
    Local,
    Loop,
    Param,
    Select,
    Store,
    Unary,
    Value,
)
from gpucore.passes import arithmetic


class _Left(Exception):  # noqa: N818 (control flow, no error)
    def __init__(self, again):
        self.again = again


class OutOfFuel(Exception):  # noqa: N818 (control flow, no error)
    """The program has done as many statements as it may."""


class Interpreter(abc.ABC):
    """`trace` is what was stored to buffers, in order: places and values."""

    def __init__(self, fuel):
        self.names, self.trace, self.fuel = {}, [], fuel

    @abc.abstractmethod
    def parameter(self, param):
        """What it holds."""

    @abc.abstractmethod
    def builtin(self, builtin):
        """What it is for this invocation."""

    @abc.abstractmethod
    def load(self, place):
        """What is there."""

    @abc.abstractmethod
    def store(self, place, value):
        """Writes it there, and what went to a buffer into the trace."""

    @abc.abstractmethod
    def declare_array(self, array):
        """A private array begins anew."""

    def run(self, block):
        for statement in block:
            self.burn()
            self.statement(statement)

    def burn(self):
        self.fuel -= 1
        if self.fuel < 0:
            raise OutOfFuel

    def statement(self, s):
        match s:
            case Let():
                self.names[s.value.id] = self.of(s.expr)
            case Assign():
                self.names[s.local.id] = self.of(s.expr)
            case Declare():
                self.names.pop(s.local.id, None)
                if s.init is not None:
                    self.names[s.local.id] = self.of(s.init)
            case DeclareArray():
                self.declare_array(s.array)
            case Load():
                self.names[s.value.id] = self.load(s.place)
            case Store():
                self.store(s.place, self.of(s.expr))
            case If():
                self.run(s.then if self.of(s.condition) else s.orelse)
            case ForRange():
                for i in range(self.of(s.start), self.of(s.stop)):
                    self.names[s.counter.id] = i
                    if self.is_left(s.body):
                        break
            case Loop():
                while not self.is_left(s.body):
                    pass
            case Break() | Continue():
                raise _Left(isinstance(s, Continue))
            case _:
                raise AssertionError(s)

    def is_left(self, body):
        """Run one pass of a loop; whether it ended in a Break."""
        self.burn()
        try:
            self.run(body)
        except _Left as left:
            return not left.again
        return False

    def of(self, e):
        match e:
            case Constant():
                return e.value
            case Value() | Local():
                return self.names[e.id]
            case Param():
                return self.parameter(e)
            case Builtin():
                return self.builtin(e)
            case Unary():
                return arithmetic.unary(e.op, self.of(e.operand), e.operand.type)
            case Binary():
                return arithmetic.binary(e.op, self.of(e.left), self.of(e.right), e.left.type)
            case Call():
                return arithmetic.call(e.op, list(map(self.of, e.args)), e.args[0].type)
            case Select():
                return self.of(e.if_true) if self.of(e.condition) else self.of(e.if_false)
            case Convert() | Bitcast():
                value = int(self.of(e.operand)) & 0xFFFFFFFF
                return value - 2**32 if e.type == I32 and value >= 2**31 else value
            case _:
                raise AssertionError(e)
