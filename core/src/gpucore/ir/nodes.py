"""Nodes of the IR: pure expressions, memory places and effectful, structured statements. All immutable."""

from __future__ import annotations

from gpucore.immutable import Immutable, field
from gpucore.ir.ops import AtomicOp, BinaryOp, BuiltinKind, DebugKind, MathOp, MatrixInputs, SubgroupOp, UnaryOp
from gpucore.ir.types import BOOL, I32, Element, ScalarType, StructType, Type, VectorType
from gpucore.span import Span

# ---------------------------------------------------------------- expressions: pure, no memory is read or written


class Constant(Immutable):
    """A scalar constant: a Python bool, int or float. A float is already rounded to `type`."""

    value: bool | int | float
    type: ScalarType


class Value(Immutable):
    """A name bound once, by a statement that has a value, or by ForRange. `name` is for display, `id` the identity."""

    id: int
    name: str
    type: Type


class Local(Immutable):
    """A variable of one invocation, written by Assign; as an expression it means its current value."""

    id: int
    name: str
    type: Type


class Param(Immutable):
    """A scalar argument of the dispatch, the same for every invocation. `index` is its position in Module.params."""

    index: int
    name: str
    type: ScalarType
    span: Span | None = field(default=None, compare=False)  # the parameter in the kernel's signature


class Builtin(Immutable):
    """A value given by the dispatch: i32."""

    kind: BuiltinKind
    axis: int

    @property
    def type(self) -> ScalarType:
        return I32


class Unary(Immutable):
    op: UnaryOp
    operand: Expr
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)  # the operation, in a module lowered with debug


class Binary(Immutable):
    op: BinaryOp
    left: Expr
    right: Expr
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)  # the operation, in a module lowered with debug


class Call(Immutable):
    """A built-in function."""

    op: MathOp
    args: tuple[Expr, ...]
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)  # the operation, in a module lowered with debug


class Select(Immutable):
    """`if_true` if `condition` (a scalar bool) is true, else `if_false`. Both are pure."""

    condition: Expr
    if_true: Expr
    if_false: Expr
    type: Type


class Convert(Immutable):
    """Conversion of a number to another type. Float to integer truncates and saturates, NaN gives 0; integers wrap."""

    operand: Expr
    type: Type


class Bitcast(Immutable):
    """The same bits as another type of the same size."""

    operand: Expr
    type: Type


class Construct(Immutable):
    """A vector from its `type.width` scalars."""

    components: tuple[Expr, ...]
    type: VectorType


class Splat(Immutable):
    """A vector with one scalar in every component."""

    operand: Expr
    type: VectorType


class Extract(Immutable):
    """Component `index` (a constant) of a vector."""

    vector: Expr
    index: int
    type: ScalarType


Expr = (
    Constant
    | Value
    | Local
    | Param
    | Builtin
    | Unary
    | Binary
    | Call
    | Select
    | Convert
    | Bitcast
    | Construct
    | Splat
    | Extract
)

# ---------------------------------------------------------------- memory


class Buffer(Immutable):
    """A storage buffer; `index` is its position among the dispatch's buffers. `readable`, `writable`: as annotated.

    `rank` is the number of axes of the argument. It is 0 for a buffer added by core, whose indices are always in range.
    `vector` is the kernel's element type, if a pass has made a struct of it.
    """

    index: int
    name: str
    element: Element
    readable: bool
    writable: bool
    rank: int = 1
    span: Span | None = field(default=None, compare=False)  # the parameter in the kernel's signature
    vector: VectorType | None = None


class WorkgroupArray(Immutable):
    """`length` elements shared by a workgroup; undefined until written. One per kernel, wherever declared."""

    id: int
    name: str
    element: Type
    length: int
    span: Span | None = field(default=None, compare=False)  # the call that creates it
    whole: str = field(default="", compare=False)  # the kernel's array, of which a pass has made several


class PrivateArray(Immutable):
    """`length` elements private to one invocation; DeclareArray sets them to zero."""

    id: int
    name: str
    element: Type
    length: int


class ConstantArray(Immutable):
    """Constants that are indexed at run time; they are only read. Of i32, u32, f32, i64, u64 or f64, floats finite."""

    id: int
    name: str
    element: ScalarType
    values: tuple[int | float, ...] = field(default=(), compare=False, repr=False)  # long; the id is the identity

    @property
    def length(self) -> int:
        return len(self.values)


Memory = Buffer | WorkgroupArray | PrivateArray | ConstantArray


class Place(Immutable):
    """One element of a memory, or for structs the scalar or vector in the element that `path` leads to.

    `index` is i32 or u32 and counts elements; arrays of rank 2 and more are flattened, row-major. `path` has the number
    of a field for each level of structs.

    With a `view` the place is one of the values of that type that a buffer holds, seen as an array of them: several
    elements, whole, and `index` counts these values. Passes make such places for backends that take them
    (`Backend.takes_view`), for arrays that begin at a multiple of 16 bytes.
    """

    memory: Memory
    index: Expr
    path: tuple[int, ...] = ()
    view: Type | None = None

    @property
    def type(self) -> Type:
        """The type that is loaded and stored."""
        if self.view is not None:
            return self.view
        element = self.memory.element
        for number in self.path:
            assert isinstance(element, StructType)
            element = element.fields[number].type
        assert not isinstance(element, StructType)
        return element

    @property
    def offset(self) -> int:
        """Offset of the place in the element, in bytes."""
        element, offset = self.memory.element, 0
        for number in self.path:
            assert isinstance(element, StructType)
            offset += element.fields[number].offset
            element = element.fields[number].type
        return offset


# ---------------------------------------------------------------- statements


class Let(Immutable):
    """Binds a value to the current value of a pure expression."""

    value: Value
    expr: Expr
    span: Span | None = None


class Load(Immutable):
    """Reads memory now.

    `width` is a hint: this is one of so many statements in a row that read neighbouring elements, of which a target may
    make one access. A pass may drop some of them, or the hint.
    """

    value: Value
    place: Place
    span: Span | None = None
    width: int = 1


class Store(Immutable):
    """Writes memory now. `width` is that of Load."""

    place: Place
    expr: Expr
    span: Span | None = None
    width: int = 1


class Prefetch(Immutable):
    """Asks for an element to be brought into the cache, without any effect on results. The index may be out of range.

    Of a struct the place is the first field; it stands for the whole struct.
    """

    place: Place
    span: Span | None = None


class Declare(Immutable):
    """Opens the scope of a local, to the end of the block. Without `init` it must be assigned before it is read."""

    local: Local
    init: Expr | None = None
    span: Span | None = None


class Assign(Immutable):
    local: Local
    expr: Expr
    span: Span | None = None


class DeclareArray(Immutable):
    """Opens the scope of a private array and zeroes it each time it is executed."""

    array: PrivateArray
    span: Span | None = None


class Atomic(Immutable):
    """An atomic read-modify-write. `value`, if present, is the old value."""

    value: Value | None
    op: AtomicOp
    place: Place
    operand: Expr | None = None  # None for LOAD
    comparand: Expr | None = None  # COMPARE_EXCHANGE only
    span: Span | None = None


class Subgroup(Immutable):
    """An operation of all invocations of a subgroup, in control flow that is uniform over the subgroup.

    Where it is emulated, that is the workgroup: it is made of a Barrier.
    """

    value: Value | None  # None for BARRIER
    op: SubgroupOp
    operand: Expr | None = None  # None for ELECT and BARRIER
    argument: Expr | None = None  # of BROADCAST and the shuffles: u32
    span: Span | None = None
    bits: int = 0  # of MATCH, from 1 to 32: how many of the lowest bits are compared

    @property
    def result(self) -> Value:
        """The value of an operation that has one."""
        assert self.value is not None
        return self.value


class MatrixLoad(Immutable):
    """Binds a part of four small matrices in workgroup memory, each of 8 rows of 16 bytes: u32x4, a word of each.

    Collective, of a subgroup of 32. Invocation 8 i + r gives the place of row r of matrix i, at a multiple of 16 bytes.
    Invocation 4 r + w gets word w of row r of each; transposed, of 16-bit elements: 2 w and 2 w + 1 of column r.
    """

    value: Value
    place: Place
    is_transposed: bool = False
    span: Span | None = None


class MatrixMultiply(Immutable):
    """Binds a part of `sums + left @ right`: matrices that a subgroup of 32 holds, of 16 rows and 8 columns.

    Collective. Invocation 4 r + w has, of `sums` and of the result, elements 2 w and 2 w + 1 of row r, and
    those of row r + 8. `left` has 16 rows of 32 bytes: of the first 16 bytes word w of row r, that of row r + 8, and
    likewise of the last 16 bytes. `right` has 8 columns of 32 bytes: word w of column r, and word w + 4. How sums are
    rounded is the device's choice.
    """

    value: Value  # f32x4; of I8 and U8 i32x4
    inputs: MatrixInputs
    left: Expr  # u32x4
    right: Expr  # u32x2
    sums: Expr
    span: Span | None = None


class CopyAsync(Immutable):
    """Begins to copy `count` elements, 4, 8 or 16 bytes, from a buffer to a multiple of as many in workgroup memory.

    The first `valid` (i32, 0 to count) are read, the others become 0. Until a CopyWait and a Barrier neither place is
    written, and the destination is not read.
    """

    place: Place
    source: Place
    count: int
    valid: Expr
    span: Span | None = None


class CopyGroup(Immutable):
    """Ends a group of this invocation's copies."""

    span: Span | None = None


class CopyWait(Immutable):
    """Waits until at most `pending` groups of this invocation's copies are under way."""

    pending: int
    span: Span | None = None


class Uniform(Immutable):
    """Binds a value that the user promises to be the same in all invocations of the workgroup.

    Like Barrier, it is in control flow uniform over the workgroup: a target may broadcast the value of one invocation.
    """

    value: Value
    expr: Expr
    span: Span | None = None


class Bounds(Immutable):
    """Checks the next statement, a Load, Store or Atomic on `memory`; only in modules lowered with debug.

    If an index is negative or not below the extent of its axis, that is reported, the statement is skipped, and a value
    that it binds is 0. Indices are i32 or u32, extents i32.
    """

    memory: Memory
    indices: tuple[Expr, ...]
    extents: tuple[Expr, ...]
    span: Span | None = None


class Barrier(Immutable):
    """Every invocation of the workgroup arrives before any continues; their writes, to any memory, are then visible.

    Without `buffers` it orders workgroup memory only: no effect depends on an order of accesses to buffers.
    """

    span: Span | None = None
    buffers: bool = True


class If(Immutable):
    condition: Expr
    then: Block
    orelse: Block = ()
    span: Span | None = None


class ForRange(Immutable):
    """`counter` runs from `start` to `stop` (exclusive) by 1. All three have one integer type.

    `start` and `stop` are evaluated once. The counter cannot be assigned, so it never wraps.
    """

    counter: Value
    start: Expr
    stop: Expr
    body: Block
    span: Span | None = None


class Loop(Immutable):
    """Repeats until a Break."""

    body: Block
    span: Span | None = None


class Break(Immutable):
    """Leaves the innermost Loop or ForRange."""

    span: Span | None = None


class Continue(Immutable):
    """Goes to the next iteration of the innermost Loop or ForRange."""

    span: Span | None = None


class Debug(Immutable):
    """A print (its parts are texts and expressions, printed in order), an assert or a breakpoint."""

    kind: DebugKind
    parts: tuple[str | Expr, ...] = ()
    span: Span | None = None
    condition: Expr | None = None  # of ASSERT: a bool


Stmt = (
    Let
    | Load
    | Store
    | Prefetch
    | Declare
    | Assign
    | DeclareArray
    | Atomic
    | Subgroup
    | MatrixLoad
    | MatrixMultiply
    | CopyAsync
    | CopyGroup
    | CopyWait
    | Uniform
    | Bounds
    | Barrier
    | If
    | ForRange
    | Loop
    | Break
    | Continue
    | Debug
)
Block = tuple[Stmt, ...]

TRUE = Constant(True, BOOL)
FALSE = Constant(False, BOOL)
