"""Words of OpenCL C that generated names must avoid, besides those in the texts of the dialect's tables."""

from __future__ import annotations

_KEYWORDS = """
event_t image1d_t image2d_t image3d_t image1d_array_t image1d_buffer_t image2d_array_t sampler_t reserve_id_t queue_t
ndrange_t clk_event_t atomic_int atomic_uint atomic_long atomic_ulong atomic_float memory_order memory_scope size_t
intptr_t uintptr_t ptrdiff_t uchar ushort quad global local constant private generic pipe kernel read_only write_only
read_write NULL NAN INFINITY HUGE_VAL HUGE_VALF MAXFLOAT CHAR_BIT CHAR_MAX CHAR_MIN INT_MAX INT_MIN LONG_MAX LONG_MIN
SCHAR_MAX SCHAR_MIN SHRT_MAX SHRT_MIN UCHAR_MAX UINT_MAX ULONG_MAX USHRT_MAX FLT_DIG FLT_EPSILON FLT_MANT_DIG FLT_MAX
FLT_MAX_EXP FLT_MIN FLT_MIN_EXP FLT_RADIX DBL_DIG DBL_EPSILON DBL_MAX DBL_MIN HALF_MAX HALF_MIN HALF_EPSILON M_E
M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2 M_PI_F M_E_F M_SQRT2_F
"""
_FUNCTIONS = """
abs abs_diff acosh acospi add_sat all any asinh asinpi async_work_group_copy async_work_group_strided_copy atan2pi
atanh atanpi barrier bitselect cbrt clamp copysign cospi cross ctz degrees distance dot enqueue_marker erf erfc exp10
expm1 fabs fast_distance fast_length fast_normalize fdim fmod fract frexp get_enqueued_local_size get_global_id
get_global_linear_id get_global_offset get_global_size get_group_id get_image_depth get_image_dim get_image_height
get_image_width get_local_id get_local_linear_id get_local_size get_num_groups get_work_dim hadd hypot ilogb isequal
isfinite isgreater isgreaterequal isless islessequal islessgreater isnormal isnotequal isordered isunordered ldexp
length lgamma lgamma_r log10 log1p logb mad mad24 mad_hi mad_sat main maxmag mem_fence minmag mix modf mul24 mul_hi nan
nextafter normalize pown powr prefetch printf radians read_imagef read_imagei read_imageui read_mem_fence remainder
remquo rhadd rootn rotate round select shuffle shuffle2 sign signbit sincos sinpi smoothstep step sub_sat tanpi tgamma
upsample vec_step wait_group_events work_group_barrier write_imagef write_imagei write_imageui write_mem_fence
"""
_APPROXIMATE = """
cos divide exp exp2 exp10 log log2 log10 powr recip rsqrt sin sqrt tan
"""
_ATOMICS = """
add sub xchg inc dec cmpxchg min max and or xor
"""
_LATER_ATOMICS = """
load store init exchange fetch_add fetch_sub fetch_min fetch_max flag_clear flag_test_and_set
"""
_SCALARS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double")
_ROUNDINGS = ("", "_rte", "_rtz", "_rtp", "_rtn")
_WIDTHS = ("2", "3", "4", "8", "16")


def _families() -> frozenset[str]:
    """Built-in functions that exist in one version for each type, width or rounding mode."""
    names = {f"{prefix}_{name}" for prefix in ("half", "native") for name in _APPROXIMATE.split()}
    names |= {f"{prefix}_{name}" for prefix in ("atom", "atomic") for name in _ATOMICS.split()}
    names |= {f"atomic_{name}" for name in _LATER_ATOMICS.split()}
    for width in ("", *_WIDTHS):
        names |= {f"vload{width}", f"vstore{width}", f"vload_half{width}", f"vloada_half{width}"}
        names |= {f"{prefix}_half{width}{rounding}" for prefix in ("vstore", "vstorea") for rounding in _ROUNDINGS}
        for scalar in _SCALARS:
            names.add(f"as_{scalar}{width}")
            names |= {f"convert_{scalar}{width}{sat}{rounding}" for sat in ("", "_sat") for rounding in _ROUNDINGS}
    return frozenset(names)


_EXTENSIONS = frozenset(("cl_*", "CL_*", "CLK_*"))  # a device defines a macro for each extension that it has

WORDS = frozenset(_KEYWORDS.split()) | {f"{name}{width}" for name in _SCALARS for width in _WIDTHS} | _EXTENSIONS
"""Words and macros of the language, reserved for any name; those with * are prefixes."""

FUNCTIONS = frozenset(_FUNCTIONS.split()) | _families()
"""`main` and built-in functions: reserved as the name of a kernel, but not of its values."""
