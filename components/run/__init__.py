"""The place Run: local runs, the trace of a record, a cluster's running job."""
