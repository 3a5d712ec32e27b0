"""What `gpucore bench` measures: gpucore on devices, beside the other libraries of the machine.

session      runs the benchmarks: verified results, timed in turn
cases        launch, transfer, sort, matmul, elementwise, reduce, stream: what is timed, at which sizes
first_calls  compile: the first calls of new processes
libraries    gpucore and NumPy as the cases use them; `peers` has CuPy, PyTorch and numba
rounds       timing; `checks`: results against NumPy; `machine`: versions; `plot`: figures with matplotlib
"""
