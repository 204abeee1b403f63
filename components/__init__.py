"""The page: its parts, its pages, its looks and the graph component that the browser draws."""
