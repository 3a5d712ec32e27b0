"""The names of the kernel language. Called outside a kernel, they raise KernelOnlyError."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any, NoReturn, TypeVar

from gpucore.errors import ArgumentError, KernelOnlyError
from gpucore.host import host_only
from gpucore.ir import FLOAT_ATOMICS, AtomicOp

_T = TypeVar("_T")


def _outside(name: str) -> NoReturn:
    raise KernelOnlyError(
        f"gp.{name} can only be used inside a kernel (a function decorated with @gp.kernel, or one that it calls)"
    )


def global_id(axis: int = 0) -> Any:
    """The id of this invocation in the whole dispatch along `axis` (0, 1, 2): i32."""
    _outside("global_id")


def local_id(axis: int = 0) -> Any:
    """The id of this invocation in its workgroup along `axis`: i32."""
    _outside("local_id")


def workgroup_id(axis: int = 0) -> Any:
    """The id of this invocation's workgroup in the dispatch along `axis`: i32."""
    _outside("workgroup_id")


def num_workgroups(axis: int = 0) -> Any:
    """The number of workgroups in the dispatch along `axis`: i32."""
    _outside("num_workgroups")


def workgroup_size(axis: int = 0) -> Any:
    """The number of invocations in a workgroup along `axis`: a compile-time int."""
    _outside("workgroup_size")


def local_index() -> Any:
    """The linear index of this invocation in its workgroup, x fastest: i32."""
    _outside("local_index")


def workgroup_array(dtype: Any, shape: Any) -> Any:
    """Memory that the invocations of a workgroup share; undefined until written. `shape` is known at compile time.

    Each call in the lowered code creates a separate array: a helper that is called twice creates two, a runtime loop
    one, gp.unroll one for each iteration.
    """
    _outside("workgroup_array")


def private_array(dtype: Any, shape: Any) -> Any:
    """Memory of one invocation, set to zero each time the call is executed. If all indices are compile-time values, it
    is kept in registers. It exists until the end of the branch or loop iteration that creates it."""
    _outside("private_array")


def barrier() -> None:
    """Wait for all invocations of the workgroup. Their earlier writes are then visible. All or none must reach it."""
    _outside("barrier")


def assume_uniform(value: _T) -> _T:
    """`value`. You promise that it is the same in all invocations of the workgroup. The compiler relies on it: a
    barrier may depend on a condition computed from it. gp.check reports a broken promise. All invocations or none must
    reach the call.
    """
    _outside("assume_uniform")


def prefetch(array: Any, index: Any) -> None:
    """Ask for `array[index]`, in a buffer, to be brought into the cache before it is needed. It changes no result, the
    index may be out of range, and devices that have no use for it ignore it; today only the cpu plugin has.
    """
    _outside("prefetch")


def unroll(iterable: Iterable[_T]) -> Iterable[_T]:
    """`for i in gp.unroll(range(4))`: the body is repeated for each i, which is a compile-time value."""
    _outside("unroll")


def static(value: _T) -> _T:
    """Evaluate any Python expression of compile-time values when the kernel is compiled."""
    _outside("static")


def bitcast(dtype: Any, value: Any) -> Any:
    """Reinterpret the bits of a value as another type of the same size."""
    _outside("bitcast")


def select(condition: Any, if_true: Any, if_false: Any) -> Any:
    """`if_true` if `condition` is true, else `if_false`: scalars or vectors. Both are evaluated.

    The condition may be a mask, which a comparison of vectors gives: then each component is chosen by its own bool.
    """
    _outside("select")


def any(mask: Any) -> Any:
    """Whether any component of a mask is true. A mask is what a comparison of vectors gives: `gp.any(v < w)`."""
    _outside("any")


def all(mask: Any) -> Any:
    """Whether all components of a mask are true. A mask is what a comparison of vectors gives: `gp.all(v == w)`."""
    _outside("all")


def max_value(dtype: Any) -> Any:
    """The largest finite value of a scalar type."""
    _outside("max_value")


def min_value(dtype: Any) -> Any:
    """The smallest finite value of a scalar type."""
    _outside("min_value")


def div_trunc(a: Any, b: Any) -> Any:
    """Integer quotient rounded toward zero; a for b = 0."""
    _outside("div_trunc")


def rem(a: Any, b: Any) -> Any:
    """Integer remainder with the sign of `a`; 0 for b = 0."""
    _outside("rem")


MATH: dict[str, Callable[..., Any]] = {}
"""The functions of numbers, by name: those of `ir.FUNCTIONS`, and length."""


def _math(name: str, doc: str) -> Callable[..., Any]:
    def function(*args: Any) -> Any:
        for arg in args:
            if hasattr(type(arg), "apply_function"):  # a device array
                return type(arg).apply_function(function, args)
        _outside(name)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    MATH[name] = function
    return function


abs = _math("abs", "Absolute value; abs of the smallest signed integer is itself.")
min = _math("min", "min(x, y): the smaller; if one float is NaN, the other.")
max = _math("max", "max(x, y): the larger; if one float is NaN, the other.")
clamp = _math("clamp", "clamp(x, low, high) = min(max(x, low), high).")
floor = _math("floor", "The largest whole number not above x.")
ceil = _math("ceil", "The smallest whole number not below x.")
round = _math("round", "Nearest whole number, ties to even.")
trunc = _math("trunc", "Whole part of x.")
fract = _math("fract", "x - floor(x).")
sqrt = _math("sqrt", "Square root.")
rsqrt = _math("rsqrt", "1 / sqrt(x).")
exp = _math("exp", "e to the x.")
exp2 = _math("exp2", "2 to the x.")
log = _math("log", "Natural logarithm.")
log2 = _math("log2", "Logarithm to base 2.")
log10 = _math("log10", "Logarithm to base 10.")
pow = _math("pow", "pow(x, y): x to the y.")
sin = _math("sin", "Sine of radians.")
cos = _math("cos", "Cosine of radians.")
tan = _math("tan", "Tangent of radians.")
asin = _math("asin", "Arc sine, radians.")
acos = _math("acos", "Arc cosine, radians.")
atan = _math("atan", "Arc tangent, radians.")
atan2 = _math("atan2", "atan2(y, x): angle of the point (x, y), radians.")
sinh = _math("sinh", "Hyperbolic sine.")
cosh = _math("cosh", "Hyperbolic cosine.")
tanh = _math("tanh", "Hyperbolic tangent.")
fma = _math("fma", "fma(a, b, c) = a * b + c, rounded once if the device has a fused multiply-add.")
sign = _math("sign", "-1, 0 or 1 with the sign of x; 0 for NaN.")
mix = _math("mix", "mix(a, b, t) = a * (1 - t) + b * t.")
step = _math("step", "step(edge, x): 1 where x >= edge, else 0.")
dot = _math("dot", "Sum of the products of two vectors' components.")
popcount = _math("popcount", "Number of 1 bits of an integer.")
clz = _math("clz", "Number of leading zero bits of an integer.")
ctz = _math("ctz", "Number of trailing zero bits of an integer.")
reverse_bits = _math("reverse_bits", "The bits of an integer in reverse order.")
erf = _math("erf", "Error function.")
hypot = _math("hypot", "hypot(x, y): sqrt(x * x + y * y), without overflow of the squares.")
log1p = _math("log1p", "log(1 + x), accurate near 0.")
expm1 = _math("expm1", "exp(x) - 1, accurate near 0.")
cbrt = _math("cbrt", "Cube root, also of negative numbers.")
copysign = _math("copysign", "copysign(x, y): the magnitude of x with the sign of y.")
ldexp = _math("ldexp", "ldexp(x, n) = x * 2 ** n, rounded once; n is an i32.")
mul_hi = _math("mul_hi", "mul_hi(x, y): the upper half of the double-width product of two integers.")
rotate_left = _math("rotate_left", "rotate_left(x, n): the bits of an integer rotated left by n.")
rotate_right = _math("rotate_right", "rotate_right(x, n): the bits of an integer rotated right by n.")
dot4_u8_packed = _math("dot4_u8_packed", "Sum of the products of the four bytes of two u32: u32.")
dot4_i8_packed = _math("dot4_i8_packed", "Sum of the products of the four bytes of two u32, as signed i8: i32.")
length = _math("length", "Euclidean length of a vector; abs of a scalar.")
isnan = _math("isnan", "Whether a float is NaN.")
isinf = _math("isinf", "Whether a float is an infinity.")


ATOMICS: dict[str, Callable[..., Any]] = {}
"""The atomic functions, by the name of the operation."""


def _atomic(name: str, doc: str) -> Callable[..., Any]:
    def function(array: Any, index: Any, *operands: Any) -> Any:
        _outside(f"atomic_{name}")

    function.__name__ = function.__qualname__ = f"atomic_{name}"
    ATOMICS[name] = function
    types = "i32 and u32 (i64 and u64 if the device has the capability ATOMIC_INT64"
    types += "; f32)" if AtomicOp(name) in FLOAT_ATOMICS else ")"
    function.__doc__ = f"{doc} On {types} in buffers and workgroup arrays. Returns the old value."
    return function


atomic_load = _atomic("load", "atomic_load(array, index): read.")
atomic_store = _atomic("store", "atomic_store(array, index, value): write; returns nothing.")
atomic_add = _atomic("add", "atomic_add(array, index, value).")
atomic_sub = _atomic("sub", "atomic_sub(array, index, value).")
atomic_min = _atomic("min", "atomic_min(array, index, value).")
atomic_max = _atomic("max", "atomic_max(array, index, value).")
atomic_and = _atomic("and", "atomic_and(array, index, value).")
atomic_or = _atomic("or", "atomic_or(array, index, value).")
atomic_xor = _atomic("xor", "atomic_xor(array, index, value).")
atomic_exchange = _atomic("exchange", "atomic_exchange(array, index, value).")
atomic_compare_exchange = _atomic(
    "compare_exchange",
    "atomic_compare_exchange(array, index, expected, value): store value if the element is expected.",
)


def subgroup_size() -> Any:
    """The number of invocations in a subgroup: i32. The last subgroup of a workgroup may have fewer."""
    _outside("subgroup_size")


def subgroup_id() -> Any:
    """The id of this invocation's subgroup in the workgroup: i32."""
    _outside("subgroup_id")


def num_subgroups() -> Any:
    """The number of subgroups in a workgroup: i32."""
    _outside("num_subgroups")


def subgroup_invocation_id() -> Any:
    """The id of this invocation in its subgroup: i32."""
    _outside("subgroup_invocation_id")


SUBGROUPS: dict[str, Callable[..., Any]] = {}
"""The subgroup operations, by name: votes on bool, the others on i32, u32 and f32."""


def _subgroup(name: str, doc: str) -> Callable[..., Any]:
    def function(*operands: Any) -> Any:
        _outside(f"subgroup_{name}")

    function.__name__ = function.__qualname__ = f"subgroup_{name}"
    SUBGROUPS[name] = function
    function.__doc__ = f"{doc} All invocations of the workgroup or none must reach it."
    return function


subgroup_broadcast = _subgroup("broadcast", "subgroup_broadcast(x, id): x of invocation id, which is the same in all.")
subgroup_shuffle = _subgroup("shuffle", "subgroup_shuffle(x, id): x of invocation id, which must exist.")
subgroup_shuffle_xor = _subgroup("shuffle_xor", "subgroup_shuffle_xor(x, mask): x of invocation (own id) ^ mask.")
subgroup_shuffle_up = _subgroup("shuffle_up", "subgroup_shuffle_up(x, n): x of invocation (own id) - n.")
subgroup_shuffle_down = _subgroup("shuffle_down", "subgroup_shuffle_down(x, n): x of invocation (own id) + n.")
subgroup_add = _subgroup("add", "subgroup_add(x): the sum over the subgroup; floats are added in any order.")
subgroup_min = _subgroup("min", "subgroup_min(x): the minimum over the subgroup.")
subgroup_max = _subgroup("max", "subgroup_max(x): the maximum over the subgroup.")
subgroup_inclusive_add = _subgroup("inclusive_add", "subgroup_inclusive_add(x): prefix sum, own x included.")
subgroup_exclusive_add = _subgroup("exclusive_add", "subgroup_exclusive_add(x): prefix sum, own x excluded.")
subgroup_ballot = _subgroup("ballot", "subgroup_ballot(condition): u32x4, bit i is the condition of invocation i.")
subgroup_any = _subgroup("any", "subgroup_any(condition): whether it is true in at least one invocation.")
subgroup_all = _subgroup("all", "subgroup_all(condition): whether it is true in all.")
subgroup_elect = _subgroup("elect", "subgroup_elect(): true only in the invocation with the smallest id.")


class _Target:
    """The device that the kernel is compiled for, at compile time: `backend`, `kind`, `has(capability)`."""

    def __getattr__(self, name: str) -> Any:
        if name in ("backend", "kind", "has"):
            _outside(f"target.{name}")
        raise AttributeError(f"gp.target has backend, kind and has(...), but no {name!r}")


target = _Target()
target.__doc__ = "The device that the kernel is compiled for, at compile time: backend, kind and has(capability)."
"""`gp.target.backend` ("cuda", ...), `gp.target.kind` ("gpu", "igpu", "cpu", "software") and
`gp.target.has(gp.Capability.SUBGROUP)`: compile-time values, so that an `if` on them is conditional compilation."""


@host_only
def func(function: Callable[..., _T]) -> Callable[..., _T]:
    """Optional decorator for helpers: it enforces the annotated types of the parameters and of the result.

    A literal passed for a parameter takes its type; a value of another type is an error. Called outside a kernel, the
    function is the plain Python function.
    """
    if not isinstance(function, FunctionType):
        raise ArgumentError(f"@gp.func decorates a plain Python function, not {function!r:.60}")
    function.__gpucore_func__ = True  # type: ignore[attr-defined]
    return function
