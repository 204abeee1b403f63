"""The page's server: limits, budgets, hosts, messages, connections and uploads."""
