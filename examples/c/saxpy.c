/* Runs saxpy of a package of kernels without Python: y = 2 x + y.
     gpucore build MODULE:saxpy -o kernels.gpu
     cc saxpy.c -o saxpy -lOpenCL && ./saxpy kernels.gpu      (or cc -DUSE_CUDA saxpy.c -o saxpy -lcuda) */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef USE_CUDA
#include <cuda.h>
#else
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#endif
#define N 100000 /* elements */
static void fail(const char *what) { fprintf(stderr, "saxpy: %s\n", what); exit(1); }
static void check(int status, const char *what) { if (status) { fprintf(stderr, "error %d: ", status); fail(what); } }

/* ---- the file: a ZIP of uncompressed entries; the manifest is JSON, which is trusted to be well formed */
static unsigned char *file; static size_t file_nbytes;
static uint32_t number(size_t at, int nbytes) { /* little-endian */
    uint32_t value = 0;
    if (at + nbytes > file_nbytes) fail("the file is cut short");
    while (nbytes--) value = value << 8 | file[at + nbytes];
    return value;
}
static char *entry(const char *name, size_t *nbytes) { /* its bytes, and a zero after them */
    size_t end = file_nbytes < 22 ? 0 : file_nbytes - 22, at, begin;
    while (end && number(end, 4) != 0x06054b50) end--;
    if (!end) fail("this is no package of kernels");
    for (at = number(end + 16, 4); number(at, 4) == 0x02014b50;
         at += 46 + number(at + 28, 2) + number(at + 30, 2) + number(at + 32, 2)) {
        if (strlen(name) != number(at + 28, 2) || memcmp(name, file + at + 46, strlen(name))) continue;
        begin = number(at + 42, 4);
        begin += 30 + number(begin + 26, 2) + number(begin + 28, 2);
        *nbytes = number(at + 24, 4);
        if (number(at + 10, 2) || begin + *nbytes > file_nbytes) fail("an entry is compressed or cut short");
        char *content = memcpy(malloc(*nbytes + 1), file + begin, *nbytes);
        content[*nbytes] = 0;
        return content;
    }
    return fail("the package has no such entry"), NULL;
}
static const char *skip(const char *at) { /* to what follows a value */
    int depth = 0;
    do {
        if (*at == '"') while (*++at != '"') at += *at == '\\';
        else depth += (*at == '[' || *at == '{') - (*at == ']' || *at == '}');
        at++;
    } while (depth > 0 || !strchr(",]}:", *at));
    return at;
}
static const char *item(const char *array, int which) { /* the value of that number; NULL if there are fewer */
    const char *at = array + 1;
    while (*at != ']' && which--) { at = skip(at); at += *at == ','; }
    return *at == ']' ? NULL : at;
}
#define is(at, text) (!strncmp((at) + 1, text, strlen(text)) && (at)[strlen(text) + 1] == '"') /* a string is this */
static const char *find(const char *object, const char *name) { /* the value of a member; NULL if there is none */
    for (const char *at = object + 1; *at != '}'; at += *at == ',') {
        if (is(at, name)) return skip(at) + 1;
        at = skip(skip(at) + 1);
    }
    return NULL;
}
static char *content_of(const char *form, const char *what, size_t *nbytes) {
    const char *name = find(find(form, what), "file") + 1;
    char copy[256] = "";
    return entry(strncpy(copy, name, strcspn(name, "\"") % sizeof copy), nbytes);
}
static const char *find_form(const char *manifest, const char *kernel, const char *target) { /* the first one: plain */
    const char *kernels = find(manifest, "kernels"), *each;
    for (int k = 0; (each = item(kernels, k)); k++) {
        if (!is(find(each, "name"), kernel)) continue;
        const char *forms = find(find(item(find(each, "specialisations"), 0), "targets"), target);
        return forms ? item(forms, 0) : NULL;
    }
    return fail("the package has no such kernel"), NULL;
}
/* ---- the call: packed scalars and workgroups, by the layout in the manifest */
static size_t pack(const char *form, float a, unsigned char *scalars, size_t *local) {
    const char *layout = find(form, "layout"), *slots = find(layout, "slots"), *slot;
    int coarsening = atoi(find(layout, "coarsening")); /* workgroups of the call that one does the work of */
    *local = atoi(item(find(form, "workgroup_size"), 0));
    int32_t called = (N + *local - 1) / *local, length = N;
    for (int k = 0; (slot = item(slots, k)); k++) { /* ["argument", name, field], ["shape", name, axis], ... */
        const char *origin = item(slot, 0), *kind = item(origin, 0);
        unsigned char *place = scalars + atoi(item(slot, 2));
        if (is(kind, "argument")) memcpy(place, &a, 4);
        else if (is(kind, "shape")) memcpy(place, &length, 4);
        else if (is(kind, "grid") && is(item(origin, 1), "called")) memcpy(place, &called, 4);
        else fail("the kernel takes a value that this program does not know");
    }
    return (called + coarsening - 1) / coarsening;
}
int main(int count, char **arguments) {
    FILE *stream = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (!stream) fail("give the file of a package, as in ./saxpy kernels.gpu");
    for (size_t got = 1; got; file_nbytes += got)
        got = fread((file = realloc(file, file_nbytes + 65536)) + file_nbytes, 1, 65536, stream);
    size_t nbytes, local, groups;
    const char *manifest = entry("manifest.json", &nbytes), *form = NULL;
    static float x[N], y[N];
    for (int i = 0; i < N; i++) x[i] = i, y[i] = 1;
    char target[32] = "opencl";
#ifdef USE_CUDA
    CUdevice device; CUcontext context; CUmodule module; CUfunction kernel; int major, minor;
    struct { CUdeviceptr x, y; unsigned char scalars[256]; } block = {0};
    check(cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) ||
          cuCtxSetCurrent(context), "there is no device");
    cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    for (; minor >= 0 && !form; minor--) /* code for an older device of the generation runs, too */
        form = (sprintf(target, "sm_%d%d", major, minor), find_form(manifest, "saxpy", target));
    if (!form) fail("the package has no code for this device");
    groups = pack(form, 2, block.scalars, &local);
    check(cuModuleLoadData(&module, content_of(form, "binary", &nbytes)) ||
          cuModuleGetFunction(&kernel, module, "saxpy"), "the driver refuses the code");
    check(cuMemAlloc(&block.x, 4 * N) || cuMemAlloc(&block.y, 4 * N) || cuMemcpyHtoD(block.x, x, 4 * N) ||
          cuMemcpyHtoD(block.y, y, 4 * N), "copy to the device");
    size_t size = 16 + atoi(find(form, "scalars_nbytes"));
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    check(cuLaunchKernel(kernel, groups, 1, 1, local, 1, 1, 0, NULL, NULL, extra) ||
          cuMemcpyDtoH(y, block.y, 4 * N), "launch");
#else
    cl_platform_id platform; cl_device_id device; cl_device_type kind;
    unsigned char scalars[256] = {0};
    check(clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
          "there is no device");
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof kind, &kind, NULL);
    form = find_form(manifest, "saxpy", strcat(target, kind & CL_DEVICE_TYPE_GPU ? "" : "-cpu"));
    if (!form) fail("the package has no text for this device");
    groups = pack(form, 2, scalars, &local) * local;
    const char *text = content_of(form, "text", &nbytes);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    check(clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL), "the driver refuses the text");
    cl_kernel kernel = clCreateKernel(program, "saxpy", NULL);
    cl_mem dx = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4 * N, x, NULL);
    cl_mem dy = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4 * N, y, NULL);
    check(clSetKernelArg(kernel, 0, sizeof dx, &dx) || clSetKernelArg(kernel, 1, sizeof dy, &dy) ||
          clSetKernelArg(kernel, 2, atoi(find(form, "scalars_nbytes")), scalars), "arguments");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &groups, &local, 0, NULL, NULL) ||
          clEnqueueReadBuffer(queue, dy, CL_TRUE, 0, 4 * N, y, 0, NULL, NULL), "launch");
#endif
    for (int i = 0; i < N; i++)
        if (y[i] != 2 * (float)i + 1) fail("a wrong result");
    return printf("saxpy for %s: %d elements are right\n", target, N) < 0;
}
