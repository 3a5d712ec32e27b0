"""Helper functions in generated WGSL: see `table`."""
