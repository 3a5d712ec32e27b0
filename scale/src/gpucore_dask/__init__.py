"""gpucore on several devices and machines, over Dask."""
