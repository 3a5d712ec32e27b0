"""Pure expressions, memories and places in them. All immutable."""

from __future__ import annotations

from gpucore.immutable import Immutable, field
from gpucore.ir.ops import BinaryOp, BuiltinKind, MathOp, UnaryOp
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


TRUE = Constant(True, BOOL)
FALSE = Constant(False, BOOL)
