"""Operands: variables, literals that take a type, conversions, operators, elements of arrays, captured values."""
