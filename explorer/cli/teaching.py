"""``lesson``: list the lessons, or print one with the compiler's answers."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import copytree, ignore_patterns

from explorer.cli.command import FORMAT, argument, command, print_found, print_text
from explorer.documents.samples import course, samples
from explorer.drawing.view.one_line import one_line
from explorer.errors import UnwritableFileError, UsageError
from explorer.lessons import LessonAt, answered, load_lesson
from explorer.locations import sample_folder
from explorer.model.lesson import Answer, Lesson
from explorer.wording import quoted


@command(
    "lesson",
    argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="a lesson, its pipeline, or a sample's name; without FILE, all lessons are listed",
    ),
    argument(
        "--ask", action="store_true", help="ask each question, and read its answer from stdin"
    ),
    FORMAT,
)
def _lesson(args: argparse.Namespace) -> None:
    if args.file is None:
        print_found(args, _course, lambda: "\n".join(_course_lines()))
        return
    loaded = load_lesson(Path(args.file))
    steps = answered(loaded.lesson, loaded.document)
    if args.ask:
        _play(loaded.lesson, steps)
    else:
        lesson = loaded.lesson
        members = [{"say": step.sentence, "answer": step.answer} for step in steps]
        texts = ("\n".join(_step_lines(position, step)) for position, step in enumerate(steps, 1))
        print_found(
            args,
            lambda: {"lesson": lesson.lesson, "group": lesson.group, "steps": members},
            lambda: "\n\n".join((_head(lesson), *texts)),
        )


@command(
    "samples",
    argument("--copy", metavar="DIR", help="copy samples, their data and programs to a new folder"),
    FORMAT,
)
def _samples(args: argparse.Namespace) -> None:
    if args.copy is not None:
        _copy_samples(Path(args.copy))
        return
    listed = [
        {"name": sample.key, "title": sample.title, "teaches": sample.teaches}
        for sample in samples()
    ]
    width = max(len(sample["name"]) for sample in listed)
    lines = (f"{sample['name']:<{width}}  {sample['title']}" for sample in listed)
    print_found(args, lambda: listed, lambda: "\n".join(lines))


def _copy_samples(folder: Path) -> None:
    """Copy the samples; raises ``ExplorerError`` where the folder exists or cannot be written."""
    if folder.exists():
        msg = f"{quoted(str(folder))} exists already: name a new folder"
        raise UsageError(msg)
    try:
        copytree(sample_folder(), folder, ignore=ignore_patterns("__pycache__"))
    except OSError as error:
        raise UnwritableFileError(folder, error) from None
    print_text(f"The samples are in {folder}")


def _course() -> list[dict[str, str]]:
    return [
        {"group": sample.lesson.group, "lesson": sample.lesson.lesson, "sample": sample.path.name}
        for sample in course()
        if sample.lesson is not None
    ]


def _course_lines() -> Iterator[str]:
    group = ""
    for number, lesson in enumerate(_course(), 1):
        if lesson["group"] != group:
            group = lesson["group"]
            yield group[0].upper() + group[1:]
        yield f"{number:>4}. {lesson['lesson']}  ({lesson['sample']})"


def _head(lesson: Lesson) -> str:
    return f"{one_line(lesson.lesson)} ({lesson.group})"


def _step_lines(position: int, step: LessonAt) -> Iterator[str]:
    yield f"{position:>2}. {one_line(step.sentence)}"
    if step.answer is not None:
        yield from _question_lines(step.answer)
        yield f"    Answer: {'; '.join(step.answer.right_texts) or 'none of them'}"
        yield f"    {one_line(step.answer.reason)}"


def _question_lines(answer: Answer) -> Iterator[str]:
    yield f"    {one_line(answer.question)}"
    for number, choice in enumerate(answer.choices, 1):
        yield f"      {number} {one_line(choice.text)}"


def _play(lesson: Lesson, steps: Sequence[LessonAt]) -> None:
    print_text(_head(lesson))
    good = number_of_questions = 0
    for position, step in enumerate(steps, 1):
        print_text(f"\n{position:>2}. {one_line(step.sentence)}")
        if step.answer is None:
            continue
        print_text("\n".join(_question_lines(step.answer)))
        hits, of = step.answer.score(_read_choices(step.answer))
        good, number_of_questions = good + hits, number_of_questions + of
        verdict = "Right." if hits == of else f"Not quite: {'; '.join(step.answer.right_texts)}."
        print_text(f"    {verdict} {one_line(step.answer.reason)}")
    print_text(f"\n{good} of {number_of_questions} right.")


def _read_choices(answer: Answer) -> set[str]:
    """The choices with the numbers that the next line of standard input names."""
    sys.stdout.write("    Numbers: " if answer.many else "    Number: ")
    sys.stdout.flush()
    words = sys.stdin.readline().replace(",", " ").split() if sys.stdin is not None else []
    keys = {str(number): choice.key for number, choice in enumerate(answer.choices, 1)}
    return {keys[word] for word in words if word in keys}
