"""What a TARGET is: a document, a program, a resource, a cluster's job, a git revision."""
