"""Java's options for a JVM in tests that ends soon."""

from typing import Final

QUICK: Final = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""Options of such a JVM: one thread collects, and only the first compiler works, at its start."""

JAVAC: Final = ("javac", *(f"-J{option}" for option in QUICK))
"""The Java compiler with these options: a class needs 0.7 CPU seconds, without them 1.1."""
