// Runs the invocations of a workgroup one after the other. Where one waits, at a barrier or for its subgroup, the next
// one goes on.
#pragma once
#include <ucontext.h>

#include <functional>
#include <vector>

#include "vectors.h"

constexpr unsigned subgroup_size = 8;

struct Invocation {
    uint3 group, local, groups;
    unsigned index;
};

struct Workgroup {
    enum State { ready, at_barrier, in_subgroup, ended };
    struct Fiber {
        ucontext_t context;
        std::vector<char> stack;
        State state;
        bool shares;  // it takes part in an operation of its subgroup, with this value
        alignas(16) unsigned char value[16];
    };

    std::vector<Fiber> fibers;
    ucontext_t scheduler;
    unsigned current = 0, size = 0;
    std::function<void(unsigned)> body;

    void wait(State state) {
        fibers[current].state = state;
        swapcontext(&fibers[current].context, &scheduler);
    }

    void run(unsigned count, std::function<void(unsigned)> invocation) {
        body = std::move(invocation);
        size = count;
        fibers.resize(std::max<size_t>(fibers.size(), count));
        for (unsigned i = 0; i < count; i++) start(fibers[i]);
        while (step() || release()) {}
    }

  private:
    static void enter();

    void start(Fiber& fiber) {
        fiber.stack.resize(1 << 16);
        fiber.state = ready;
        fiber.shares = false;
        getcontext(&fiber.context);
        fiber.context.uc_stack.ss_sp = fiber.stack.data();
        fiber.context.uc_stack.ss_size = fiber.stack.size();
        fiber.context.uc_link = &scheduler;
        makecontext(&fiber.context, enter, 0);
    }

    bool step() {
        bool ran = false;
        for (current = 0; current < size; current++) {
            if (fibers[current].state != ready) continue;
            swapcontext(&scheduler, &fibers[current].context);
            ran = true;
        }
        return ran;
    }

    // Nothing is ready: subgroups go on first, then those at a barrier. False if all have ended.
    bool release() {
        for (State state : {in_subgroup, at_barrier}) {
            bool released = false;
            for (unsigned i = 0; i < size; i++) {
                if (fibers[i].state != state) continue;
                fibers[i].state = ready;
                released = true;
            }
            if (released) return true;
        }
        return false;
    }
};

inline Workgroup workgroup;

inline void Workgroup::enter() {
    workgroup.body(workgroup.current);
    workgroup.fibers[workgroup.current].state = ended;
}

namespace metal {
enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4 };
inline mem_flags operator|(mem_flags a, mem_flags b) { return mem_flags(int(a) | int(b)); }
inline void threadgroup_barrier(mem_flags) { workgroup.wait(Workgroup::at_barrier); }
inline void simdgroup_barrier(mem_flags) { workgroup.wait(Workgroup::in_subgroup); }
}  // namespace metal

// A parameter of a kernel that is a reference: to a buffer, or to memory of the workgroup, which is made at first use.
struct BufferArgument {
    void* address;
    template <class T> operator T&() const { return *static_cast<T*>(address); }
};
struct SharedArgument {
    std::vector<unsigned long>& memory;
    template <class T> operator T&() const {
        memory.resize(std::max(memory.size(), sizeof(T) / 8 + 2));
        return *reinterpret_cast<T*>((reinterpret_cast<uintptr_t>(memory.data()) + 15) & ~uintptr_t(15));
    }
};

template <class F> void run_grid(const unsigned* size, const unsigned* groups, bool waits, F call) {
    unsigned count = size[0] * size[1] * size[2];
    for (unsigned z = 0; z < groups[2]; z++)
        for (unsigned y = 0; y < groups[1]; y++)
            for (unsigned x = 0; x < groups[0]; x++) {
                auto one = [&](unsigned i) {
                    uint3 local(i % size[0], i / size[0] % size[1], i / size[0] / size[1]);
                    call(Invocation{uint3(x, y, z), local, uint3(groups[0], groups[1], groups[2]), i});
                };
                if (waits) workgroup.run(count, one);
                else
                    for (unsigned i = 0; i < count; i++) one(i);
            }
}
