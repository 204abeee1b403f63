"""Writes ``windows.jsonl.gz``: how sixteen releases name count windows and windows with late rows.

``python -m tests.flink.ask_windows`` asks every release.
"""

from tests.flink.all_releases import ask_all

QUESTIONS = ("count 3", "slide 5 2", "late 700 100")

if __name__ == "__main__":
    ask_all("AskWindows", QUESTIONS, "windows")
