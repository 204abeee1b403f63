"""Steps that operators are planned as, and what planning and running a step needs."""
