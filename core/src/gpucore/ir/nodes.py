"""Nodes of the IR: effectful, structured statements, and the expressions and places that they use. All immutable."""

from __future__ import annotations

from gpucore.immutable import Immutable
from gpucore.ir.expressions import FALSE as FALSE
from gpucore.ir.expressions import TRUE as TRUE
from gpucore.ir.expressions import Binary as Binary
from gpucore.ir.expressions import Bitcast as Bitcast
from gpucore.ir.expressions import Buffer as Buffer
from gpucore.ir.expressions import Builtin as Builtin
from gpucore.ir.expressions import Call as Call
from gpucore.ir.expressions import Constant as Constant
from gpucore.ir.expressions import ConstantArray as ConstantArray
from gpucore.ir.expressions import Construct as Construct
from gpucore.ir.expressions import Convert as Convert
from gpucore.ir.expressions import Expr as Expr
from gpucore.ir.expressions import Extract as Extract
from gpucore.ir.expressions import Local as Local
from gpucore.ir.expressions import Memory as Memory
from gpucore.ir.expressions import Param as Param
from gpucore.ir.expressions import Place as Place
from gpucore.ir.expressions import PrivateArray as PrivateArray
from gpucore.ir.expressions import Select as Select
from gpucore.ir.expressions import Splat as Splat
from gpucore.ir.expressions import Unary as Unary
from gpucore.ir.expressions import Value as Value
from gpucore.ir.expressions import WorkgroupArray as WorkgroupArray
from gpucore.ir.ops import AtomicOp, CooperativeOp, DebugKind, MatrixInputs, PipelineOp, SubgroupOp
from gpucore.span import Span


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
    buffers: bool = True  # False: a BARRIER that orders workgroup memory only, as one of the workgroup

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

    value: Value  # f32x4; of I8 i32x4, of U8 u32x4
    inputs: MatrixInputs  # but F64
    left: Expr  # u32x4
    right: Expr  # u32x2
    sums: Expr
    span: Span | None = None


class CooperativeLoad(Immutable):
    """Binds the cooperative matrix whose first element is at a place in workgroup memory, at a multiple of 16 bytes.

    Collective, of a subgroup of 32, all of which give the same place. Rows are `pitch` elements apart, transposed
    columns.
    """

    value: Value
    place: Place
    pitch: int
    is_transposed: bool = False
    span: Span | None = None


class CooperativeStore(Immutable):
    """Stores a cooperative matrix by rows, as CooperativeLoad loads it."""

    place: Place
    pitch: int
    matrix: Expr
    span: Span | None = None


class CooperativeOperation(Immutable):
    """Binds the result of an operation on cooperative matrices. Collective, of a subgroup of 32.

    How sums of products are rounded is the device's choice.
    """

    value: Value
    op: CooperativeOp
    operands: tuple[Expr, ...]
    span: Span | None = None


class Elements(Immutable):
    """Elements of a private array, from one on."""

    array: PrivateArray
    first: int


class MatrixAccumulate(Immutable):
    """Adds `left @ right` to `sums`: matrices of f64 that a subgroup of 32 holds, of 16 rows and 8 columns.

    Collective. Invocation 4 r + w has the four sums that it has in MatrixMultiply. For each 4 of `inner` it has two
    elements of `left`, column w of row r and of row r + 8, and one of `right`, row w of column r. Products are rounded
    with their sums, as by `fma`; the order of the additions is the device's choice.
    """

    inputs: MatrixInputs  # F64
    inner: int  # 4, 8 or 16
    sums: Elements
    left: Elements
    right: Elements
    span: Span | None = None

    @property
    def parts(self) -> tuple[tuple[Elements, int], ...]:
        """What it reads, and how many elements of each; the first is written, too."""
        return (self.sums, 4), (self.left, self.inner // 2), (self.right, self.inner // 4)


class GroupMultiply(Immutable):
    """Begins to add a product of parts of tiles in workgroup memory to `sums`: 64 rows and `columns` columns, which
    four subgroups of 32 that follow each other hold.

    Collective, of these 128 invocations. Subgroup s of the four has rows 16 s to 16 s + 15, for each 8 columns four
    sums of an invocation as in MatrixMultiply, from element `first` of its array on. `left` and `right` are the first
    elements of the parts, the same for all, at multiples of 1024 bytes; `inner` are the columns of the one and the rows
    of the other. The tiles are in panels of `left_panel` and `right_panel` bytes, as `panels.element_in_panels` says:
    128 of each row, of which piece p of 16 bytes of row r is where piece p ^ (r % 8) would be. A transposed tile is
    stored by columns.
    """

    sums: PrivateArray  # of f32; of I8 i32, of U8 u32
    first: int
    inputs: MatrixInputs  # F16, BF16; I8 and U8, of which the left tile is not transposed, and the right one is
    left: Place
    right: Place
    columns: int
    inner: int
    left_panel: int
    right_panel: int
    is_left_transposed: bool
    is_right_transposed: bool
    span: Span | None = None


class GroupWait(Immutable):
    """Waits for the products that GroupMultiply adds to an array. Until then the array and the tiles are in use."""

    sums: PrivateArray
    span: Span | None = None


class CopyAsync(Immutable):
    """Begins to copy `count` elements, 4, 8 or 16 bytes, from a buffer to a multiple of as many in workgroup memory.

    The first `valid` (i32, 0 to count) are read, the others become 0. Until a CopyWait and a Barrier neither place is
    written, and the destination is not read. With `is_aligned` the source, too, is at a multiple of as many
    bytes.
    """

    place: Place
    source: Place
    count: int
    valid: Expr
    is_aligned: bool
    span: Span | None = None


class CopyPart(Immutable):
    """Begins to copy a part of an array to a tile in panels, as CopyAsync does: one copy of the workgroup, which all
    invocations reach with the same numbers.

    `place` is the first element of the tile, at a multiple of PANEL_ALIGNMENT bytes; its `columns` are whole panels.
    `source` is the first element of an array with these `lengths` (i32), whose rows are multiples of 16 bytes at
    multiples of 16 bytes. The part begins at `indices` (i32), as many, and has `rows` and `columns` along the last two
    axes. Elements beyond the lengths become 0, and those at negative indices.
    """

    place: Place
    source: Place
    lengths: tuple[Expr, ...]
    indices: tuple[Expr, ...]
    rows: int
    columns: int
    span: Span | None = None


class CopyGroup(Immutable):
    """Ends a group of this invocation's copies."""

    span: Span | None = None


class CopyWait(Immutable):
    """Waits until at most `pending` groups of this invocation's copies are under way."""

    pending: int
    span: Span | None = None


class PipelineStep(Immutable):
    """A step of one of the roles of a kernel, only in `ir.Roles`."""

    op: PipelineOp
    pending: int = 0  # of WAIT
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

    Without `buffers` it orders workgroup memory only: no effect depends on an order of accesses to buffers. `arrays`
    are the ids of the workgroup arrays that it is meant for, for `gp.check` alone; none: all of them.
    """

    span: Span | None = None
    buffers: bool = True
    arrays: tuple[int, ...] = ()


class DeviceFence(Immutable):
    """What this invocation has done to buffers before is seen before what it does after, by all of the device.

    It waits for nobody, and may be in any control flow. Two invocations, also of two workgroups, are ordered by a fence
    in each: one before an atomic, the other after an atomic on the same element that sees the first one.
    """

    span: Span | None = None


class Together(Immutable):
    """All invocations of the workgroup or none reach this, with the same values of `uniform`. It does nothing, and
    validation takes it out. `names` says for each value what it is, in messages."""

    span: Span | None = None
    uniform: tuple[Expr, ...] = ()
    names: tuple[str, ...] = ()


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
    | CooperativeLoad
    | CooperativeStore
    | CooperativeOperation
    | MatrixAccumulate
    | GroupMultiply
    | GroupWait
    | CopyAsync
    | CopyPart
    | CopyGroup
    | CopyWait
    | PipelineStep
    | Uniform
    | Bounds
    | Barrier
    | DeviceFence
    | Together
    | If
    | ForRange
    | Loop
    | Break
    | Continue
    | Debug
)
Block = tuple[Stmt, ...]

OF_SUBGROUPS = (
    Subgroup, MatrixLoad, MatrixMultiply, MatrixAccumulate, CooperativeLoad, CooperativeStore, CooperativeOperation,
)  # fmt: skip
"""The statements that all invocations of a subgroup or none must reach."""
