"""Readers of a source's rows: numbers, inline rows, files; each subtask reads its share."""
