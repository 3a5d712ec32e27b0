"""Toolkit for emitters. Nothing here names or asks for a target: what differs is data that the emitter hands in."""
