"""Rows: their types and schemas, expressions over them, the files they come from."""
