"""Parameters of every kind, vectors and structs."""

from __future__ import annotations

from typing import TypeVar

import gpucore as gp

V = TypeVar("V", gp.f32x2, gp.f32x3, gp.f32x4, gp.i32x2, gp.i32x3, gp.i32x4, gp.u32x2, gp.u32x3, gp.u32x4)
E = TypeVar("E", gp.f32, gp.i32, gp.u32)


@gp.struct
class Parameters:
    """Fields of every portable type, in an order that requires padding."""

    scale: gp.f32
    is_negative: gp.bool
    offset: gp.i32
    mask: gp.u32


@gp.kernel(workgroup_size=8)
def scalars(flag: gp.bool, i: gp.i32, u: gp.u32, f: gp.f32, out: gp.Out[gp.u32]):
    out[0] = gp.u32(flag)
    out[1] = gp.bitcast(gp.u32, i)
    out[2] = u
    out[3] = gp.bitcast(gp.u32, f)
    out[4] = gp.u32(7) if flag else gp.u32(9)


@gp.kernel(workgroup_size=8)
def many_scalars(
    a0: gp.i32, b0: gp.f32, c0: gp.u32, d0: gp.bool, a1: gp.i32, b1: gp.f32, c1: gp.u32, d1: gp.bool, a2: gp.i32,
    b2: gp.f32, c2: gp.u32, d2: gp.bool, a3: gp.i32, b3: gp.f32, c3: gp.u32, d3: gp.bool, out: gp.Out[gp.f32],
):  # fmt: skip
    for k, signed in gp.unroll(((0, a0), (4, a1), (8, a2), (12, a3))):
        out[k] = gp.f32(signed)
    for k, real in gp.unroll(((1, b0), (5, b1), (9, b2), (13, b3))):
        out[k] = real
    for k, unsigned in gp.unroll(((2, c0), (6, c1), (10, c2), (14, c3))):
        out[k] = gp.f32(unsigned)
    for k, flag in gp.unroll(((3, d0), (7, d1), (11, d2), (15, d3))):
        out[k] = gp.f32(flag)


@gp.kernel(workgroup_size=8)
def unused_parameters(a: gp.f32, x: gp.In[gp.f32], b: gp.i32, out: gp.Out[gp.i32], c: gp.u32):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = b


@gp.kernel(workgroup_size=32)
def update(x: gp.In[E], y: gp.InOut[E], z: gp.Out[E]):
    i = gp.global_id(0)
    if i < x.size:
        z[i] = y[i]
        y[i] = y[i] + x[i] + x[i]


@gp.kernel(workgroup_size=32)
def every_third(y: gp.InOut[gp.i32]):
    i = gp.global_id(0) * 3
    if i < y.size:
        y[i] = -y[i]


@gp.kernel(workgroup_size=(8, 4))
def transpose(x: gp.In[gp.f32, 2], out: gp.Out[gp.f32, 2], lengths: gp.Out[gp.i32]):
    i = gp.global_id(1)
    j = gp.global_id(0)
    if i < x.shape[0] and j < x.shape[1]:
        out[j, i] = x[i, j]
    if i == 0 and j == 0:
        lengths[0] = x.shape[0]
        lengths[1] = x.shape[1]
        lengths[2] = x.size
        lengths[3] = len(out)
        lengths[4] = x.ndim


@gp.kernel(workgroup_size=32)
def vector_arithmetic(a: gp.In[V], b: gp.In[V], out: gp.Out[V, 2]):
    i = gp.global_id(0)
    if i < a.size:
        x = a[i]
        y = b[i]
        out[0, i] = x + y
        out[1, i] = x - y
        out[2, i] = x * y
        out[3, i] = -x
        out[4, i] = x * 3
        out[5, i] = min(x, y)
        out[6, i] = max(x, y)
        out[7, i] = abs(x)


@gp.kernel(workgroup_size=32)
def vector_integers(a: gp.In[gp.i32x4], b: gp.In[gp.i32x4], out: gp.Out[gp.i32x4, 2]):
    i = gp.global_id(0)
    if i < a.size:
        x = a[i]
        y = b[i]
        out[0, i] = x // y
        out[1, i] = x % y
        out[2, i] = gp.div_trunc(x, y)
        out[3, i] = gp.rem(x, y)
        out[4, i] = x & y
        out[5, i] = x ^ ~y
        out[6, i] = x << 3
        out[7, i] = x >> y


@gp.kernel(workgroup_size=32)
def components(a: gp.In[gp.f32x4], out: gp.Out[gp.f32, 2], rebuilt: gp.Out[gp.f32x4], halves: gp.Out[gp.f32x2]):
    i = gp.global_id(0)
    if i < a.size:
        v = a[i]
        out[0, i] = v.x
        out[1, i] = v.y + v[2]
        out[2, i] = v.w
        out[3, i] = gp.dot(v, v.wzyx)
        w = gp.f32x4(v.zw, 1.0, v.x)
        w.y = 5.0
        rebuilt[i] = w
        halves[i] = v.xz + gp.f32x2(2.0)


@gp.struct
class Body:
    """Vectors of three beside a scalar and a vector of four."""

    mass: gp.f32
    position: gp.f32x3
    spin: gp.f32x4
    cell: gp.i32x3


@gp.kernel(workgroup_size=16)
def triples(bodies: gp.InOut[Body], x: gp.In[gp.f32x3], offset: gp.f32x3, out: gp.Out[gp.f32x3, 2]):
    i, t = gp.global_id(0), gp.local_id(0)
    shared = gp.workgroup_array(gp.f32x3, 16)
    own = gp.private_array(gp.i32x3, 4)
    v = x[min(i, x.size - 1)]
    v = v.yzx
    shared[t] = v + offset
    gp.barrier()
    if i < x.size:
        body = bodies[i]
        own[i % 4] = body.cell
        turned = own[(i + 1) % 4]
        for k in range(3):
            turned += own[(i + k) % 4].zxy
        bodies[i] = Body(body.mass + gp.dot(v, offset), body.position - v, body.spin.wxyz, turned)
        out[0, i] = shared[t ^ 1] * gp.f32x3(body.spin.xy, 2.0)
        v.y = 7.0
        out[1, i] = gp.select(v < body.position, v, gp.f32x3(body.mass)) if i % 3 != 0 else -v.xxz


@gp.kernel(workgroup_size=32)
def masks(a: gp.In[gp.f32x4], b: gp.In[gp.i32x2], out: gp.Out[gp.f32x4, 2], pairs: gp.Out[gp.i32x2], n: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < a.size:
        v, w = a[i], b[i]
        inside = (v >= -2.0) & (v.wzyx < 3.0)
        out[0, i] = gp.select(inside, v, -1.0)
        for k in range(3):
            inside = inside ^ (v == gp.f32(k))
        out[1, i] = gp.select(~inside | gp.isnan(v), v.yyzz, v * 2.0)
        pairs[i] = gp.select(w > w.yx, w, w.yx - 1)
        count = 0
        if gp.any(inside):
            count += 1
        if gp.all(inside):
            count += 10
        if gp.all(w != 0) or inside.y:
            count += 100
        n[i] = count


@gp.kernel(workgroup_size=32)
def places(x: gp.InOut[gp.f32x4], c: gp.In[gp.i32], y: gp.InOut[gp.f32x3], out: gp.Out[gp.f32]):
    """Components at indices of run time: of variables, expressions, masks and elements of arrays."""
    i = gp.global_id(0)
    if i < x.size:
        v, j = x[i], c[i]
        v[j] = 10.0
        v[gp.u32(j)] += v[(j + 1) & 3]
        mask = v > 5.0
        x[i][j] *= 2.0
        for _ in range(j):
            mask[j] = mask[(j + 1) & 3]
        y[i][j % 3] = x[i][3 - j]
        out[i] = gp.select(mask[j], (v * 2.0)[j], 1.0)


@gp.kernel(workgroup_size=32)
def functions_of_vectors(a: gp.In[gp.f32x4], out: gp.Out[gp.f32x4, 2]):
    i = gp.global_id(0)
    if i < a.size:
        out[0, i] = gp.floor(a[i])
        out[1, i] = gp.clamp(a[i], gp.f32x4(-1.0), gp.f32x4(1.0))
        out[2, i] = gp.sqrt(abs(a[i]))
        out[3, i] = gp.fma(a[i], gp.f32x4(2.0), gp.f32x4(1.0))


@gp.kernel(workgroup_size=32)
def sum_of_four(x: gp.In[gp.f32x4], out: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < x.size:
        v = x[i]
        out[i] = v.x + v.y + v.z + v.w


def shifted(parameters, amount):
    return Parameters(parameters.scale * 2.0, not parameters.is_negative, parameters.offset + amount, parameters.mask)


@gp.kernel(workgroup_size=32)
def use_struct(parameters: Parameters, x: gp.In[gp.f32], out: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < x.size:
        value = x[i] * parameters.scale + gp.f32(parameters.offset)
        if parameters.is_negative:
            value = -value
        other = shifted(parameters, 3)
        if (gp.u32(i) & other.mask) != 0 and not other.is_negative:
            value = value + other.scale * gp.f32(other.offset)
        out[i] = value


@gp.kernel(workgroup_size=32)
def constants(n: gp.Const[int], x: gp.Const[float], flag: gp.Const[bool], dtype: gp.Const[type], table: gp.Const[tuple],
              out: gp.Out[gp.f32]):  # fmt: skip
    i = gp.global_id(0)
    if i < out.size:
        total = gp.f32(x)
        for k in gp.unroll(range(n)):
            total = total + gp.f32(table[k])
        if flag:
            total = -total
        out[i] = total + gp.f32(dtype(i) - dtype(1))


@gp.kernel(workgroup_size=32)
def eight_arrays(a: gp.In[gp.i32], b: gp.In[gp.i32], c: gp.In[gp.i32], d: gp.In[gp.i32], e: gp.Out[gp.i32],
                 f: gp.Out[gp.i32], g: gp.InOut[gp.i32], h: gp.Out[gp.i32]):  # fmt: skip
    i = gp.global_id(0)
    if i < a.size:
        e[i] = a[i] + 10 * b[i]
        f[i] = c[i] - d[i]
        g[i] = g[i] * a[i]
        h[i] = b[i] ^ d[i]


@gp.kernel(workgroup_size=32)
def unsigned_index(x: gp.In[gp.i32], order: gp.In[gp.u32], out: gp.Out[gp.i32]):
    i = gp.u32(gp.global_id(0))
    if i < gp.u32(x.size):
        out[i] = x[order[i]]


@gp.kernel(workgroup_size=32)
def kernel(main: gp.In[gp.f32], float: gp.f32, half: gp.Out[gp.f32], vec4: gp.i32, _: gp.u32):
    """Every name here has a meaning in some target language."""
    global_ = gp.global_id(0)
    fn = main.size
    if global_ < fn:
        var = main[global_]
        let = gp.f32(vec4)
        float4 = var * float + let
        thread = gp.private_array(gp.f32, 2)
        thread[0] = float4
        shared = gp.workgroup_array(gp.f32, 32)
        shared[gp.local_id(0)] = float4
        int = 0
        while int < 3:
            struct = gp.f32(int)
            float4 = float4 + struct
            int = int + 1
        self = thread[0]
        double = float4 - self
        uint = gp.f32(_)
        half[global_] = double + self + uint + shared[gp.local_id(0)] - self


@gp.kernel(workgroup_size=32)
def void(array: gp.In[gp.i32], buffer: gp.Out[gp.i32]):
    invocation = gp.global_id(0)
    if invocation < array.size:
        switch = array[invocation]
        default = 1
        for case in range(4):
            signed = switch * default
            if signed > 100:
                break
            default = default + case
            __global = signed
            switch = __global + 1
        lambda_ = switch
        restrict, volatile, const = 1, 2, 3
        ptr = lambda_ + restrict * volatile * const
        atomic = ptr
        workgroup = atomic
        texture = workgroup
        loop = texture
        discard = loop
        enable = discard
        i32 = enable
        bitcast = i32
        select = bitcast
        min_ = select
        exp = min_
        define = exp
        alloca = define
        blockIdx = alloca  # noqa: N806 (CUDA's name)
        threadIdx = blockIdx  # noqa: N806 (CUDA's name)
        get_global_id = threadIdx
        buffer[invocation] = get_global_id
