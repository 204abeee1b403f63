"""What one task does, without Spark: records and their bytes, partitioners, operators, chains."""
