"""Words of WGSL that generated names must avoid: keywords, reserved words, predeclared types, and functions."""

from __future__ import annotations

_KEYWORDS = """
alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if let
loop override requires return struct switch true var while
"""

_RESERVED = """
NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become cast catch class
co_await co_return co_yield coherent column_major common compile compile_fragment concept const_cast consteval constexpr
constinit crate debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export extends extern
external fallthrough filter final finally friend from fxgroup get goto groupshared highp impl implements import inline
instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut mutable namespace new nil
noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of operator package packoffset
partition pass patch pixelfragment precise precision premerge priv protected pub public readonly ref regardless register
reinterpret_cast require resource restrict self set shared sizeof smooth snorm static static_assert static_cast std
subroutine super target template this thread_local throw trait try type typedef typeid typename typeof union unless
unorm unsafe unsized use using varying virtual volatile wgsl where with writeonly yield
"""

_TYPES = """
array atomic bool f16 f32 f64 i32 i64 u32 u64 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 ptr sampler
sampler_comparison texture_1d texture_2d texture_2d_array texture_3d texture_cube vec2 vec3 vec4 vec2f vec3f vec4f vec2h
vec3h vec4h vec2i vec3i vec4i vec2u vec3u vec4u function private workgroup uniform storage handle read write read_write
immediate task_payload
"""

# Only the functions that emitted code calls: a name may shadow any other.
_FUNCTIONS = """
abs acos asin atan atan2 atomicAdd atomicAnd atomicCompareExchangeWeak atomicExchange atomicLoad atomicMax atomicMin
atomicOr atomicStore atomicSub atomicXor bitcast ceil cos cosh countLeadingZeros countOneBits countTrailingZeros dot exp
exp2 floor fma fract inverseSqrt log log2 max min pack2x16float pow reverseBits round select sign sin sinh sqrt
storageBarrier subgroupAdd subgroupAll subgroupAny subgroupBallot subgroupBarrier subgroupBroadcast subgroupExclusiveAdd
subgroupInclusiveAdd subgroupMax subgroupMin subgroupShuffle subgroupShuffleDown subgroupShuffleUp subgroupShuffleXor
tan tanh trunc unpack2x16float workgroupBarrier
"""

RESERVED = frozenset(f"{_KEYWORDS} {_RESERVED} {_TYPES} {_FUNCTIONS}".split())
