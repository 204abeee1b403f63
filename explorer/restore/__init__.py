"""The one verdict on a restore: matching, key groups, state types, bugs, fixes, rehearsals."""
