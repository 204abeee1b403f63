"""What compiles more than once, or looks at two things."""
