"""emulate_small_integers: integers of 8 and 16 bits for devices that have none, in words of 32 bits.

By value, in variables and in workgroup and private arrays, such an integer is an i32 or u32 that holds the same number.
A buffer of them, or of structs with such fields, becomes a buffer of u32: a load takes the bits out of the word that
holds them. The other fields of such structs are made of words too, those of 64 bits with integers of 64 bits.

**Stores.** Neighbouring elements share a word, and other invocations may store to them at the same time. So a store of
8 or 16 bits is two atomic operations on the word, `or` with the new bits and then `and` with them, which change no bit
of the neighbours. They need no loop, as a compare-exchange would, whose tries depend on the neighbours and count
against limits on loop iterations. The order matters where several invocations store the same number to one element:
with `and` first, an element that is already right would be 0 in between. (Two that store different numbers race, and
the element may then hold neither.) Stores of one invocation to several elements of a word, one after the other, are
made together (`word_stores`), without atomics if they fill the word, as the four bytes of a pixel do. Loads beside
stores are plain: an emitter makes them atomic if its language asks for that in a memory with atomics. The padding in
the last word of an array keeps its bits.

It runs after indices are clamped, which counts elements. The module must not contain Bounds any more: they guard one
statement, and a store becomes several.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import TypeVar

from gpucore.ir import (
    F16,
    I8,
    I16,
    I32,
    U8,
    U16,
    U32,
    U64,
    Assign,
    Atomic,
    AtomicOp,
    Bitcast,
    Block,
    Buffer,
    Capability,
    Constant,
    ConstantArray,
    Construct,
    Convert,
    Declare,
    DeclareArray,
    Element,
    Expr,
    Extract,
    ForRange,
    Let,
    Load,
    Local,
    MathOp,
    Module,
    Param,
    Place,
    Prefetch,
    PrivateArray,
    ScalarType,
    Select,
    Stmt,
    Store,
    Uniform,
    Value,
    VectorType,
    WorkgroupArray,
    build,
    leaf_types,
    scalar_of,
    walk,
)
from gpucore.ir.multiples import powers_of_two
from gpucore.passes.word_stores import Group, find_groups, parts_of

SMALL_INTEGERS = {Capability.INT8: (I8, U8), Capability.INT16: (I16, U16)}
"""The types that each capability stands for."""

_HALVES = VectorType(F16, 2)
_WORD = 4  # bytes

_Typed = TypeVar("_Typed", bound=Value | Local | Param | Constant | Select)
_Array = TypeVar("_Array", bound=WorkgroupArray | PrivateArray | ConstantArray)


def emulate_small_integers(module: Module, capabilities: frozenset[Capability]) -> Module:
    """The module without the small integers that a device with these capabilities lacks; the module itself if none."""
    lacking = {type for capability in SMALL_INTEGERS.keys() - capabilities for type in SMALL_INTEGERS[capability]}
    if not lacking:
        return module
    emulation = _Emulation(module, lacking)
    made = dataclasses.replace(
        module,
        buffers=tuple(emulation.words.get(buffer.index, buffer) for buffer in module.buffers),
        params=tuple(map(emulation.widened, module.params)),
        workgroup_arrays=tuple(map(emulation.widened_array, module.workgroup_arrays)),
        body=emulation.block(module.body),
    )
    return module if made == module else made


class _Emulation:
    """Rewrites one module. `words`, by index, are the buffers that become words."""

    def __init__(self, module: Module, lacking: set[ScalarType]) -> None:
        self._ids = itertools.count(walk.next_id(module))
        self._lacking = lacking
        self.words = {
            buffer.index: dataclasses.replace(buffer, element=U32)
            for buffer in module.buffers
            if not lacking.isdisjoint(leaf_types(buffer.element))
        }
        self._powers_of_two = powers_of_two(module.body)
        self._out: list[Stmt] = []  # the block that is written
        self._groups: dict[int, Group] = {}  # of the current statement: by the number of the scalar that it stores
        self._span = module.span  # of the current statement

    def block(self, block: Block) -> Block:
        """The block without small integers."""
        out: list[Stmt] = []
        groups = find_groups(block, self.words.keys(), self._powers_of_two)
        for position, statement in enumerate(block):
            mapped = walk.map_statement(statement, lambda expr: walk.map_expr(expr, self._rewritten), self.block)
            self._out, self._span = out, statement.span
            self._groups = groups.get(position, {})
            self._statement(mapped)
        return walk.same_or(block, out)

    # ------------------------------------------------------------ types

    def _is_lacking(self, type: Element) -> bool:
        return isinstance(type, ScalarType) and type.is_storage and type in self._lacking

    def widened(self, named: _Typed) -> _Typed:
        """The same with a type that the device has."""
        if not self._is_lacking(named.type):
            return named
        return dataclasses.replace(named, type=_wide(scalar_of(named.type)))

    def widened_array(self, array: _Array) -> _Array:
        """The array, each element in 32 bits."""
        if not self._is_lacking(array.element):
            return array
        return dataclasses.replace(array, element=_wide(scalar_of(array.element)))

    # ------------------------------------------------------------ expressions

    def _rewritten(self, expr: Expr) -> Expr:
        """The expression that holds the same number; its operands have been rewritten."""
        match expr:
            case Constant() | Value() | Local() | Param() | Select():
                return self.widened(expr)
            case Convert() if self._is_lacking(expr.type):
                return _converted(expr.operand, scalar_of(expr.type))
            case Convert():
                return build.convert(expr.operand, expr.type)
            case Bitcast() if self._is_lacking(expr.type):
                return _narrowed(_bits(expr.operand), scalar_of(expr.type))
            case Bitcast() if expr.operand.type.nbytes != expr.type.nbytes:  # of a small integer, now wide, to f16
                return _half(_bits(expr.operand))
            case _:
                return expr

    def _let(self, name: str, expr: Expr) -> Expr:
        """Binds an expression that is used more than once before the current statement."""
        if isinstance(expr, (Constant, Value, Local, Param)):
            return expr
        value = Value(next(self._ids), name, expr.type)
        self._out.append(Let(value, expr, self._span))
        return value

    # ------------------------------------------------------------ statements

    def _statement(self, statement: Stmt) -> None:
        match statement:
            case Load() | Store() | Prefetch() | Atomic() if isinstance(statement.place.memory, Buffer):
                words = self.words.get(statement.place.memory.index)
                if words is None:
                    self._out.append(statement)
                else:
                    self._access_words(statement, words)
            case Load() | Store() | Prefetch() | Atomic():
                self._access_array(statement)
            case _:
                self._out.append(self._declaring(statement))

    def _declaring(self, statement: Stmt) -> Stmt:
        """The statement with what it binds or declares widened."""
        match statement:
            case Let() | Uniform():
                value = self.widened(statement.value)
                return statement if value is statement.value else dataclasses.replace(statement, value=value)
            case Declare() | Assign():
                local = self.widened(statement.local)
                return statement if local is statement.local else dataclasses.replace(statement, local=local)
            case DeclareArray():
                array = self.widened_array(statement.array)
                return statement if array is statement.array else DeclareArray(array, statement.span)
            case ForRange():
                counter = self.widened(statement.counter)
                return statement if counter is statement.counter else dataclasses.replace(statement, counter=counter)
            case _:
                return statement

    def _access_array(self, statement: Load | Store | Prefetch | Atomic) -> None:
        """An access to a workgroup or private array."""
        memory = statement.place.memory
        assert not isinstance(memory, Buffer)
        if not self._is_lacking(memory.element):
            self._out.append(statement)
            return
        place = Place(self.widened_array(memory), statement.place.index)
        if not isinstance(statement, Load):
            self._out.append(dataclasses.replace(statement, place=place))
            return
        # what is read from an array that is not written yet is in the range of its type too: it may be an index
        found = Value(next(self._ids), f"{statement.value.name}_wide", place.type)
        self._out.append(Load(found, place, self._span))
        number = _narrowed(found, scalar_of(statement.value.type))
        self._out.append(Let(self.widened(statement.value), number, self._span))

    # ------------------------------------------------------------ words

    def _access_words(self, statement: Load | Store | Prefetch | Atomic, words: Buffer) -> None:
        place = statement.place
        first, byte = self._address(place)
        match statement:
            case Load():
                parts = [
                    self._read(words, first, build.add(byte, offset), scalar) for offset, scalar in parts_of(place)
                ]
                expr = build.construct(*parts) if isinstance(place.type, VectorType) else parts[0]
                self._out.append(Let(self.widened(statement.value), expr, self._span))
            case Store():
                is_vector = isinstance(place.type, VectorType)
                stored = self._let("stored", statement.expr) if is_vector else statement.expr
                both = zip(parts_of(place), build.components(stored), strict=True)
                for number, ((offset, scalar), component) in enumerate(both):
                    self._write(words, first, build.add(byte, offset), scalar, component, self._groups.get(number))
            case Prefetch():
                self._out.append(Prefetch(Place(words, _word(first, byte)), self._span))
            case Atomic():
                raise AssertionError(f"an atomic on {place.type}")

    def _address(self, place: Place) -> tuple[Expr, Expr]:
        """A word, and the byte from its beginning at which the place begins; both u32, and without overflow."""
        size, offset = place.memory.element.nbytes, place.offset
        index = self._let("index", build.convert(place.index, U32))
        if size % 4 == 0:
            return self._let("first", build.mul(index, size // 4)), Constant(offset, U32)
        if size < 4:
            return Constant(0, U32), self._let("byte", build.add(build.mul(index, size), offset))
        four, rest = build.shr(index, 2), build.bit_and(index, 3)
        first = self._let("first", build.mul(four, size))
        return first, self._let("byte", build.add(build.mul(rest, size), offset))

    def _load(self, words: Buffer, word: Expr) -> Value:
        value = Value(next(self._ids), "word", U32)
        self._out.append(Load(value, Place(words, word), self._span))
        return value

    def _read(self, words: Buffer, first: Expr, byte: Expr, type: ScalarType) -> Expr:
        """A scalar from its bits in one word, or in two."""
        low = self._load(words, _word(first, byte))
        if type.bits == 64:
            high = Convert(self._load(words, _word(first, build.add(byte, 4))), U64)
            return build.bitcast(build.bit_or(Convert(low, U64), build.shl(high, 32)), type)
        if type.bits == 32:
            return build.bitcast(low, type)
        bits = build.shr(low, _shift(byte))
        if type == F16:
            return _half(bits)
        number = _narrowed(bits, type)
        return number if type in self._lacking else Convert(number, type)

    def _write(
        self, words: Buffer, first: Expr, byte: Expr, type: ScalarType, component: Expr, group: Group | None
    ) -> None:
        """Stores to the bits of a scalar alone, or with the others of its group."""
        if group is not None:
            self._write_group(words, first, byte, type, component, group)
            return
        word = self._let("word", _word(first, byte))
        if type.bits == 64:
            bits = self._let("bits", build.bitcast(component, U64))
            self._out.append(Store(Place(words, word), Convert(bits, U32), self._span))
            high = Place(words, build.add(word, 1))
            self._out.append(Store(high, Convert(build.shr(bits, 32), U32), self._span))
        elif type.bits == 32:
            self._out.append(Store(Place(words, word), build.bitcast(component, U32), self._span))
        else:
            self._set_bits(Place(words, word), _low_bits(component, type), _mask(type), _shift(byte))

    def _write_group(
        self, words: Buffer, first: Expr, byte: Expr, type: ScalarType, component: Expr, group: Group
    ) -> None:
        """Keeps the bits of a scalar; with those of the last one, stores to the piece of a word."""
        bits = Value(next(self._ids), "bits", U32)  # a variable may change before the last one
        self._out.append(Let(bits, _low_bits(component, type), self._span))
        group.stored.append(bits)
        if len(group.stored) < len(group.members):
            return
        combined: Expr = Constant(0, U32)
        mask = 0
        for member, part in zip(group.members.values(), group.stored, strict=True):
            combined = build.bit_or(combined, build.shl(part, 8 * member.first))
            mask |= _mask(member.type) << 8 * member.first
        place = Place(words, self._let("word", _word(first, byte)))
        if mask == U32.max_value:
            self._out.append(Store(place, combined, self._span))
        else:
            begin = Constant(0, U32) if group.size == _WORD else build.bit_and(byte, group.size)
            self._set_bits(place, combined, mask, _shift(begin))

    def _set_bits(self, place: Place, low: Expr, mask: int, position: Expr) -> None:
        """Sets the bits of a word at `position` under `mask`, and no others, with atomics."""
        shift = self._let("shift", position)
        bits = self._let("bits", build.shl(low, shift))
        others = build.invert(build.shl(Constant(mask, U32), shift))
        self._out.append(Atomic(None, AtomicOp.OR, place, bits, None, self._span))
        self._out.append(Atomic(None, AtomicOp.AND, place, build.bit_or(bits, others), None, self._span))


def _word(first: Expr, byte: Expr) -> Expr:
    """The index of the word with a byte that is counted from the beginning of the word `first`."""
    return build.add(first, build.shr(byte, 2))


def _shift(byte: Expr) -> Expr:
    """The position of a byte in its word, in bits; as the count of a shift it is taken modulo 32."""
    return build.shl(byte, 3)


# ---------------------------------------------------------------- numbers


def _mask(type: ScalarType) -> int:
    return (1 << type.bits) - 1


def _low_bits(expr: Expr, type: ScalarType) -> Expr:
    """The bits of a scalar of 8 or 16 bits in a u32, without copies of its sign above them."""
    return build.bit_and(_bits(expr), _mask(type)) if type.is_signed else _bits(expr)


def _wide(type: ScalarType) -> ScalarType:
    return I32 if type.is_signed else U32


def _narrowed(expr: Expr, type: ScalarType) -> Expr:
    """The number in the low bits of a 32-bit integer, as `type` reads them."""
    wide = build.convert(expr, _wide(type))
    if not type.is_signed:
        return build.bit_and(wide, type.max_value)
    return build.shr(build.shl(wide, 32 - type.bits), 32 - type.bits)


def _converted(operand: Expr, type: ScalarType) -> Expr:
    """A number converted to a small integer, held in 32 bits: floats saturate, integers wrap."""
    wide = build.convert(operand, _wide(type))
    if not scalar_of(operand.type).is_float:
        return _narrowed(wide, type)
    most = build.call(MathOp.MIN, wide, type.max_value)
    return build.call(MathOp.MAX, most, type.min_value) if type.is_signed else most


def _bits(expr: Expr) -> Expr:
    """The bits of an integer of up to 32 bits or an f16, as a u32. Those of a small type are the low ones."""
    return Bitcast(Construct((expr, build.zero(F16)), _HALVES), U32) if expr.type == F16 else build.convert(expr, U32)


def _half(bits: Expr) -> Expr:
    """The f16 in the low bits of a u32."""
    return Extract(Bitcast(bits, _HALVES), 0, F16)
