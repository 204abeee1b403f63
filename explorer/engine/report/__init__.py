"""Reports of a run: progress, figures by operator, rows of sinks, the steps of a traced record."""
