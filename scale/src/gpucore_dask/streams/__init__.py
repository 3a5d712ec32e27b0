"""Arrays larger than a device, out of core: what `gpucore_dask.streaming` is made of."""
