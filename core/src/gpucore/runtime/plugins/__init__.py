"""Finding, loading and checking plugins; which of them may have which name."""
