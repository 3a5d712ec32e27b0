/* Runs the invocations of a dispatch, one after the other. Those of a kernel with barriers have stacks of their own. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK = 1 << 20 };
typedef struct { jmp_buf state; int has_started, has_ended; } invocation_t;

__thread int gpucore_cc_workgroup_id[3], gpucore_cc_local_id[3], gpucore_cc_num_workgroups[3];
static __thread void (*invoke)(void**, const void*);
static __thread void** buffers;
static __thread const void* scalars;
static __thread jmp_buf scheduler;
static __thread invocation_t* current;

void gpucore_cc_barrier(void)
{
    if (_setjmp(current->state) == 0) _longjmp(scheduler, 1);
}

static void begin(void)
{
    invoke(buffers, scalars);
    current->has_ended = 1;
    _longjmp(scheduler, 1);
}

/* Goes on with an invocation until its next barrier, or its end. */
static void resume(invocation_t* invocation, char* stack)
{
    current = invocation;
    if (_setjmp(scheduler) != 0) return;
    if (invocation->has_started) _longjmp(invocation->state, 1);
    invocation->has_started = 1;
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = stack;
    context.uc_stack.ss_size = STACK;
    makecontext(&context, begin, 0);
    setcontext(&context);
}

static void run_workgroup(const int* sizes, int count, invocation_t* invocations, char* stacks)
{
    for (int i = 0; invocations && i < count; i++) invocations[i].has_started = invocations[i].has_ended = 0;
    for (int is_left = 1; is_left;) {
        is_left = 0;
        for (int i = 0; i < count; i++) {
            int* id = gpucore_cc_local_id;
            id[0] = i % sizes[0], id[1] = i / sizes[0] % sizes[1], id[2] = i / sizes[0] / sizes[1];
            if (!invocations) invoke(buffers, scalars);
            else if (!invocations[i].has_ended) resume(&invocations[i], stacks + (size_t)i * STACK), is_left = 1;
        }
    }
}

/* 1: there is no memory for the stacks, and nothing was run. */
int gpucore_cc_run(void (*entry)(void**, const void*), int has_barriers, void** addresses, const void* values,
                   const int* workgroups, const int* sizes)
{
    const int count = sizes[0] * sizes[1] * sizes[2], flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    invocation_t* invocations = has_barriers ? malloc(count * sizeof *invocations) : NULL;
    char* stacks = invocations ? mmap(NULL, (size_t)count * STACK, PROT_READ | PROT_WRITE, flags, -1, 0) : NULL;
    if ((has_barriers && !invocations) || stacks == MAP_FAILED) return free(invocations), 1;
    invoke = entry, buffers = addresses, scalars = values;
    int* id = gpucore_cc_workgroup_id;
    for (int axis = 0; axis < 3; axis++) gpucore_cc_num_workgroups[axis] = workgroups[axis];
    for (id[2] = 0; id[2] < workgroups[2]; id[2]++)
        for (id[1] = 0; id[1] < workgroups[1]; id[1]++)
            for (id[0] = 0; id[0] < workgroups[0]; id[0]++) run_workgroup(sizes, count, invocations, stacks);
    if (stacks) munmap(stacks, (size_t)count * STACK), free(invocations);
    return 0;
}
