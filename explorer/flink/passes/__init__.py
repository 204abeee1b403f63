"""The passes from pipeline to JobGraph: one module a pass, none imports another."""
