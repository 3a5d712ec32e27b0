"""The intermediate representation: what a kernel is, between the user's Python and the text for a target.

A `Module` is one kernel with every type and compile-time value known. It has buffers (bound by position), scalar
params, workgroup arrays and a body. There are no functions: helpers are inlined when a kernel is lowered.

**Expressions are pure.** They read no memory and have no effect, so an emitter may repeat one, drop it or move it
within its statement. Reads and writes of memory are statements: `Load`, `Store`, `Atomic`. The order of evaluation of
the user's Python is therefore just the order of the statements.

**Values and locals.** A `Value` is bound once (by `Let`, `Load`, `Atomic`, `Subgroup`, `Uniform`, or as the counter of
a `ForRange`) and is in scope until the end of the block that binds it. A `Local` is a variable: `Declare` opens its
scope, `Assign` writes it, and the `Local` itself as an expression reads it. Ids are unique in a module across values,
locals and arrays.

**Control flow is structured.** `If`, `ForRange`, `Loop`, `Break`, `Continue`; there is no return (an early return
becomes nesting) and no goto, no phi. A block is a tuple of statements.

**Types are explicit.** Both operands of a `Binary` have the same type; conversions are nodes. Vector and scalar
operands are never mixed: `Splat` widens. Exceptions are documented at the operator. `i32` is the type of ids and sizes.

**Numbers.** Integer arithmetic wraps, including signed. `//` and `%` floor; division by zero is defined (see `ops`).
Shift counts are taken modulo the width. f32 `+ - *` are correctly rounded, but a * b + c may be contracted. NaN and
infinity follow IEEE 754 unless `ops` says otherwise. Float to integer saturates. Arithmetic may flush subnormals to
zero; Load, Store, Bitcast and Select do not.

**Memory.** `Buffer` and `WorkgroupArray` are shared with other invocations: writes become visible at a `Barrier` (to
the workgroup) or at the end of the dispatch (to all). Two accesses to one element from two invocations, without a
barrier between them and at least one of them a non-atomic write, are a race with an undefined result, unless a
`DeviceFence` of each orders them. An index out of
range gives an undefined result but must not crash the process. Where the device does not ensure that, core does:
`passes.index_bounds`. A `ConstantArray` has its values in itself and is in scope everywhere; it is never written.

**Barriers** are in control flow that is uniform over the workgroup; `ValidModule` guarantees it. One without `buffers`
orders workgroup memory only: the user's choice, or that of `passes.barriers` where no result depends on more.
"""

from gpucore.ir.capabilities import (
    EMULATED_SUBGROUP_SIZE,
    OF_ONE_ARCHITECTURE,
    Capability,
    Limits,
    MatrixUnit,
    check_precision,
    known_subgroup_size,
    matrix_capability,
    matrix_unit,
)
from gpucore.ir.module import (
    ArgumentOrigin,
    Assumption,
    GridOrigin,
    LastIndexOrigin,
    Module,
    Origin,
    ParamSlot,
    Roles,
    ShapeOrigin,
    StartOrigin,
    ValidModule,
)
from gpucore.ir.nodes import (
    FALSE,
    OF_SUBGROUPS,
    TRUE,
    Assign,
    Atomic,
    Barrier,
    Binary,
    Bitcast,
    Block,
    Bounds,
    Break,
    Buffer,
    Builtin,
    Call,
    Constant,
    ConstantArray,
    Construct,
    Continue,
    Convert,
    CooperativeLoad,
    CooperativeOperation,
    CooperativeStore,
    CopyAsync,
    CopyGroup,
    CopyPart,
    CopyWait,
    Debug,
    Declare,
    DeclareArray,
    DeviceFence,
    Elements,
    Expr,
    Extract,
    ForRange,
    GroupMultiply,
    GroupWait,
    If,
    Let,
    Load,
    Local,
    Loop,
    MatrixAccumulate,
    MatrixLoad,
    MatrixMultiply,
    Memory,
    Param,
    PipelineStep,
    Place,
    Prefetch,
    PrivateArray,
    Select,
    Splat,
    Stmt,
    Store,
    Subgroup,
    Together,
    Unary,
    Uniform,
    Value,
    WorkgroupArray,
)
from gpucore.ir.ops import (
    COMPARISONS,
    COOPERATIVE_SUMS,
    DIVISIONS,
    FLOAT_ATOMICS,
    FLOORING,
    FUNCTIONS,
    GROUP_COLUMNS,
    GROUP_INPUTS,
    IDS_OF_INVOCATIONS,
    LANE_OPERATIONS,
    MASKS,
    MATRIX_INPUTS,
    MATRIX_LANES,
    PRECISIONS,
    QUOTIENTS,
    REMAINDERS,
    SUBGROUP_BUILTINS,
    VOTES,
    AtomicOp,
    BinaryOp,
    BuiltinKind,
    CooperativeOp,
    DebugKind,
    MathOp,
    MatrixInputs,
    PipelineOp,
    SubgroupOp,
    UnaryOp,
)
from gpucore.ir.printer import print_module
from gpucore.ir.types import (
    BF16,
    BOOL,
    F16,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    SCALARS,
    U8,
    U16,
    U32,
    U64,
    VECTORS,
    CooperativeType,
    Element,
    MatrixRole,
    NominalType,
    ScalarKind,
    ScalarType,
    StructField,
    StructType,
    Type,
    VectorType,
    lay_out,
    leaf_types,
    num_components,
    scalar_of,
    with_scalar,
)

__all__ = [
    "ArgumentOrigin", "Assign", "Assumption", "Atomic", "AtomicOp", "BF16", "BOOL", "Barrier", "Binary", "BinaryOp",
    "Bitcast", "Block", "Bounds", "Break", "Buffer", "Builtin", "BuiltinKind", "COMPARISONS", "COOPERATIVE_SUMS",
    "Call", "Capability", "Constant", "ConstantArray", "Construct", "Continue", "Convert", "CooperativeLoad",
    "CooperativeOp", "CooperativeOperation", "CooperativeStore", "CooperativeType", "CopyAsync", "CopyGroup",
    "CopyPart", "CopyWait", "DIVISIONS", "Debug", "DebugKind", "Declare", "DeclareArray", "DeviceFence",
    "EMULATED_SUBGROUP_SIZE", "Element", "Elements", "Expr", "Extract", "F16", "F32", "F64", "FALSE", "FLOAT_ATOMICS",
    "FLOORING", "FUNCTIONS",
    "ForRange", "GROUP_COLUMNS", "GROUP_INPUTS", "GridOrigin", "GroupMultiply", "GroupWait", "I16", "I32", "I64", "I8",
    "IDS_OF_INVOCATIONS", "If", "LANE_OPERATIONS", "LastIndexOrigin", "Let", "Limits", "Load", "Local", "Loop", "MASKS",
    "MATRIX_INPUTS", "MATRIX_LANES", "MathOp", "MatrixAccumulate", "MatrixInputs", "MatrixLoad", "MatrixMultiply",
    "MatrixRole", "MatrixUnit", "Memory", "Module", "NominalType", "OF_ONE_ARCHITECTURE", "OF_SUBGROUPS", "Origin",
    "PRECISIONS", "Param", "ParamSlot", "PipelineOp", "PipelineStep", "Place", "Prefetch", "PrivateArray", "QUOTIENTS",
    "REMAINDERS", "Roles", "SCALARS", "SUBGROUP_BUILTINS", "ScalarKind", "ScalarType", "Select", "ShapeOrigin", "Splat",
    "StartOrigin", "Stmt", "Store", "StructField", "StructType", "Subgroup", "SubgroupOp", "TRUE", "Together", "Type",
    "U16", "U32", "U64", "U8", "Unary", "UnaryOp", "Uniform", "VECTORS", "VOTES", "ValidModule", "Value", "VectorType",
    "WorkgroupArray", "check_precision", "known_subgroup_size", "lay_out", "leaf_types", "matrix_capability",
    "matrix_unit", "num_components", "print_module", "scalar_of", "with_scalar",
]  # fmt: skip
