"""A module of constants, as a user's project has."""

N = 3
SCALE = 2.5
