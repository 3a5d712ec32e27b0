"""Checks types, scopes and memory accesses in one walk, and collects the capabilities that the kernel needs."""

from __future__ import annotations

from itertools import zip_longest
from typing import NoReturn

from gpucore.errors import CompileError, KernelTypeError
from gpucore.ir import (
    BOOL,
    F32,
    F64,
    FLOAT_ATOMICS,
    FUNCTIONS,
    I32,
    I64,
    MATRIX_LANES,
    U32,
    U64,
    Assign,
    Atomic,
    AtomicOp,
    Block,
    Bounds,
    Break,
    Buffer,
    Call,
    Capability,
    Constant,
    ConstantArray,
    Continue,
    CooperativeLoad,
    CooperativeOperation,
    CooperativeStore,
    CopyAsync,
    CopyGroup,
    CopyPart,
    CopyWait,
    Debug,
    DebugKind,
    Declare,
    DeclareArray,
    DeviceFence,
    Expr,
    ForRange,
    GroupMultiply,
    GroupWait,
    If,
    Let,
    Load,
    Local,
    Loop,
    MatrixAccumulate,
    MatrixInputs,
    MatrixLoad,
    MatrixMultiply,
    Memory,
    Module,
    Param,
    Place,
    Prefetch,
    PrivateArray,
    ScalarType,
    Stmt,
    Store,
    StructType,
    Subgroup,
    Type,
    Uniform,
    Value,
    WorkgroupArray,
    leaf_types,
    matrix_capability,
    print_module,
    scalar_of,
    walk,
)
from gpucore.span import Span
from gpucore.valid.capabilities import Need, capability_of
from gpucore.valid.cooperative import is_well_typed_cooperative
from gpucore.valid.types import (
    SUMS,
    is_index,
    is_well_typed,
    is_well_typed_copy,
    is_well_typed_group,
    is_well_typed_matrix,
    is_well_typed_subgroup,
    is_well_typed_sum,
    same,
)

_FENCE = "this orders memory for all of the device"
_TABLE_TYPES = (I32, U32, F32, I64, U64, F64)


def check_structure(module: Module) -> list[Need]:
    """Raise for ill-formed IR (GP900) and constant indices out of range (GP310). The needs, in order of first use."""
    checker = _Checker(module)
    checker.signature()
    checker.block(module.body, in_loop=False)
    return list(checker.needs.values())


def _internal(problem: str, span: Span | None) -> NoReturn:
    raise CompileError(
        "GP900",
        f"internal error: {problem}",
        span,
        why="a kernel was translated into IR that breaks the IR's own rules",
        fix="this is a defect of gpucore; please report it with the kernel",
    )


def _is_access(statement: Stmt | None, memory: Memory) -> bool:
    return isinstance(statement, (Load, Store, Atomic)) and statement.place.memory == memory


class _Checker:
    def __init__(self, module: Module) -> None:
        self._module = module
        self.needs: dict[Capability, Need] = {}
        self._scope: dict[int, Type] = {}  # values, locals and private arrays that are in scope
        self._ids: set[int] = {array.id for array in module.workgroup_arrays}
        self._arrays = {array.id for array in module.workgroup_arrays}
        self._checked_types: dict[int, Capability | None] = {}  # by identity: hashing a type is slow

    # ------------------------------------------------------------ signature

    def signature(self) -> None:
        module = self._module
        if len(module.params) != len(module.origins):
            _internal("params and origins differ in number", module.span)
        for number, param in enumerate(module.params):
            if param.index != number:
                _internal(f"param `{param.name}` is numbered {param.index}, not {number}", module.span)
            self._need(param.type, f"the parameter `{param.name}` is of type {param.type}", param.span or module.span)
        for number, buffer in enumerate(module.buffers):
            leaves = leaf_types(buffer.element)
            if buffer.index != number or any(scalar_of(leaf) == BOOL for leaf in leaves):
                _internal(f"buffer `{buffer.name}` is misnumbered or of bool", module.span)
            for leaf in leaves:
                is_whole = buffer.vector is not None or leaf == buffer.element
                has = "has elements of type" if is_whole else f"of {buffer.element} has fields of type"
                self._need(leaf, f"array `{buffer.name}` {has} {buffer.vector or leaf}", buffer.span or module.span)
        for array in module.workgroup_arrays:
            what = f"workgroup array `{array.whole or array.name}` has elements of type {array.element}"
            self._need(array.element, what, array.span or module.span)

    def _need(self, type: Type, what: str, span: Span | None) -> None:
        self._need_capability(capability_of(scalar_of(type)), what, span)

    def _need_capability(self, capability: Capability | None, what: str, span: Span | None) -> None:
        if capability is not None and capability not in self.needs:
            self.needs[capability] = Need(capability, span, what)

    # ------------------------------------------------------------ statements

    def block(self, block: Block, in_loop: bool, counter: Value | None = None) -> None:
        opened: list[int] = []
        if counter is not None:
            self._open(counter.id, counter.type, opened, None)
        for statement, following in zip_longest(block, block[1:]):
            for expr in walk.expressions(statement):
                self._expression(expr, statement)
            self._statement(statement, opened)
            if isinstance(statement, Bounds) and not _is_access(following, statement.memory):
                _internal(f"no access to `{statement.memory.name}` follows its bounds check", statement.span)
            match statement:
                case If():
                    self.block(statement.then, in_loop)
                    self.block(statement.orelse, in_loop)
                case ForRange():
                    self.block(statement.body, True, statement.counter)
                case Loop():
                    self.block(statement.body, True)
                case Break() | Continue() if not in_loop:
                    _internal(f"{type(statement).__name__} outside a loop", statement.span)
        for id_ in opened:
            del self._scope[id_]

    def _open(self, id_: int, type: Type, opened: list[int], span: Span | None) -> None:
        if id_ in self._ids:
            _internal(f"id {id_} is defined twice", span)
        self._ids.add(id_)
        self._scope[id_] = type
        opened.append(id_)

    def _statement(self, statement: Stmt, opened: list[int]) -> None:
        match statement:
            case Let() | Uniform():
                self._match(statement.value.type, statement.expr.type, statement)
                self._open(statement.value.id, statement.value.type, opened, statement.span)
            case Load():
                self._place(statement.place, statement)
                self._match(statement.value.type, statement.place.type, statement)
                self._open(statement.value.id, statement.value.type, opened, statement.span)
            case Store():
                self._place(statement.place, statement)
                self._match(statement.place.type, statement.expr.type, statement)
            case Prefetch():
                self._place(statement.place, statement)
            case Assign():
                self._match(self._in_scope(statement.local, statement), statement.expr.type, statement)
            case Declare():
                if statement.init is not None:
                    self._match(statement.local.type, statement.init.type, statement)
                self._need_at(statement.local.type, statement)
                self._open(statement.local.id, statement.local.type, opened, statement.span)
            case DeclareArray():
                self._need_at(statement.array.element, statement)
                self._open(statement.array.id, statement.array.element, opened, statement.span)
            case Atomic():
                self._atomic(statement, opened)
            case If():
                self._match(BOOL, statement.condition.type, statement)
            case ForRange():
                kind = statement.counter.type
                if not isinstance(kind, ScalarType) or not kind.is_integer:
                    _internal(f"a counter of type {kind}", statement.span)
                self._match(kind, statement.start.type, statement)
                self._match(kind, statement.stop.type, statement)
            case Debug():
                if statement.kind is DebugKind.BREAKPOINT:
                    self._need_capability(Capability.BREAKPOINT, "this stops in a debugger", statement.span)
                elif statement.kind is DebugKind.ASSERT:
                    assert statement.condition is not None
                    self._match(BOOL, statement.condition.type, statement)
            case Subgroup():
                if not is_well_typed_subgroup(statement):
                    _internal(f"an ill-typed operation in {_text(statement)}", statement.span)
                if statement.value is not None:
                    self._open(statement.value.id, statement.value.type, opened, statement.span)
            case CooperativeLoad() | CooperativeStore() | CooperativeOperation():
                self._cooperative(statement, opened)
            case MatrixLoad() | MatrixMultiply() | MatrixAccumulate() | GroupMultiply() | GroupWait():
                self._of_matrices(statement, opened)
            case CopyAsync() | CopyPart() | CopyGroup() | CopyWait():
                self._of_matrices(statement, opened)
            case DeviceFence():
                self._need_capability(Capability.DEVICE_FENCE, _FENCE, statement.span)
            case Bounds():
                types = {expr.type for expr in statement.indices}
                extents = {expr.type for expr in statement.extents}
                if not types <= {I32, U32} or not extents <= {I32} or len(statement.indices) != len(statement.extents):
                    _internal(f"ill-typed bounds in {_text(statement)}", statement.span)

    def _of_matrices(
        self,
        statement: MatrixLoad
        | MatrixMultiply
        | MatrixAccumulate
        | GroupMultiply
        | GroupWait
        | CopyAsync
        | CopyPart
        | CopyGroup
        | CopyWait,
        opened: list[int],
    ) -> None:
        for place in walk.places_of(statement):
            self._place(place, statement)
        if isinstance(statement, (GroupMultiply, GroupWait)):
            self._place(Place(statement.sums, Constant(0, I32)), statement)
            is_of_group = statement.sums.element in SUMS and self._module.num_invocations % (4 * MATRIX_LANES) == 0
            is_well_typed = is_of_group and (isinstance(statement, GroupWait) or is_well_typed_group(statement))
            self._need_capability(Capability.MATRIX_GROUPS, "this multiplies matrices by groups", statement.span)
        elif isinstance(statement, (MatrixLoad, MatrixMultiply)):
            is_well_typed = is_well_typed_matrix(statement)
            self._need_units(statement)
            self._open(statement.value.id, statement.value.type, opened, statement.span)
        elif isinstance(statement, MatrixAccumulate):
            for part, _ in statement.parts:
                self._place(Place(part.array, Constant(0, I32)), statement)
            is_well_typed = is_well_typed_sum(statement)
            self._need_units(statement)
        else:
            is_well_typed = not isinstance(statement, (CopyAsync, CopyPart)) or is_well_typed_copy(statement)
            self._need_capability(Capability.ASYNC_COPY, "this copies while the kernel goes on", statement.span)
        if not is_well_typed:
            _internal(f"an ill-typed operation in {_text(statement)}", statement.span)

    def _cooperative(
        self, statement: CooperativeLoad | CooperativeStore | CooperativeOperation, opened: list[int]
    ) -> None:
        for place in walk.places_of(statement):
            self._place(place, statement)
        self._need_capability(Capability.COOPERATIVE_MATRICES, "this multiplies matrices by subgroups", statement.span)
        if not is_well_typed_cooperative(statement):
            _internal(f"an ill-typed operation in {_text(statement)}", statement.span)
        if not isinstance(statement, CooperativeStore):
            self._open(statement.value.id, statement.value.type, opened, statement.span)

    def _need_units(self, statement: MatrixLoad | MatrixMultiply | MatrixAccumulate) -> None:
        """The units of subgroups, for what is multiplied."""
        inputs = MatrixInputs.F16 if isinstance(statement, MatrixLoad) else statement.inputs  # which all have
        for capability in (Capability.MATRIX_UNITS, matrix_capability(inputs)):
            self._need_capability(capability, "this multiplies matrices by subgroups", statement.span)

    def _atomic(self, statement: Atomic, opened: list[int]) -> None:
        memory = self._place(statement.place, statement)
        type = memory.element
        known = type in (I32, U32, I64, U64) or (type == F32 and statement.op in FLOAT_ATOMICS)
        if not known or isinstance(memory, PrivateArray) or isinstance(type, StructType):
            _internal(f"an atomic on `{memory.name}` of {memory.element}", statement.span)
        if type == F32:
            self._need_capability(Capability.ATOMIC_F32, "this is an atomic operation on f32", statement.span)
        elif type in (I64, U64):
            self._need_capability(Capability.ATOMIC_INT64, f"this is an atomic operation on {type}", statement.span)
        if (statement.operand is None) != (statement.op is AtomicOp.LOAD):
            _internal(f"atomic {statement.op.value} with a wrong number of operands", statement.span)
        if (statement.comparand is not None) != (statement.op is AtomicOp.COMPARE_EXCHANGE):
            _internal(f"atomic {statement.op.value} with a wrong number of operands", statement.span)
        for expr in (statement.operand, statement.comparand):
            if expr is not None:
                self._match(type, expr.type, statement)
        if statement.value is not None:
            self._match(type, statement.value.type, statement)
            self._open(statement.value.id, statement.value.type, opened, statement.span)

    def _match(self, wanted: Type, found: Type, statement: Stmt) -> None:
        if not same(wanted, found):
            _internal(f"{found} where {wanted} belongs in {_text(statement)}", statement.span)

    # ------------------------------------------------------------ places

    def _place(self, place: Place, statement: Stmt) -> Memory:
        memory = place.memory
        if not is_index(place.index.type):
            _internal(f"an index of type {place.index.type} in {_text(statement)}", statement.span)
        if isinstance(memory, Buffer):
            if memory.index >= len(self._module.buffers) or memory.name != self._module.buffers[memory.index].name:
                _internal(f"buffer `{memory.name}` does not belong to the kernel", statement.span)
            writes = isinstance(statement, Store) or (
                isinstance(statement, Atomic) and statement.op is not AtomicOp.LOAD
            )
            if not (memory.writable if writes else memory.readable or isinstance(statement, Prefetch)):
                how = "written" if writes else "read"
                _internal(f"buffer `{memory.name}` is {how} against its mode", statement.span)
            return memory
        if isinstance(memory, ConstantArray):
            if not isinstance(statement, Load) or memory.element not in _TABLE_TYPES:
                _internal(f"constant array `{memory.name}` is written or of {memory.element}", statement.span)
        elif memory.id not in (self._arrays if isinstance(memory, WorkgroupArray) else self._scope):
            _internal(f"array `{memory.name}` is not in scope", statement.span)
        if isinstance(place.index, Constant) and not 0 <= place.index.value < memory.length:
            raise KernelTypeError(
                "GP310",
                f"index {place.index.value} is out of range for `{memory.name}` of length {memory.length}",
                statement.span,
                why="a constant index is checked when the kernel is compiled",
                fix=f"use an index from 0 to {memory.length - 1}" if memory.length else "give the array a length",
            )
        return memory

    # ------------------------------------------------------------ expressions

    def _expression(self, expr: Expr, statement: Stmt) -> None:
        checked = self._checked_types
        for node in walk.subexpressions(expr):
            if isinstance(node, (Value, Local)):
                self._in_scope(node, statement)
            elif isinstance(node, Param):
                params = self._module.params
                if node.index >= len(params) or node != params[node.index]:
                    _internal(f"param `{node.name}` does not belong to the kernel", statement.span)
            elif not is_well_typed(node):
                _internal(f"an ill-typed {type(node).__name__} in {_text(statement)}", statement.span)
            node_type = node.type
            capability = checked.get(id(node_type), False)
            if capability is False:
                capability = checked[id(node_type)] = capability_of(scalar_of(node_type))
            if capability is not None:
                self._need_at(node_type, statement)
                if isinstance(node, Call) and FUNCTIONS[node.op].is_transcendental and capability is Capability.F64:
                    what = f"this computes {node.op.value} of f64"
                    self._need_capability(Capability.F64_MATH, what, statement.span)

    def _in_scope(self, name: Value | Local, statement: Stmt) -> Type:
        declared = self._scope.get(name.id)
        if declared is None:
            _internal(f"`{name.name}` is not in scope in {_text(statement)}", statement.span)
        if declared is not name.type and declared != name.type:
            _internal(f"`{name.name}` of type {declared} is used as {name.type}", statement.span)
        return declared

    def _need_at(self, type: Type, statement: Stmt) -> None:
        self._need(type, f"this computes with type {type}", statement.span)


def _text(statement: Stmt) -> str:
    """The first line of the statement as IR."""
    shell = Module("", (1, 1, 1), (), (), (), (), (statement,))
    return "`" + print_module(shell).split("body\n", 1)[1].splitlines()[0].strip() + "`"
