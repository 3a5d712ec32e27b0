"""Asking backends for their devices, in this process or in a child process that may die."""
