"""Checks of the arguments of a kernel call, before they reach a driver."""

from __future__ import annotations

import difflib
import enum
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

import numpy as np

from gpucore import front, ir, passes
from gpucore.array import Array
from gpucore.device import Device
from gpucore.errors import ArgumentError
from gpucore.front.text.nominal import NominalDType, is_enum
from gpucore.front.text.signature import (
    BufferParameter,
    ConstParameter,
    Parameter,
    ScalarParameter,
    Signature,
    StructParameter,
    check_constant,
    plain_constant,
)
from gpucore.layout import Layout
from gpucore.runtime.protocol import Buffer
from gpucore.structs import StructDType, fields_of
from gpucore.types import DType, dtype_of
from gpucore.valid.capabilities import capability_of


def bind(name: str, signature: Signature, args: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by parameter name; ArgumentError for missing or extra arguments."""
    try:
        bound = signature.python.bind(*args, **keywords)
    except TypeError as error:
        wanted = ", ".join(parameter.name for parameter in signature.parameters)
        raise ArgumentError(f"{name}: {error}; the kernel takes ({wanted}){_meant(signature, keywords)}") from None
    bound.apply_defaults()
    return bound.arguments


_GRID_WORDS = {
    **dict.fromkeys(("grid", "grid_size", "blocks", "num_blocks", "workgroup"), "workgroups=n"),
    **dict.fromkeys(("global_size", "threads", "dim", "size"), "invocations=n"),
    **dict.fromkeys(("block", "block_size", "block_dim", "local_size", "workgroup_size"),
                    "@gp.kernel(workgroup_size=n) where the kernel is defined"),
}  # fmt: skip
"""Keyword of a call in another library -> what to write."""


def _meant(signature: Signature, keywords: Mapping[str, Any]) -> str:
    """The end of the error of a call that does not fit: what its first unknown keyword may mean."""
    known = [*signature.names, "invocations", "workgroups"]
    for keyword in keywords:
        if keyword in _GRID_WORDS and keyword not in known:
            return f"; write {_GRID_WORDS[keyword]}"
        close = difflib.get_close_matches(keyword, known, n=1)
        if close and keyword not in known:
            return f"; did you mean {close[0]}?"
    return ""


def choose_invocations(
    name: str, signature: Signature, args: Sequence[Any], keywords: Mapping[str, Any], invocations: Any
) -> Any:
    """`invocations` as given, or one for each element of the array that is given instead.

    The default is the only array that the kernel writes; ArgumentError if it writes none or several.
    """
    if invocations is None:
        written = {
            each.name: position
            for position, each in enumerate(signature.parameters)
            if isinstance(each, BufferParameter) and each.mode != "in"
        }
        if len(written) != 1:
            raise ArgumentError(
                f"{name}: give either invocations=n (or a tuple, or an array) or workgroups=n (or a tuple); they may "
                "be left out only for a kernel that writes one array, and this one writes "
                f"{', '.join(written) or 'none'}"
            )
        ((parameter, position),) = written.items()
        invocations = args[position] if position < len(args) else keywords.get(parameter)
        if not _is_array(invocations):
            return 0  # the check of the arguments raises
    return tuple(invocations.shape)[::-1] if _is_array(invocations) else invocations


def check_default_grid(kernel: str, layout: Layout) -> None:
    """Refuse the grid that `choose_invocations` takes from the only written array, if that one does not give it."""
    if layout.counter:
        read = next((name for name in layout.views if name != layout.counter), "n")
        raise ArgumentError(
            f"{kernel}: give invocations={read}, or another grid; the kernel reaches {layout.counter!r}, the only "
            "array that it writes, by atomics alone, so one invocation for each of its elements is no default"
        )


def _is_array(value: Any) -> bool:
    """Whether it is an array, also one of another library."""
    return isinstance(getattr(value, "shape", None), Iterable) and not isinstance(value, np.generic)


def refuse(kernel: str, parameter: str, message: str) -> NoReturn:
    """Raise ArgumentError for one argument of a kernel."""
    raise ArgumentError(f"{kernel}: the argument {parameter!r} {message}")


def check_array(kernel: str, parameter: BufferParameter, value: Any, device: Device | None) -> Array:
    """Check an array argument: an open device array of the right rank, on the same device as the others."""
    if not isinstance(value, Array):
        if isinstance(value, np.ndarray):
            refuse(kernel, parameter.name, "is a NumPy array, which is not on a device; copy it once with "
                   f"gp.asarray({parameter.name}) and keep the result")  # fmt: skip
        shared = ", or with gp.from_dlpack in the same memory" if hasattr(value, "__dlpack__") else ""
        refuse(kernel, parameter.name, f"must be a device array, not {type(value).__name__}; make one with gp.asarray"
               + shared)  # fmt: skip
    if value.is_closed:
        refuse(kernel, parameter.name, "was closed; create a new array")
    if len(value.shape) != parameter.rank:
        refuse(kernel, parameter.name, f"has rank {value.ndim}, and the kernel takes rank {parameter.rank}; use "
               f"{'reshape(-1)' if parameter.rank == 1 else 'reshape(rows, columns)'}")  # fmt: skip
    if device is not None and value.device is not device:
        refuse(
            kernel,
            parameter.name,
            f"is on {value.device.id}, and another argument is on {device.id}; move one with .to(...)",
        )
    return value


class ArrayChecks:
    """The checks of a kernel's array arguments, used by first and repeated calls."""

    def __init__(self, kernel: str, signature: Signature) -> None:
        self._kernel = kernel
        self._parameters = tuple(
            (position, parameter, parameter.rank)
            for position, parameter in enumerate(signature.parameters)
            if isinstance(parameter, BufferParameter)
        )
        self._writes = any(parameter.mode != "in" for _, parameter, _ in self._parameters)

    def check(self, arguments: Sequence[Any]) -> tuple[Device, list[Array], list[Buffer]]:
        """The device, the arrays and their buffers, from arguments in the order of the parameters."""
        device: Device | None = None
        arrays: list[Array] = []
        buffers: list[Buffer] = []
        limit = 0
        for position, parameter, rank in self._parameters:
            array = arguments[position]
            if (
                type(array) is not Array
                or array.is_closed
                or len(array.shape) != rank
                or (array.device is not device and device is not None)
            ):
                array = check_array(self._kernel, parameter, array, device)
            if device is None:
                device = array.device
                limit = device.info.limits.max_binding_size
            if array.nbytes > limit or (array.start and array.buffer.nbytes > limit):
                self._refuse_size(parameter, array, limit)
            arrays.append(array)
            buffers.append(array.buffer)
        if device is None:
            raise ArgumentError(f"{self._kernel}: a kernel needs at least one array argument, to store its results")
        storages = {array.storage for array in arrays}
        if self._writes and (len(storages) < len(arrays) or any(storage.is_adopted for storage in storages)):
            self.refuse_aliases(arrays)
        return device, arrays, buffers

    def _refuse_size(self, parameter: BufferParameter, array: Array, limit: int) -> NoReturn:
        nbytes = max(array.nbytes, array.buffer.nbytes if array.start else 0)
        refuse(
            self._kernel,
            parameter.name,
            f"has {nbytes} bytes, and a kernel on {array.device.id} can access at most {limit} bytes of an array "
            "(max_binding_size); split the array, or choose another device",
        )

    def refuse_aliases(self, arrays: Sequence[Any]) -> None:
        """Raise for the first parameter that shares memory with another one, if either of them is written. `arrays` has
        the argument of each array parameter; those that are no device arrays are left out."""
        earlier: list[tuple[BufferParameter, Array]] = []
        for (_, parameter, _), array in zip(self._parameters, arrays, strict=True):
            if not isinstance(array, Array):
                continue
            for other, its in earlier:
                if (other.mode, parameter.mode) != ("in", "in") and array.overlaps(its):
                    what = "is the same memory as" if array.has_memory_of(its) else "shares memory with"
                    refuse(
                        self._kernel,
                        parameter.name,
                        f"{what} {other.name!r}, and the kernel writes to it; pass a .copy(), or annotate one InOut "
                        "parameter",
                    )
            earlier.append((parameter, array))


def bound_element(
    kernel: str, parameter: BufferParameter, array: Array, types: Mapping[TypeVar, ir.Type]
) -> ir.Element:
    """The element type in the kernel: the array's, or a vector of it if the parameter is annotated so."""
    wanted = types[parameter.element] if isinstance(parameter.element, TypeVar) else element_of(parameter.element)
    have = array.dtype.ir_type
    if isinstance(parameter.element, StructDType) or isinstance(have, ir.StructType):
        given: object = array.dtype
        if not (isinstance(parameter.element, StructDType) and parameter.element.takes(given)):
            refuse(kernel, parameter.name, f"holds {array.dtype!r}, and the kernel takes {parameter.element!r}; make "
                   f"it with gp.asarray(..., {parameter.element!r})")  # fmt: skip
        return have
    assert not isinstance(wanted, ir.StructType)
    if have == wanted:
        return wanted
    if isinstance(wanted, ir.VectorType) and have == wanted.element:
        check_last_axis(kernel, parameter, array, wanted)
        return wanted
    what = f"holds {have}, and the kernel takes {wanted}"
    if isinstance(wanted, ir.ScalarType) and ir.scalar_of(have) == wanted:
        refuse(kernel, parameter.name, f"{what}; pass {parameter.name}.view(gp.{wanted})")
    if parameter.mode != "in":  # the kernel would write to a copy
        refuse(kernel, parameter.name, f"{what}; make it of that dtype, as in gp.empty(shape, gp.{wanted})")
    lacks = capability_of(ir.scalar_of(have)) not in (None, *array.device.capabilities, *passes.EMULATED)
    if isinstance(have, ir.VectorType) or lacks:
        refuse(kernel, parameter.name, f"{what}; make it with gp.asarray(values, gp.{wanted})")
    refuse(kernel, parameter.name, f"{what}; pass {parameter.name}.astype(gp.{ir.scalar_of(wanted)})")


def check_last_axis(kernel: str, parameter: BufferParameter, array: Array, viewed: ir.VectorType) -> None:
    """Check that an array of scalars can be viewed as vectors: its last axis, and where it begins in its memory."""
    if array.shape[-1] % viewed.width:
        refuse(
            kernel,
            parameter.name,
            f"has a last axis of {array.shape[-1]}, and a buffer of {viewed} needs a multiple of {viewed.width}; "
            f"pad it, or write the kernel for {viewed.element}",
        )
    if array.offset % (viewed.width * array.dtype.itemsize):
        refuse(
            kernel,
            parameter.name,
            f"begins at element {array.offset // array.dtype.itemsize} of its memory, and a buffer of {viewed} begins "
            f"at a multiple of {viewed.width}; pass a .copy(), or write the kernel for {viewed.element}",
        )


def element_of(dtype: DType | NominalDType | StructDType) -> ir.Element:
    """The element type in memory: for a NewType or enum, its scalar."""
    if isinstance(dtype, NominalDType) and dtype.ir_type != ir.BF16:
        return dtype.ir_type.base
    return dtype.ir_type


def bind_types(kernel: str, signature: Signature, arguments: Mapping[str, Any]) -> tuple[tuple[TypeVar, ir.Type], ...]:
    """The type of each type variable, from array arguments first, then from scalars."""
    found: dict[TypeVar, ir.Type] = {}
    ordered: list[Parameter] = sorted(signature.parameters, key=lambda p: not isinstance(p, BufferParameter))
    for parameter in ordered:
        variable = parameter.element if isinstance(parameter, BufferParameter) else getattr(parameter, "type", None)
        if not isinstance(variable, TypeVar) or variable in found:
            continue
        value = arguments[parameter.name]
        dtype = value.dtype if isinstance(value, Array) else _scalar_dtype(value)
        if isinstance(dtype, StructDType):
            refuse(kernel, parameter.name, f"holds {dtype!r}, and {variable.__name__} stands for scalars and vectors; "
                   f"annotate the parameter gp.In[{dtype!r}]")  # fmt: skip
        if not isinstance(dtype, DType):
            refuse(
                kernel,
                parameter.name,
                f"gives no type for {variable.__name__}; pass a NumPy scalar such as numpy.float32(...)",
            )
        allowed = variable.__constraints__
        if allowed and not any(dtype is c for c in allowed):
            vectors = [
                c for c in allowed if isinstance(c.ir_type, ir.VectorType) and c.ir_type.element == dtype.ir_type
            ]
            if isinstance(value, Array) and len(vectors) == 1:
                found[variable] = vectors[0].ir_type  # the array is viewed as vectors
                continue
            names = ", ".join(str(c.ir_type) for c in allowed)
            refuse(
                kernel,
                parameter.name,
                f"is {dtype.ir_type}, and {variable.__name__} stands for one of {names}; convert it"
                + (f", as in {parameter.name}.astype(gp.{allowed[0].ir_type})" if isinstance(value, Array) else ""),
            )
        found[variable] = dtype.ir_type
    return tuple(found.items())


def _scalar_dtype(value: Any) -> DType | None:
    if isinstance(value, np.generic):
        return next((dtype_of(t) for t in ir.SCALARS if dtype_of(t) == value.dtype), None)
    if isinstance(value, bool):
        return None
    return dtype_of(ir.I32) if isinstance(value, int) else dtype_of(ir.F32) if isinstance(value, float) else None


def specialise(kernel: str, signature: Signature, arguments: Mapping[str, Any]) -> front.Specialisation:
    """The specialisation for checked arguments."""
    types = bind_types(kernel, signature, arguments)
    mapping = dict(types)
    for each in signature.parameters:
        is_bf16 = isinstance(each, ScalarParameter) and isinstance(each.type, TypeVar) and mapping[each.type] == ir.BF16
        if is_bf16:
            refuse(kernel, each.name, "would be a bf16, and numbers are passed as gp.f32; annotate it gp.f32")
    elements = tuple(
        bound_element(kernel, p, arguments[p.name], mapping)
        for p in signature.parameters
        if isinstance(p, BufferParameter)
    )
    constants = []
    for parameter in signature.parameters:
        if isinstance(parameter, ConstParameter):
            value = arguments[parameter.name]
            if not check_constant(value, parameter.type):
                refuse(kernel, parameter.name, f"is a compile-time {constant_kind(parameter)}, not {value!r}")
            constants.append((parameter.name, plain_constant(value, parameter.type)))
    return front.Specialisation(elements, types, tuple(constants))


def constant_kind(parameter: ConstParameter) -> str:
    """The class that a compile-time parameter takes, for messages."""
    return str(getattr(parameter.type, "__name__", parameter.type))


def specialise_by_name(kernel: str, signature: Signature, bindings: Mapping[str, Any]) -> front.Specialisation:
    """The specialisation without a call, from values of Const parameters and dtypes of type variables, by name."""
    types: dict[TypeVar, ir.Type] = {}
    elements: list[ir.Element] = []
    constants: list[tuple[str, Any]] = []
    left = dict(bindings)
    for parameter in signature.parameters:
        if isinstance(parameter, ConstParameter):
            constants.append((parameter.name, _bound_constant(kernel, parameter, left)))
        elif not isinstance(parameter, StructParameter):
            element = parameter.element if isinstance(parameter, BufferParameter) else parameter.type
            if isinstance(element, TypeVar) and element not in types:
                types[element] = _choose_type(kernel, element, left.pop(element.__name__, None))
            if isinstance(parameter, BufferParameter):
                elements.append(types[element] if isinstance(element, TypeVar) else element_of(element))
    if left:
        raise ArgumentError(f"{kernel} has no compile-time parameter or type variable named {', '.join(left)}")
    return front.Specialisation(tuple(elements), tuple(types.items()), tuple(constants))


def _bound_constant(kernel: str, parameter: ConstParameter, left: dict[str, Any]) -> Any:
    if parameter.name not in left:
        raise ArgumentError(f"{kernel}: give a value for the compile-time parameter, {parameter.name}=...")
    value = left.pop(parameter.name)
    if not check_constant(value, parameter.type):
        refuse(kernel, parameter.name, f"is a compile-time {constant_kind(parameter)}, not {value!r}")
    return plain_constant(value, parameter.type)


def _choose_type(kernel: str, variable: TypeVar, given: Any) -> ir.Type:
    allowed = variable.__constraints__
    choice = given if given is not None else next(iter(allowed), dtype_of(ir.F32))
    if not isinstance(choice, DType):
        raise ArgumentError(f"{kernel}: {variable.__name__} is a dtype such as gp.f32, not {choice!r}")
    if allowed and choice not in allowed:
        names = ", ".join(str(c.ir_type) for c in allowed)
        raise ArgumentError(f"{kernel}: {variable.__name__} stands for one of {names}, not {choice.ir_type}")
    return choice.ir_type


def check_value(
    kernel: str,
    parameter: ScalarParameter | StructParameter,
    value: Any,
    types: Mapping[TypeVar, ir.Type],
) -> None:
    """Check a number or struct passed by value, whether the kernel uses it or not."""
    if isinstance(parameter, StructParameter):
        check_struct(kernel, parameter, value)
        _check_fields(kernel, parameter.name, parameter.cls, value)
        return
    if isinstance(parameter.type, NominalDType) and is_enum(parameter.type.ir_type):
        check_enum(kernel, parameter.name, value, parameter.type.ir_type.python)
    type_ = types[parameter.type] if isinstance(parameter.type, TypeVar) else element_of(parameter.type)
    assert not isinstance(type_, ir.StructType)
    _check_number(kernel, parameter.name, value, type_)


def _check_fields(kernel: str, name: str, cls: StructDType, value: Any) -> None:
    for field in fields_of(cls):
        inner, part = f"{name}.{field.name}", getattr(value, field.name)
        if isinstance(field.nominal, enum.EnumMeta):
            check_enum(kernel, inner, part, field.nominal)
        if not isinstance(field.dtype, StructDType):
            _check_number(kernel, inner, part, field.dtype.ir_type)
        elif isinstance(part, field.dtype):
            _check_fields(kernel, inner, field.dtype, part)
        else:
            refuse(kernel, inner, f"must be a {field.dtype.__name__}, not {type(part).__name__}")


def _check_number(kernel: str, name: str, value: Any, type: ir.Type) -> None:
    if isinstance(type, ir.ScalarType):
        check_scalar(kernel, name, value, type)
        return
    try:
        components = list(value)
    except TypeError:
        components = []
    if len(components) != type.width:
        refuse(kernel, name, f"must have {type.width} components ({type}), as in a tuple or NumPy array, not {value!r}")
    for letter, component in zip("xyzw", components, strict=False):
        check_scalar(kernel, f"{name}.{letter}", component, type.element)


def check_enum(kernel: str, name: str, value: Any, members: Any) -> None:
    """Check that the value for a parameter or field annotated with an enum is one of its members."""
    if not isinstance(value, members):
        refuse(kernel, name, f"must be a member of {members.__name__}, not {value!r}")


def check_scalar(kernel: str, parameter: str, value: Any, type: ir.ScalarType) -> bool | int | float:
    """Check a number passed by value, and convert it for `type`. Nothing is wrapped, or rounded to an integer."""
    if isinstance(value, enum.IntEnum):
        value = int(value)
    if isinstance(value, np.generic):
        if value.dtype == dtype_of(type).dtype:
            plain: bool | int | float = value.item()
            return plain
        if value.dtype.kind not in ("iu" if type.is_integer else "iuf"):
            refuse(
                kernel,
                parameter,
                f"is {value.dtype}, and the kernel takes {type}; convert with numpy.{dtype_of(type).dtype}(...)",
            )
        value = value.item()
    if type == ir.BOOL:
        if not isinstance(value, bool):
            refuse(kernel, parameter, f"must be True or False, not {value!r}")
        return value
    if type.is_integer:
        if not isinstance(value, int) or isinstance(value, bool):
            refuse(kernel, parameter, f"must be a whole number ({type}), not {value!r}")
        if not type.min_value <= value <= type.max_value:
            refuse(kernel, parameter, f"is {value}, and {type} holds {type.min_value} to {type.max_value}")
        return value
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        refuse(kernel, parameter, f"must be a number ({type}), not {value!r}")
    return _as_float(kernel, parameter, value, type)


def _as_float(kernel: str, parameter: str, value: int | float, type: ir.ScalarType) -> float:
    with np.errstate(over="ignore"):
        try:
            rounded = float(dtype_of(type).dtype.type(value))
        except OverflowError:
            rounded = float("inf")
    if np.isinf(rounded) and not (isinstance(value, float) and np.isinf(value)):
        refuse(kernel, parameter, f"is {value!r}, which is beyond the range of {type}")
    return rounded


def check_struct(kernel: str, parameter: StructParameter, value: Any) -> None:
    """Check that a struct passed by value is of the annotated class."""
    if not isinstance(value, parameter.cls):
        given = "the class itself" if value is parameter.cls else type(value).__name__
        refuse(kernel, parameter.name, f"must be a {parameter.cls.__name__}, not {given}")


__all__ = [
    "ArrayChecks", "bind", "check_array", "check_default_grid", "check_enum", "check_last_axis", "check_scalar",
    "check_struct", "check_value", "choose_invocations", "element_of", "refuse", "specialise",
    "specialise_by_name",
]  # fmt: skip
