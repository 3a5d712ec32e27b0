"""Several elements of a buffer as one value: the types of such values, and how elements are taken out and put in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gpucore.ir import (
    F16,
    U32,
    Bitcast,
    Construct,
    Convert,
    Element,
    Expr,
    Extract,
    ScalarType,
    StructType,
    Type,
    VectorType,
    build,
)

_WORD = 4  # bytes
_MAX_WIDTH = 4  # of a vector

TakesView = Callable[[Element, Type], bool]


def view_of(element: Element, count: int, takes: TakesView) -> Type | None:
    """The type of `count` elements as one value: a vector of the element's own scalars, or of words with their bits;
    None if there is none that is taken."""
    return next((view for view in _views(element, count) if takes(element, view)), None)


def _views(element: Element, count: int) -> Iterator[Type]:
    if isinstance(element, StructType):
        return
    nbytes = element.nbytes * count
    if isinstance(element, ScalarType) and not element.is_storage and element.nbytes <= _WORD and count <= _MAX_WIDTH:
        yield VectorType(element, count)
    if nbytes == _WORD:
        yield U32
    elif nbytes in (2 * _WORD, 4 * _WORD):
        yield VectorType(U32, nbytes // _WORD)


def elements_in(value: Expr, element: Type, count: int) -> list[Expr]:
    """The elements in a value of a view. `value` is repeated in them."""
    if isinstance(value.type, VectorType) and value.type.element == element:
        return build.components(value)
    words = build.components(value)
    size = element.nbytes
    if size < _WORD:
        return [_part(words[at * size // _WORD], element, at * size % _WORD) for at in range(count)]
    each = size // _WORD
    return [_of_words(words[at * each : (at + 1) * each], element) for at in range(count)]


def as_view(elements: Sequence[Expr], view: Type) -> Expr:
    """The value of a view with these elements, whose expressions are repeated in it."""
    element = elements[0].type
    if isinstance(view, VectorType) and view.element == element:
        return Construct(tuple(elements), view)
    if element.nbytes < _WORD:
        each = _WORD // element.nbytes
        words = [_word(elements[at : at + each]) for at in range(0, len(elements), each)]
    else:
        words = [word for value in elements for word in _words(value)]
    return Construct(tuple(words), view) if isinstance(view, VectorType) else words[0]


def _part(word: Expr, element: Type, byte: int) -> Expr:
    """The element in a word from a byte on."""
    if element == F16:
        return Extract(Bitcast(word, VectorType(F16, 2)), byte // F16.nbytes, F16)
    shifted = build.shr(word, 8 * byte) if byte else word
    return Convert(shifted, element)


def _word(elements: Sequence[Expr]) -> Expr:
    """The word of two or four elements."""
    if elements[0].type == F16:
        return Bitcast(Construct(tuple(elements), VectorType(F16, 2)), U32)
    size = elements[0].type.nbytes
    mask = (1 << 8 * size) - 1
    word: Expr | None = None
    for at, element in enumerate(elements):
        bits = build.bit_and(Convert(element, U32), mask)
        shifted = build.shl(bits, 8 * size * at) if at else bits
        word = shifted if word is None else build.bit_or(word, shifted)
    assert word is not None
    return word


def _of_words(words: Sequence[Expr], element: Type) -> Expr:
    bits = words[0] if len(words) == 1 else Construct(tuple(words), VectorType(U32, len(words)))
    return build.bitcast(bits, element)


def _words(value: Expr) -> list[Expr]:
    """The words of a value of 4, 8 or 16 bytes."""
    count = value.type.nbytes // _WORD
    return build.components(build.bitcast(value, U32 if count == 1 else VectorType(U32, count)))
