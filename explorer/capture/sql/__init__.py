"""SQL scripts: statements, the environment that carries them out, and their optimised plan."""
