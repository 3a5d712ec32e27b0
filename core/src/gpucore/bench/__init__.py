"""What `gpucore bench` measures: gpucore on devices, beside the other libraries of the machine.

session      runs the benchmarks: verified results, timed in turn
cases        all of them: launch, transfer, matmul, elementwise, stream, copy: what is timed, at which sizes;
             `sorts` has sort, `sums` reduce, scan, histogram and compact, `products` products, of `factors`, which
             have the errors; `case`: what a case is
first_calls  compile: the first calls of new processes
libraries    gpucore and NumPy as the cases use them; `peers` has CuPy, PyTorch and numba, `cub` CUB, by cub.cu
checks       results against NumPy, `chunks` at a time; `machine`: versions; `plot`: figures with matplotlib

They are timed by `gpucore.tuning.rounds`.
"""
