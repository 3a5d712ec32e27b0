// Functions whose results Metal bounds and does not fix. Their results here are those of the device that the runs are
// compared with: the test gives them, after a first run has said which ones it needs.
#pragma once
#include <algorithm>
#include <compare>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "vectors.h"

enum Function : uint32_t { f_exp, f_exp2, f_log, f_log2, f_sin, f_cos, f_tan, f_sinh, f_cosh, f_tanh, f_pow };

struct Call {
    uint32_t function, bytes, x, y;  // the size of the type, and the bits of the arguments
    auto operator<=>(const Call&) const = default;
};

static std::map<Call, uint32_t> given;
static std::vector<Call> wanted;

template <class T> uint32_t bits_of(T x) {
    uint32_t bits = 0;
    std::memcpy(&bits, &x, sizeof x);
    return bits;
}

// The device's result, or the host's until the device's is known.
template <class T> T given_result(Function function, T x, T y, double of_host) {
    Call call{function, sizeof(T), bits_of(x), bits_of(y)};
    auto found = given.find(call);
    if (found == given.end()) {
        wanted.push_back(call);
        found = given.emplace(call, bits_of(T(float(of_host)))).first;
    }
    T result;
    std::memcpy(&result, &found->second, sizeof result);
    return result;
}

extern "C" unsigned count_wanted() { return wanted.size(); }
extern "C" void take_wanted(Call* calls) {
    std::copy(wanted.begin(), wanted.end(), calls);
    wanted.clear();
}
extern "C" void give_results(const Call* calls, const uint32_t* results, unsigned count) {
    for (unsigned i = 0; i < count; i++) given[calls[i]] = results[i];
}
