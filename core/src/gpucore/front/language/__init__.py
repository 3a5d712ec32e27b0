"""The language's own functions, as Python calls of `gpucore.lang` and of `math`."""
