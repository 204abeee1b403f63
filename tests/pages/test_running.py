"""The tab of a running job, run by AppTest: from a file, and from a cluster that was named."""
