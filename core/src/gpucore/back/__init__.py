"""Toolkit for emitters. It is independent of the target: an emitter passes in what is specific to its target."""
