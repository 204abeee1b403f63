"""Where a sink's rows go: files of CSV, of JSON lines or of Parquet, a part file a subtask."""
