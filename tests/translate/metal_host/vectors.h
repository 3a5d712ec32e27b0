// Numbers and vectors of MSL.
#pragma once
#include <cstdint>
#include <type_traits>

using uint = unsigned;
using ulong = unsigned long;
using ushort = unsigned short;
using uchar = unsigned char;

// Every operation is rounded to 16 bits: a float holds the exact result of one, or enough of it.
struct half {
    _Float16 value;
    half() = default;
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>> half(T x) : value(_Float16(x)) {}
    operator float() const { return float(value); }
    half operator-() const { return half(-float(value)); }
};
#define GPUCORE_HALF(op) \
    inline half operator op(half a, half b) { return half(float(a) op float(b)); }
GPUCORE_HALF(+)
GPUCORE_HALF(-)
GPUCORE_HALF(*)
GPUCORE_HALF(/)
inline half operator""h(long double x) { return half(float(x)); }

template <class T, int N> struct components;
template <class T> struct alignas(2 * sizeof(T)) components<T, 2> { T x, y; };
template <class T> struct alignas(4 * sizeof(T)) components<T, 3> { T x, y, z; };
template <class T> struct alignas(4 * sizeof(T)) components<T, 4> { T x, y, z, w; };

template <class T, int N> struct vec : components<T, N> {
    vec() = default;
    explicit vec(T x) {
        for (int i = 0; i < N; i++) (*this)[i] = x;
    }
    template <class U> explicit vec(const vec<U, N>& other) {
        for (int i = 0; i < N; i++) (*this)[i] = T(other[i]);
    }
    template <class A, class B, class... More> vec(const A& a, const B& b, const More&... more) {
        int at = 0;
        (put(at, a), put(at, b), (put(at, more), ...));
    }
    T& operator[](unsigned i) { return reinterpret_cast<T*>(this)[i]; }
    const T& operator[](unsigned i) const { return reinterpret_cast<const T*>(this)[i]; }

  private:
    template <class U> void put(int& at, const U& x) { (*this)[at++] = T(x); }
    template <class U, int M> void put(int& at, const vec<U, M>& x) {
        for (int i = 0; i < M; i++) (*this)[at++] = T(x[i]);
    }
};

template <class T, int N, class F> auto each(const vec<T, N>& x, F f) {
    vec<decltype(f(x[0])), N> r;
    for (int i = 0; i < N; i++) r[i] = f(x[i]);
    return r;
}
template <class T, class U, int N, class F> auto each(const vec<T, N>& x, const vec<U, N>& y, F f) {
    vec<decltype(f(x[0], y[0])), N> r;
    for (int i = 0; i < N; i++) r[i] = f(x[i], y[i]);
    return r;
}

// `bool & bool` is an int in C++, and a bool in MSL.
template <class T, class R> using result_of = std::conditional_t<std::is_same_v<T, bool>, bool, R>;

#define GPUCORE_BINARY(op) \
    template <class T, class U, int N> auto operator op(vec<T, N> x, vec<U, N> y) { \
        return each(x, y, [](T a, U b) { return result_of<T, decltype(a op b)>(a op b); }); \
    } \
    template <class T, int N> auto operator op(vec<T, N> x, std::type_identity_t<T> y) { return x op vec<T, N>(y); } \
    template <class T, int N> auto operator op(std::type_identity_t<T> x, vec<T, N> y) { return vec<T, N>(x) op y; }
GPUCORE_BINARY(+)
GPUCORE_BINARY(-)
GPUCORE_BINARY(*)
GPUCORE_BINARY(/)
GPUCORE_BINARY(%)
GPUCORE_BINARY(&)
GPUCORE_BINARY(|)
GPUCORE_BINARY(^)
GPUCORE_BINARY(<<)
GPUCORE_BINARY(>>)
GPUCORE_BINARY(==)
GPUCORE_BINARY(!=)
GPUCORE_BINARY(<)
GPUCORE_BINARY(<=)
GPUCORE_BINARY(>)
GPUCORE_BINARY(>=)
template <class T, int N> vec<T, N> operator-(vec<T, N> x) { return each(x, [](T a) { return T(-a); }); }
template <class T, int N> vec<T, N> operator~(vec<T, N> x) { return each(x, [](T a) { return T(~a); }); }
template <class T, int N> vec<bool, N> operator!(vec<T, N> x) { return each(x, [](T a) { return !a; }); }
template <class T, int N, class U> vec<T, N>& operator-=(vec<T, N>& x, const U& y) { return x = vec<T, N>(x - y); }

template <int N> bool all(vec<bool, N> x) {
    bool r = true;
    for (int i = 0; i < N; i++) r = r && x[i];
    return r;
}
template <int N> bool any(vec<bool, N> x) { return !all(!x); }
template <class T> T select(T a, std::type_identity_t<T> b, bool c) { return c ? b : a; }
template <class T, int N> vec<T, N> select(vec<T, N> a, vec<T, N> b, vec<bool, N> c) {
    vec<T, N> r;
    for (int i = 0; i < N; i++) r[i] = c[i] ? b[i] : a[i];
    return r;
}
template <class T, int N> vec<T, N> select(vec<T, N> a, std::type_identity_t<T> b, vec<bool, N> c) {
    return select(a, vec<T, N>(b), c);
}

#define GPUCORE_VECTORS(name, type) \
    using name##2 = vec<type, 2>; \
    using name##3 = vec<type, 3>; \
    using name##4 = vec<type, 4>; \
    namespace metal { \
    using ::name##2, ::name##3, ::name##4; \
    }
GPUCORE_VECTORS(float, float)
GPUCORE_VECTORS(half, half)
GPUCORE_VECTORS(int, int)
GPUCORE_VECTORS(uint, uint)
GPUCORE_VECTORS(long, long)
GPUCORE_VECTORS(ulong, ulong)
GPUCORE_VECTORS(bool, bool)
namespace metal {
using ::uint, ::ulong, ::half, ::ushort, ::vec;
}
