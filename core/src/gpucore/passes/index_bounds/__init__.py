"""Proving indices in range, and clamping those for which there is no proof."""
