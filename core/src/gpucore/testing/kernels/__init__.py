"""Kernels of the conformance tests."""
