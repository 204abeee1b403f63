"""Recording of the jobs that a program executes: graph, settings, types and states as members."""
