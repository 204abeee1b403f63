"""The place Source: imports, the document as text, exports."""
