"""Kernels that are bound by memory: several elements an invocation, in wide accesses, and several loads in flight."""
