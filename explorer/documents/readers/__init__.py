"""A reader for each kind of file: pipelines, StreamGraphs, plans, jobs, Kubernetes resources."""
