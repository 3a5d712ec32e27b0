"""Kernels for devices that are not there: packages of compiled kernels, and pages of browsers.

A target is a kind of device that a backend knows without a driver (`Backend.offline_targets`): "web", "sm_90".
`specialisations` are kernels with their types and constants, `descriptions` what a launch needs of one, as plain data.
"""
