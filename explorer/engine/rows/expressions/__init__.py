"""SQL scalar expressions over batches: parsed, typed, computed from a closed list of functions."""
