"""Buffers and arrays: their types and variables, and pointers to their elements."""

from __future__ import annotations

from gpucore import ir
from gpucore.back.aliasing import reads_what_it_writes
from gpucore.back.spirv.assembly import FUNCTION, PRIVATE, STORAGE, WORKGROUP, Assembly
from gpucore.back.spirv.expressions import Expressions
from gpucore.back.spirv.instructions import Id, Instruction, Word
from gpucore.ir import Element, StructType, SubgroupOp, Type, scalar_of, walk

_IN_BUFFERS = {8: "StorageBuffer8BitAccess", 16: "StorageBuffer16BitAccess"}


class Memories:
    """The memories of one kernel."""

    def __init__(self, assembly: Assembly, expressions: Expressions, valid: ir.ValidModule) -> None:
        self._assembly, self._expressions, self._valid = assembly, expressions, valid
        self._says_read_only = not reads_what_it_writes(valid)
        self._buffers: dict[tuple[int, Element], Id] = {}
        self._arrays: dict[int, Id] = {}
        self._structs: dict[StructType, Id] = {}
        self._blocks: dict[Element, Id] = {}
        self._exchanges = _orders_buffers(valid.module)
        self._viewed = {place.memory for place in _places(valid.module) if place.view is not None}

    def declare(self) -> None:
        """Write the buffers and workgroup arrays; private and constant arrays follow where they are used."""
        for buffer in self._valid.module.buffers:
            self._buffer(buffer, buffer.element)
        for array in self._valid.module.workgroup_arrays:
            self._narrow_integers(array.element)
            element = self._assembly.memory_type(array.element)
            self._arrays[array.id] = self._variable(WORKGROUP, element, array.length, array.name)

    def pointer(self, place: ir.Place) -> tuple[Id, Word]:
        """A pointer to a place, and its storage class."""
        variable, storage = self._base(place)
        index = self._expressions.value(place.index)
        assembly = self._assembly
        if storage is STORAGE:
            path = [assembly.constant_u32(number) for number in (() if place.view else place.path)]
            indices = [assembly.constant_u32(0), index, *path]
        else:
            indices = [index]
        kind = assembly.pointer(storage, self.stored_type(place))
        return assembly.value("OpAccessChain", kind, variable, *indices), storage

    def stored_type(self, place: ir.Place) -> Id:
        """The type of a place in its memory."""
        if isinstance(place.memory, ir.Buffer | ir.WorkgroupArray):
            return self._assembly.memory_type(place.type)
        return self._assembly.type(place.type)

    def declare_private(self, array: ir.PrivateArray) -> None:
        """The variable of a private array, filled with zeros each time that its declaration is reached."""
        assembly = self._assembly
        kind = assembly.array(assembly.type(array.element), array.length, None)
        if array.id not in self._arrays:
            self._arrays[array.id] = local_variable(assembly, kind, array.name)
        assembly.act("OpStore", self._arrays[array.id], assembly.null(kind))

    def _base(self, place: ir.Place) -> tuple[Id, Word]:
        match place.memory:
            case ir.Buffer():
                return self._buffer(place.memory, place.view or place.memory.element), STORAGE
            case ir.WorkgroupArray():
                return self._arrays[place.memory.id], WORKGROUP
            case ir.PrivateArray():
                return self._arrays[place.memory.id], FUNCTION
            case ir.ConstantArray():
                return self._constants(place.memory), PRIVATE

    def _variable(self, storage: Word, element: Id, length: int, name: str, *initial: Id) -> Id:
        assembly = self._assembly
        pointer = assembly.pointer(storage, assembly.array(element, length, None))
        variable = assembly.unique("OpVariable", storage, *initial, type=pointer)
        assembly.name(variable, name)
        return variable

    def _constants(self, array: ir.ConstantArray) -> Id:
        if array.id not in self._arrays:
            assembly, element = self._assembly, self._assembly.type(array.element)
            values = [assembly.constant(value, array.element) for value in array.values]
            whole = assembly.array(element, array.length, None)
            initial = assembly.shared("OpConstantComposite", *values, type=whole)
            self._arrays[array.id] = self._variable(PRIVATE, element, array.length, array.name, initial)
        return self._arrays[array.id]

    # ------------------------------------------------------------ buffers

    def _buffer(self, buffer: ir.Buffer, element: Element) -> Id:
        """The variable of a buffer as an array of its elements, or of those of a view: another one, at its binding."""
        key = (buffer.index, element)
        if key not in self._buffers:
            assembly = self._assembly
            pointer = assembly.pointer(STORAGE, self._block(element))
            self._buffers[key] = variable = assembly.unique("OpVariable", STORAGE, type=pointer)
            assembly.name(variable, buffer.name)
            assembly.decorate(variable, "DescriptorSet", 0)
            assembly.decorate(variable, "Binding", buffer.index)
            if buffer in self._viewed:
                assembly.decorate(variable, "Aliased")
            if not is_written(self._valid, buffer):
                if self._says_read_only:
                    assembly.decorate(variable, "NonWritable")
            elif self._exchanges:
                assembly.decorate(variable, "Coherent")
        return self._buffers[key]

    def _block(self, element: Element) -> Id:
        if element not in self._blocks:
            assembly = self._assembly
            elements = assembly.array(self._element(element), None, element.nbytes)
            self._blocks[element] = block = assembly.unique("OpTypeStruct", elements, hint="Buffer")
            assembly.decorate(block, "Block")
            assembly.decorate(block, "Offset", 0, member=0)
        return self._blocks[element]

    def _element(self, element: Element) -> Id:
        """The type of an element. A struct of the IR has the layout of std430: vectors are aligned to their size."""
        assembly = self._assembly
        if not isinstance(element, StructType):
            if needed := _IN_BUFFERS.get(scalar_of(element).bits):
                assembly.capabilities.add(needed)
            return assembly.memory_type(element)
        if element not in self._structs:
            fields = [self._element(field.type) for field in element.fields]
            self._structs[element] = struct = assembly.unique("OpTypeStruct", *fields, hint=element.name)
            for number, field in enumerate(element.fields):
                assembly.decorate(struct, "Offset", field.offset, member=number)
        return self._structs[element]

    def _narrow_integers(self, element: Type) -> None:
        """Outside buffers integers of 8 and 16 bits need the arithmetic on them."""
        scalar = scalar_of(element)
        if scalar.is_storage:
            self._assembly.capabilities.add(f"Int{scalar.bits}")


def local_variable(assembly: Assembly, kind: Id, name: str) -> Id:
    """A variable of the function."""
    pointer = assembly.pointer(FUNCTION, kind)
    variable = assembly.label(name)
    assembly.name(variable, name)
    assembly.variables.append(Instruction("OpVariable", pointer, variable, (FUNCTION,), assembly.span))
    return variable


def is_written(valid: ir.ValidModule, buffer: ir.Buffer) -> bool:
    """Whether a kernel writes a buffer, or accesses it by atomics."""
    return buffer.index in valid.written_buffers or buffer in valid.atomic_memories


def _places(module: ir.Module) -> list[ir.Place]:
    return [place for statement in walk.statements(module.body) for place in walk.places_of(statement)]


def _orders_buffers(module: ir.Module) -> bool:
    """Whether invocations may see what others have written to buffers during the dispatch."""
    return any(
        isinstance(statement, ir.DeviceFence)
        or (isinstance(statement, ir.Barrier) and statement.buffers)
        or (isinstance(statement, ir.Subgroup) and statement.op is SubgroupOp.BARRIER and statement.buffers)
        for statement in walk.statements(module.body)
    )
