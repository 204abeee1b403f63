"""Where a source's rows come from: numbers, inline rows, files; each subtask reads its share."""
