"""Makers of narrated steps: hashing and chaining, the lifecycle of a task, a job's submission.

The steps of a traced record are narrated in ``explorer.engine.report.record_narration``.
"""
