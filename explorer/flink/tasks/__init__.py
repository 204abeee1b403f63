"""Tasks of a JobGraph: their classes, StreamConfigs and lifecycle."""
