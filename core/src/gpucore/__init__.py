"""gpucore: one kernel, written once as an ordinary Python function, runs on every device."""
