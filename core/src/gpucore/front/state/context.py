"""The state of one lowering: the builder, the stack of function frames, and source locations for errors."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

from gpucore import ir
from gpucore.errors import CompileError, KernelSyntaxError, KernelTypeError
from gpucore.front.state.builder import Builder
from gpucore.front.state.captured import Captured, captured_value
from gpucore.front.state.flow import Exit, Flow, LoopFrame
from gpucore.front.state.operands import ArrayReference, Operand, StructValue
from gpucore.front.state.target import ANY, Target
from gpucore.front.text.names import NameUse
from gpucore.front.text.source import FunctionSource
from gpucore.immutable import Immutable
from gpucore.span import Span

_MAX_STATEMENTS = 100_000
_MAX_DEPTH = 80


@dataclass(slots=True)
class Result:
    """What the return statements of a helper have returned so far: a value, or nothing.

    Where several returns give a value, `variables` holds its numbers. `is_weak` marks those that have been assigned
    only literals so far.
    """

    value: Operand | None = None
    variables: list[ir.Local] = field(default_factory=list)
    is_weak: list[bool] = field(default_factory=list)
    nothing: ast.AST | None = None  # a return without a value


@dataclass(slots=True)
class LoweringFacts:
    """Facts found while a function was lowered. If lowering restarts, the next attempt uses them."""

    variables: set[str] = field(default_factory=set)  # names that must be runtime variables
    result_types: dict[int, ir.Type] = field(default_factory=dict)  # types of returned numbers, by position
    # of choices between literals, by conditional expression and place in its tuples
    choice_types: dict[tuple[ast.expr, tuple[int, ...]], ir.Type] = field(default_factory=dict)
    cooperates: bool = True  # of a kernel: whether it may have cooperative matrices


@dataclass(slots=True)
class SubgroupSize:
    """The size of a subgroup: unknown until a kernel cannot be lowered without it."""

    value: int = 0
    is_read: bool = False


class Restart(Exception):  # noqa: N818 (control flow, not an error)
    """Lower the function of `frame` again, with the facts found so far."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame


@dataclass(slots=True, eq=False)
class Frame:
    """A function being lowered: the kernel, or a helper that is inlined."""

    source: FunctionSource
    uses: dict[str, NameUse]
    called_from: Span | None
    return_exit: Exit | None  # None if no return needs one
    facts: LoweringFacts
    loops: list[LoopFrame] = field(default_factory=list)
    parameters: dict[str, Operand] = field(default_factory=dict)  # those that the function never assigns
    variables: dict[str, ir.Local | StructValue] = field(default_factory=dict)
    closure: dict[str, Any] = field(default_factory=dict)
    base_block: list[ir.Stmt] = field(default_factory=list)
    result: Result = field(default_factory=Result)
    returns: ir.Type | None = None  # the helper's annotated result, if a scalar or vector
    is_kernel: bool = False


class Choice(Immutable):
    """A choice between literals, as in `1 if c else 0`: it takes the type that is wanted, as a literal does.

    `expr` has the type that it has where none is wanted. `typed` gives it in another type, or `expr` if it cannot.
    """

    expr: ir.Expr
    literals: tuple[bool | int | float, ...]
    typed: Callable[[ir.Type], ir.Expr]


_E = TypeVar("_E", bound=CompileError)


class Context:
    """State shared by the whole front end. `gpucore.front.walk.lower` sets the first three."""

    expression: Callable[[Context, ast.expr], Operand]
    condition: Callable[[Context, ast.expr], ir.Expr | bool]  # of if, while, assert: integers count as well
    statements: Callable[[Context, list[ast.stmt]], None]

    def __init__(
        self,
        type_bindings: dict[TypeVar, ir.Type],
        workgroup_size: tuple[int, int, int],
        target: Target = ANY,
        is_debug: bool = False,
        subgroup_size: SubgroupSize | None = None,
    ) -> None:
        self.builder = Builder()
        self.frames: list[Frame] = []
        self.flow = Flow()
        self.loop_depth = 0  # number of open loops that are not unrolled, over all frames
        self.type_bindings = type_bindings
        self.is_debug = is_debug  # keep bounds checks, asserts and prints
        self._target = target
        self._subgroup_size = subgroup_size or SubgroupSize()
        self.has_nominal_types = False  # uses NewTypes or enums as types, which `nominal.erase` replaces
        self.uses_target = False  # whether the kernel depends on the device
        self.workgroup_size = workgroup_size
        self.captured: dict[tuple[int, str], Captured] = {}
        self.tables: dict[tuple[object, ...], ArrayReference] = {}  # by dtype, shape and contents
        self.written: set[int] = set()  # indices of buffers that are stored to
        self.signatures: dict[Any, inspect.Signature] = {}  # of helpers
        self._choices: dict[int, Choice] = {}  # by the identity of their expression
        self.matrix_scratch: dict[tuple[ir.Type, int], ir.WorkgroupArray] = {}  # by element type and length
        self.array_names: dict[ast.AST, str] = {}  # the variable that each array-creating call is assigned to

    @property
    def target(self) -> Target:
        """The device. Reading it makes the kernel specific to this device."""
        self.uses_target = True
        return self._target

    @property
    def subgroup_size(self) -> int:
        """The size of a subgroup as a compile-time value; 0: it is a value of run time. Knowing it makes the kernel
        specific to this device."""
        self._subgroup_size.is_read = True
        self.uses_target |= self._subgroup_size.value > 0
        return self._subgroup_size.value

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def span(self, node: ast.AST) -> Span:
        frame = self.frames[-1]
        return frame.source.span(node, frame.called_from)

    def error(
        self, kind: type[CompileError], code: str, message: str, node: ast.AST, *, why: str = "", fix: str = ""
    ) -> NoReturn:
        """Raise a compile error at `node`."""
        raise kind(code, message, self.span(node), why=why, fix=fix)

    def text(self, node: ast.AST) -> str:
        """The source text of a node, on one line, for messages; `x += 1` gives `x + 1`."""
        if isinstance(node, ast.AugAssign):
            node = ast.BinOp(node.target, node.op, node.value)
        return ast.unparse(node)

    def primary(self, node: ast.AST) -> str:
        """The text of a node, in parentheses if needed, such that `.x`, `[0]` or ` != 0` can be appended."""
        is_primary = isinstance(node, (ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Call, ast.Tuple))
        return self.text(node) if is_primary else f"({self.text(node)})"

    def capture(self, home: Any, name: str, value: Any, owner: Any = None) -> None:
        """Record a captured value, so that the kernel is lowered again when it changes.

        Pass `owner` if `home` is a new object at each access: its identity is used instead.
        """
        self.captured[id(home if owner is None else owner), name] = captured_value(home, name, value)

    def add_choice(self, choice: Choice) -> None:
        """Remember that an expression, this very object, is a choice between literals."""
        self._choices[id(choice.expr)] = choice

    def choice(self, operand: object) -> Choice | None:
        """The choice between literals that an operand is, else None."""
        return self._choices.get(id(operand))

    def check_size(self, node: ast.AST) -> None:
        """Refuse a kernel that unrolling and inlining made too large for drivers to compile."""
        if self.builder.count > _MAX_STATEMENTS:
            self.error(
                KernelTypeError,
                "GP211",
                f"this kernel is too large: more than {_MAX_STATEMENTS} statements so far",
                node,
                why="each iteration of an unrolled loop and each call of a helper is expanded to its own code",
                fix="use a plain range instead of gp.unroll, or call fewer helpers",
            )

    def check_depth(self, node: ast.AST) -> None:
        """Refuse branches and loops that are nested too deeply for generated code."""
        if self.builder.depth > _MAX_DEPTH:
            self.error(
                KernelSyntaxError,
                "GP110",
                f"branches and loops are nested more than {_MAX_DEPTH} deep here",
                node,
                why="each elif, and the code after an early return, counts as one level",
                fix="split the function, or store the condition in a variable and test it once",
            )

    def new_exit(self, kind: str) -> Exit:
        """A new exit, not taken yet: its flag starts as false."""
        flag = self.builder.local(f"{kind}_taken", ir.BOOL)
        self.builder.emit(ir.Assign(flag, ir.FALSE))
        return Exit(kind, flag, self.loop_depth)
