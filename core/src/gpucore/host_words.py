"""Words of other libraries outside kernels, and what to write instead: data, for errors and docs/coming-from.md.

A word is written as it is typed, where `x` is an array. What to write is code, or has code in backquotes; `{word}` in
it stands for the word's own name.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gpucore.front.text.foreign import SYNONYMS, own_word
from gpucore.lang import MATH

_ON_THE_HOST = "`x.numpy().{word}(...)`, which computes on the host, or a kernel"
_OF_NUMPY = "`np.{word}(x.numpy())`, which computes on the host, or a kernel"
_KERNEL = "`k(..., workgroups=blocks)` or `k(..., invocations=n)`, with `@gp.kernel(workgroup_size=threads)`"

OUTSIDE: dict[str, str] = {
    # making arrays
    **dict.fromkeys(("array(a)", "cuda.to_device(a)", "torch.tensor(a)", "torch.from_numpy(a)", "frombuffer(a)"),
                    "gp.asarray(a)"),
    **dict.fromkeys(("cuda.device_array(shape)", "ti.ndarray(dtype, shape)", "clCreateBuffer"),
                    "gp.empty(shape, dtype)"),
    "eye(n)": "gp.asarray(np.eye(n), gp.f32)",
    # copies
    **dict.fromkeys(("x.copy_to_host()", "x.get()", "x.to_numpy()", "x.cpu()", "cp.asnumpy(x)"), "x.numpy()"),
    **dict.fromkeys(("x.copy_to_device(a)", "x.from_numpy(a)"), "x.set(a)"),
    **dict.fromkeys(("x.set_async(a)", "x.copy_(a)", "cuMemcpyHtoDAsync", "clEnqueueWriteBuffer"),
                    "`x.copy_from(host)`, which returns a mark; `host` must not change before `mark.wait()`"),
    **dict.fromkeys(("x.get_async()", "x.copy_to_host_async()", "cuMemcpyDtoHAsync", "clEnqueueReadBuffer"),
                    "`x.copy_to(host)`, which returns a mark; `host` has the elements after `mark.wait()`"),
    **dict.fromkeys(("x.to_async()", "cudaMemcpyAsync", "non_blocking=True"),
                    "`x.copy_from(host)`, or `x.copy_to(host)`; both return a mark, for `mark.wait()`"),
    **dict.fromkeys(("cuda.pinned_array(shape)", "cuda.pinned(a)", "cuda.alloc_pinned_memory(nbytes)", "x.pin_memory()",
                     "pin_memory=True", "cudaMallocHost", "cudaHostAlloc"),
                    "`gp.empty_pinned(shape, dtype)`, a NumPy array"),
    "x.cuda()": '`x.to("cuda")`',
    "x.clone()": "x.copy()",
    "x.float()": "x.astype(gp.f32)",
    # shapes
    "x.flatten()": "`x.ravel()`, which shares memory, or `x.ravel().copy()`",
    **dict.fromkeys(("x.squeeze()", "x.unsqueeze(axis)", "expand_dims(x)"), "x.reshape(shape)"),
    **dict.fromkeys(("x.swapaxes(i, j)", "x.permute(axes)"), "x.transpose(axes)"),
    "x.numel()": "x.size",
    "x.itemsize": "x.dtype.itemsize",
    # what there is of algorithms
    "x.sort()": "`gp.sort(x)`, a new array, or `gp.sort(x, out=x)`",
    "x.argsort()": "gp.argsort(x)",
    "x.partition(kth)": "`gp.partition(x, kth)`, a new array",
    **dict.fromkeys(("argpartition(x, k)", "x.topk(k)"), "`gp.topk(x, k)`: elements and indices"),
    "x.median()": "gp.median(x)",
    "x.unique()": "gp.unique(x)",
    "x.quantile(q)": "gp.quantile(x, q)",
    "x.dot(y)": "`x @ y` of matrices",
    **dict.fromkeys(("x.std()", "x.var()"), _ON_THE_HOST),
    **dict.fromkeys(("std(x)", "var(x)"), _OF_NUMPY),
    "amax(x)": "gp.max(x)",
    "amin(x)": "gp.min(x)",
    "compress(mask, x)": "gp.compact(x, mask)",
    **dict.fromkeys(("concatenate((x, y))", "stack((x, y))"),
                    "`z = gp.empty(...)`, then `z[:n] = x` and `z[n:] = y`"),
    "repeat(x, n)": "`gp.asarray(np.repeat(x.numpy(), n))`, which computes on the host, or a kernel",
    # random numbers
    **dict.fromkeys(("random.rand(n)", "random.random_sample(n)"), "gp.random.uniform(n, seed)"),
    **dict.fromkeys(("random.randn(n)", "random.standard_normal(n)"), "gp.random.normal(n, seed)"),
    "random.randint(low, high, n)": "gp.random.integers(n, seed, low, high)",
    **dict.fromkeys(("random.seed(seed)", "random.manual_seed(seed)", "random.default_rng(seed)"),
                    "`gp.random.uniform(shape, seed)`: each call takes a seed, and none is kept"),
    "random.permutation(n)": "`gp.asarray(np.random.default_rng(seed).permutation(n), gp.i32)`",
    # calls and devices
    "k[blocks, threads](...)": _KERNEL,
    "k<<<blocks, threads>>>(...)": _KERNEL,
    **dict.fromkeys(("cuda.synchronize()", "ti.sync()", "clFinish", "x.block_until_ready()"),
                    "`device.synchronize()`, or `gp.synchronize()` for all devices; reading an array waits, too"),
    "cp.cuda": '`gp.device("cuda")`, which has `stream`, `mark` and `record`; page-locked memory is `gp.empty_pinned`',
    **dict.fromkeys(("cuda.Stream()", "cuda.stream()", "wp.ScopedStream(s)", "cuda.current_stream()",
                     "cuda.default_stream()", "cudaStreamCreate", "CommandQueue(context)", "clCreateCommandQueue"),
                    "`with device.stream():`, in the order of the uses of arrays; work outside of it is in the first "
                    "queue"),
    **dict.fromkeys(("stream.wait_event(event)", "stream.wait_stream(s)", "x.record_stream(s)", "cudaStreamWaitEvent",
                     "clEnqueueBarrierWithWaitList"),
                    "nothing: the uses of arrays order streams, and the reuse of memory; `device.wait_for(mark)` is "
                    "for marks of another device"),
    **dict.fromkeys(("cuda.Event()", "cuda.event()", "wp.record_event(e)", "cudaEventRecord", "clEnqueueMarker"),
                    "`mark = device.mark()`"),
    **dict.fromkeys(("cudaEventSynchronize", "cudaStreamSynchronize", "wp.synchronize_event(e)",
                     "wp.synchronize_stream(s)", "clWaitForEvents"),
                    "`mark.wait()`, with `mark = device.mark()` in the stream"),
    "cudaEventQuery": "mark.is_done()",
    **dict.fromkeys(("cuda.get_elapsed_time(start, end)", "cuda.event_elapsed_time(start, end)",
                     "wp.get_event_elapsed_time(start, end)", "cudaEventElapsedTime", "clGetEventProfilingInfo"),
                    "`end.elapsed(start)` of two marks, in seconds, or `with device.timer() as t:`"),
    **dict.fromkeys(("cuda.CUDAGraph()", "cuda.graph(g)", "stream.begin_capture()", "wp.ScopedCapture()",
                     "wp.capture_begin()", "cudaStreamBeginCapture", "ti.graph.GraphBuilder()"),
                    "`with device.record() as graph:`"),
    **dict.fromkeys(("wp.capture_launch(graph)", "cudaGraphLaunch"), "graph.replay()"),
    **dict.fromkeys(("torch.profiler", "cuda.profiling()", "cuda.profile_start()", "nvprof"),
                    "`with gp.profile() as profile:`, or `gpucore profile script.py`"),
    **dict.fromkeys(("cupyx.profiler.benchmark(f)", "wp.ScopedTimer(name)"),
                    "`with device.timer() as t:`, and `t.seconds` afterwards"),
    **dict.fromkeys(("cuda.select_device(1)", "ti.init(arch=ti.gpu)"),
                    '`with gp.use("cuda:1"):`, or `device=` for an array; both take an open device such as `x.device`'),
    **dict.fromkeys(("ti.init(debug=True)", "NUMBA_ENABLE_CUDASIM=1"),
                    '`@gp.kernel(debug=True)`, `device="simulator"`, [`gp.check`](checking.md)'),
    **dict.fromkeys(("cp.ElementwiseKernel", "cp.RawKernel"),
                    "`@gp.kernel`, `gp.elementwise`, `gp.kernel_from_text`, `gp.native_kernel`"),
}  # fmt: skip
"""Word -> what to write instead."""


def _names(of_arrays: bool) -> dict[str, str]:
    """The attributes of arrays, or the functions of libraries, by name."""
    found = {}
    for word, ours in OUTSIDE.items():
        path = word.partition("(")[0]
        if path.startswith("x.") == of_arrays and path.replace(".", "").isidentifier():
            name = path.rpartition(".")[2]
            found[name] = ours.replace("{word}", name)
    return found


_OF_ARRAYS, _OF_LIBRARIES = _names(True), _names(False)


def advice(name: str, *, is_of_array: bool = False) -> str:
    """What to write for an attribute that an array, or gpucore, does not have; "" if there is nothing to say."""
    ours = _OF_ARRAYS.get(name, "") if is_of_array else _OF_LIBRARIES.get(name, "")
    if ours:
        return f"write {ours}"
    function = MATH.get(SYNONYMS.get(name, name))
    if function is not None:
        return f"write gp.{function.__name__}({', '.join(inspect.signature(function).parameters)})"
    return "" if is_of_array else own_word(name, is_called=True) or ""


def words_of_module(module: str) -> Callable[[str], Any]:
    """`__getattr__` for a module: the error for a name that it lacks says what to write for one of another library."""

    def lacking(name: str) -> Any:
        text = f"module {module!r} has no attribute {name!r}"
        fix = "" if name.startswith("_") else advice(name)
        raise AttributeError(f"{text}; {fix}" if fix else text, name=name, obj=sys.modules[module])

    return lacking


_REDUCTIONS = {
    "add": "sum", "multiply": "prod", "minimum": "min", "maximum": "max", "logical_and": "all", "logical_or": "any",
}  # fmt: skip
"""NumPy's functions of two numbers -> those of arrays that apply them to all elements."""


def numpy_advice(name: str, method: str) -> str:
    """The error of a function of NumPy that was given a device array: `method` of the ufunc of that name."""
    fix = ""
    if method == "reduce" and name in _REDUCTIONS:
        fix = f"write x.{_REDUCTIONS[name]}()"
    elif method == "__call__" and SYNONYMS.get(name, name) in MATH:
        fix = f"{advice(name)}, or np.{name} of x.numpy() for a result on the host"
    return (
        f"np.{name} does not take a device array; {fix or 'give it x.numpy(), which copies the elements to the host'}"
    )


class OtherNames:
    """Names that arrays have in other libraries: the error says what to write."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Called for a name that an array does not have."""
            fix = "" if name.startswith("_") else advice(name, is_of_array=True)
            if not fix:
                return object.__getattribute__(self, name)  # raises
            kind = type(self).__name__
            raise AttributeError(f"{kind!r} object has no attribute {name!r}; {fix}", name=name, obj=self)
