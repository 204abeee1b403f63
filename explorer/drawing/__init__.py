"""What is there to draw, to list, to say: compilations as plain records, and records as text."""
