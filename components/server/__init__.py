"""The page's server: budgets, hosts, messages, connections, uploads and downloads."""
