"""The state of one lowering: the builder, the frame of the function at hand, and how errors find their place."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

from gpucore import ir
from gpucore.errors import CompileError
from gpucore.front.builder import Builder
from gpucore.front.names import NameUse
from gpucore.front.operands import Operand
from gpucore.front.source import FunctionSource
from gpucore.span import Span

_E = TypeVar("_E", bound=CompileError)


@dataclass(slots=True, eq=False)
class Exit:
    """A place that control can leave to when it is not the end of a real loop: a return, or out of an unrolled body.

    `flag` is true once the exit was taken. `loop_depth` counts the real loops that are open at the target.
    """

    kind: str
    flag: ir.Local
    loop_depth: int


@dataclass(slots=True)
class Flow:
    """Where control can be now: whether it gets here, which exits may have been taken, which names are assigned.

    `unassigned` tells of a name why it may be missing, in words.
    """

    falls: bool = True
    pending: set[Exit] = field(default_factory=set)
    assigned: set[str] = field(default_factory=set)
    unassigned: dict[str, str] = field(default_factory=dict)

    def fork(self) -> Flow:
        return Flow(self.falls, set(self.pending), set(self.assigned), dict(self.unassigned))


@dataclass(slots=True)
class LoopFrame:
    """An open loop of the function at hand: a real one, or an unrolled one with its exits."""

    break_exit: Exit | None = None
    continue_exit: Exit | None = None
    at_break: list[set[str]] = field(default_factory=list)  # names assigned at each break of a real loop
    has_break: bool = False

    @property
    def is_real(self) -> bool:
        return self.break_exit is None


@dataclass(slots=True, eq=False)
class Frame:
    """A function being lowered: the kernel, or a helper that is inlined."""

    source: FunctionSource
    uses: dict[str, NameUse]
    called_from: Span | None
    return_exit: Exit
    loops: list[LoopFrame] = field(default_factory=list)
    bindings: dict[str, Operand] = field(default_factory=dict)
    closure: dict[str, Any] = field(default_factory=dict)
    base_block: list[ir.Stmt] = field(default_factory=list)
    result: Operand | None = None  # of a helper: what a call of it stands for
    result_locals: tuple[ir.Local, ...] | None = None
    returns: ir.Type | None = None  # a scalar or vector annotated as the helper's result
    is_kernel: bool = False


@dataclass(slots=True)
class Captured:
    """A value taken from outside the kernel: part of the cache key. `read` gives the value as it is now."""

    name: str
    value: Any
    read: Callable[[], Any]


class Context:
    """What every part of the front end shares. `expression` and `statements` are set by `gpucore.front.lower`."""

    expression: Callable[[Context, ast.expr], Operand]
    statements: Callable[[Context, list[ast.stmt]], None]

    def __init__(self, type_bindings: dict[TypeVar, ir.Type], workgroup_size: tuple[int, int, int]) -> None:
        self.builder = Builder()
        self.frames: list[Frame] = []
        self.flow = Flow()
        self.loop_depth = 0  # real loops open, over all frames
        self.type_bindings = type_bindings
        self.workgroup_size = workgroup_size
        self.captured: dict[tuple[int, str], Captured] = {}
        self.written: set[int] = set()  # indices of buffers with a store

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def span(self, node: ast.AST) -> Span:
        return self.frame.source.span(node, self.frame.called_from)

    def error(
        self, kind: type[CompileError], code: str, message: str, node: ast.AST, *, why: str = "", fix: str = ""
    ) -> NoReturn:
        """Raise a compile error at `node`."""
        raise kind(code, message, self.span(node), why=why, fix=fix)

    def text(self, node: ast.AST) -> str:
        """The user's text of a node, on one line, for messages."""
        return ast.unparse(node)

    def new_exit(self, kind: str) -> Exit:
        flag = self.builder.local(f"{kind}_taken", ir.BOOL)
        self.builder.emit(ir.Assign(flag, ir.FALSE))
        return Exit(kind, flag, self.loop_depth)
