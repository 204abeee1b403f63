"""One subtask without Spark: records and their bytes, partitioners, operator chains."""
