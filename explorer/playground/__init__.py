"""The explorer without a server: its compiler in a browser's worker, and what builds that page."""
