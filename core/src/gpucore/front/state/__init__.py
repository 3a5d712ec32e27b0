"""The state of one lowering: what names stand for, where control can be, the statements made so far."""
