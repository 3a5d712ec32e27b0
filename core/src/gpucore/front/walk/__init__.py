"""The walk over a function's syntax tree: statements, expressions, calls of helpers."""
