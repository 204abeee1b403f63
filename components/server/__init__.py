"""The page's server: budgets, hosts, messages, connections and uploads."""
