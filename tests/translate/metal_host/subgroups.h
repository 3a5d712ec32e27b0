// Operations of a subgroup: each lane shares its value, and computes its result from those of all lanes.
#pragma once
#include "workgroups.h"

namespace metal {
template <class T> struct Lanes {
    T values[subgroup_size];
    bool shares[subgroup_size];
    unsigned own;
};

template <class T> Lanes<T> share(T value) {
    Workgroup& w = workgroup;
    unsigned self = w.current, first = self / subgroup_size * subgroup_size;
    static_assert(sizeof(T) <= sizeof(w.fibers[self].value));
    std::memcpy(w.fibers[self].value, &value, sizeof value);
    w.fibers[self].shares = true;
    w.wait(Workgroup::in_subgroup);
    Lanes<T> lanes{};
    lanes.own = self - first;
    for (unsigned i = 0; i < subgroup_size && first + i < w.size; i++) {
        lanes.shares[i] = w.fibers[first + i].shares;
        std::memcpy(&lanes.values[i], w.fibers[first + i].value, sizeof value);
    }
    w.wait(Workgroup::in_subgroup);  // nobody shares the next value before all have read this one
    w.fibers[self].shares = false;
    return lanes;
}

template <class T, class F> T fold(const Lanes<T>& lanes, unsigned end, T start, F f) {
    bool is_first = true;
    for (unsigned i = 0; i < end; i++) {
        if (!lanes.shares[i]) continue;
        start = is_first ? lanes.values[i] : f(start, lanes.values[i]);
        is_first = false;
    }
    return start;
}

#define GPUCORE_REDUCTION(name, start, expression) \
    template <class T> T simd_##name(T x) { \
        return fold(share(x), subgroup_size, T(start), [](T a, T b) { return T(expression); }); \
    } \
    template <class T, int N> vec<T, N> simd_##name(vec<T, N> x) { \
        return each(x, [](T a) { return simd_##name(a); }); \
    }
#define GPUCORE_SCAN(name, start, expression) \
    template <class T> T simd_prefix_inclusive_##name(T x) { \
        auto lanes = share(x); \
        return fold(lanes, lanes.own + 1, T(start), [](T a, T b) { return T(expression); }); \
    } \
    template <class T> T simd_prefix_exclusive_##name(T x) { \
        auto lanes = share(x); \
        return fold(lanes, lanes.own, T(start), [](T a, T b) { return T(expression); }); \
    }
GPUCORE_REDUCTION(sum, 0, a + b)
GPUCORE_REDUCTION(product, 1, a * b)
GPUCORE_REDUCTION(min, 0, metal::min(a, b))
GPUCORE_REDUCTION(max, 0, metal::max(a, b))
GPUCORE_REDUCTION(and, 0, a & b)
GPUCORE_REDUCTION(or, 0, a | b)
GPUCORE_REDUCTION(xor, 0, a ^ b)
GPUCORE_SCAN(sum, 0, a + b)
GPUCORE_SCAN(product, 1, a * b)

inline uint64_t simd_ballot(bool x) {
    auto lanes = share(x);
    uint64_t mask = 0;
    for (unsigned i = 0; i < subgroup_size; i++) mask |= uint64_t(lanes.shares[i] && lanes.values[i]) << i;
    return mask;
}
inline bool simd_all(bool x) {
    return fold(share(x), subgroup_size, true, [](bool a, bool b) { return a && b; });
}
inline bool simd_any(bool x) { return simd_ballot(x) != 0; }
inline bool simd_is_first() {
    auto lanes = share(true);
    return fold(lanes, lanes.own, false, [](bool, bool) { return true; }) == false;
}

#define GPUCORE_SHUFFLE(name, lane) \
    template <class T> T simd_##name(T x, unsigned n) { \
        auto lanes = share(x); \
        unsigned own = lanes.own; \
        (void)own; \
        return lanes.values[(lane) % subgroup_size]; \
    }
GPUCORE_SHUFFLE(shuffle, n)
GPUCORE_SHUFFLE(shuffle_up, own - n)
GPUCORE_SHUFFLE(shuffle_down, own + n)
GPUCORE_SHUFFLE(shuffle_xor, own ^ n)
GPUCORE_SHUFFLE(broadcast, n)
template <class T> T simd_broadcast_first(T x) {
    auto lanes = share(x);
    for (unsigned i = 0; i < subgroup_size; i++)
        if (lanes.shares[i]) return lanes.values[i];
    return x;
}
}  // namespace metal
