"""Proves indices in range, and clamps those that cannot be proven."""
