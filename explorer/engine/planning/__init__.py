"""Planning of a local run: from a compilation to tasks, operators, edges and their row types."""
