"""Checks of the fields and rules of a document, a row or a function for each."""
