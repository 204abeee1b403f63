"""Arguments that several commands read alike: those of targets, and the words of ``flink run``."""
