"""What a drawing shows of a compilation: elements, captions, selection, highlights."""
