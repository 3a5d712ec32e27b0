"""The state of one lowering: bindings of names, control flow, and the statements emitted so far."""
