"""Write a plan as one comment of a pull or merge request, and update it on the next run.

``python -m explorer.cli.review_comment FILE``: FILE is what ``plan --format markdown`` printed. The
request is found in the variables that GitHub Actions and GitLab CI set. Failing to comment never
fails the job: the verdict is the plan's.
"""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import msgspec

from explorer.drawing.view.one_line import one_line
from explorer.errors import ExplorerError
from explorer.plans.markdown import LIMIT

TIMEOUT: Final = 20
_PAGES: Final = 20
_PAGE: Final = 100
_MOST: Final = 4 * LIMIT
"""Bytes of a comment's file: four for each character."""


class ReviewError(ExplorerError):
    """A request that cannot be commented."""


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """A pull or merge request: where its comments are listed, added and updated."""

    listing: str
    """The URL that lists comments and accepts new ones."""
    comment: str
    """The URL of a comment, with ``{id}``."""
    update: str
    """The method that updates a comment."""
    headers: Mapping[str, str]


def review_of(environment: Mapping[str, str]) -> Review | None:
    """The request that the CI job runs for; None where it runs for none or has no token.

    Raises ``ReviewError`` where GitHub's event cannot be read.
    """
    if token := environment.get("GITLAB_TOKEN"):
        number = environment.get("CI_MERGE_REQUEST_IID")
        if not number:
            return None
        project = f"{environment['CI_API_V4_URL']}/projects/{environment['CI_PROJECT_ID']}"
        notes = f"{project}/merge_requests/{number}/notes"
        return Review(
            listing=notes, comment=f"{notes}/{{id}}", update="PUT", headers={"PRIVATE-TOKEN": token}
        )
    token, path = environment.get("GITHUB_TOKEN"), environment.get("GITHUB_EVENT_PATH")
    return _github(environment, token, path) if token and path else None


def _github(environment: Mapping[str, str], token: str, path: str) -> Review | None:
    try:
        event = json.loads(Path(path).read_bytes())
    except (OSError, ValueError) as error:
        msg = f"GitHub's event {path} cannot be read: {error}"
        raise ReviewError(msg) from None
    number = (event.get("pull_request") or {}).get("number")
    if number is None:
        return None
    issues = f"{environment['GITHUB_API_URL']}/repos/{environment['GITHUB_REPOSITORY']}/issues"
    return Review(
        listing=f"{issues}/{number}/comments",
        comment=f"{issues}/comments/{{id}}",
        update="PATCH",
        headers={"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"},
    )


def write_comment(review: Review, text: str) -> str:
    """Update the comment that begins with the text's first line, else add one.

    Returns what was done. Raises ``ReviewError`` where the server refuses.
    """
    marker = text.partition("\n")[0]
    for comment in _comments(review):
        if str(comment.get("body", "")).startswith(marker):
            _ask(review, review.comment.format(id=comment["id"]), review.update, {"body": text})
            return "updated the plan's comment"
    _ask(review, review.listing, "POST", {"body": text})
    return "added the plan's comment"


def _comments(review: Review) -> Iterator[dict[str, Any]]:
    for page in range(1, _PAGES + 1):
        value = _ask(review, f"{review.listing}?per_page={_PAGE}&page={page}", "GET", None)
        yield from value
        if len(value) < _PAGE:
            return


def _ask(review: Review, url: str, method: str, body: Mapping[str, str] | None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {**review.headers, "Content-Type": "application/json", "User-Agent": "streamgraph"}
    request = Request(url, data=data, method=method, headers=headers)  # noqa: S310 - the CI's API
    try:
        with urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310 - the CI's API
            return json.loads(answer.read() or b"null")
    except HTTPError as error:
        hint = ": the token may not write comments" if error.code in {401, 403} else ""
        msg = f"{method} {url} answered {error.code}{hint}"
        raise ReviewError(msg) from None
    except (URLError, OSError, ValueError) as error:
        msg = f"{method} {url} failed: {error}"
        raise ReviewError(msg) from None


def main(arguments: list[str]) -> int:
    """Comment what a file holds; 2 where the call is wrong, else 0."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m explorer.cli.review_comment FILE\n")
        return 2
    try:
        text = Path(arguments[0]).read_bytes()[:_MOST].decode("utf-8", errors="replace")
        review = review_of(os.environ)
        comment = "no pull or merge request to comment on"
        if review is not None:
            comment = write_comment(review, text)
    except (ExplorerError, OSError, KeyError) as error:
        comment = f"warning: the plan is not commented: {error}"
    sys.stderr.write(f"{one_line(comment)}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
