"""The place Learn: lessons, steps, the guide of a first visit."""
