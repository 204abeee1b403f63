"""A JVM with the jars of a release, and access to the Java objects in it."""
