"""The user's source: functions, the names in them, signatures, and user-defined types."""
