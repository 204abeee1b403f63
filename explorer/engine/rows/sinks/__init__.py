"""Writers of a sink's rows: CSV, JSON lines and Parquet, a part file for each subtask."""
