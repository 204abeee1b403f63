"""Which files a confined program sees: the steps for a home, a project and a program's words."""

from pathlib import Path

import pytest

from explorer.sandbox.visible_files import paths_in, paths_in_program, view_steps


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (home := tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir("/")
    for name in (".ssh/key", "project/.git/config", "project/.env", "project/job.jar", "data.csv"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("text")
    return home


def steps(home: Path, named: list[Path], around: list[Path]) -> dict[str, str]:
    """The actions below the home, by paths that start there."""
    made = view_steps(named, around, {"HOME": str(home), "PATH": f"/usr/bin:{home}"})
    below = ((Path(step.path), step.action) for step in made)
    return {
        str(path.relative_to(home)): action for path, action in below if path.is_relative_to(home)
    }


def test_a_home_is_an_empty_folder(home: Path) -> None:
    assert steps(home, [], []) == {".": "folder"}
    # Neither the folder that a program is in, nor a variable, shows it as a whole.
    assert steps(home, [home / "data.csv"], [home, home.parent]) == {
        ".": "folder",
        "data.csv": "show",
    }


def test_a_home_that_is_a_folder_of_the_root_is_hidden_like_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Root's home, as in most containers and CI systems."""
    monkeypatch.setenv("HOME", "/root")
    monkeypatch.chdir("/usr")

    assert ("hide", "/root") in view_steps([], [Path("/usr")], {"HOME": "/root"})


def test_a_project_is_shown_without_its_hidden_entries(home: Path) -> None:
    project = home / "project"

    shown = {".": "folder", "project": "show", "project/.git": "hide", "project/.env": "blank"}
    assert steps(home, [project / "job.jar"], [project]) == shown
    del shown["project/.git"]
    assert steps(home, [project / ".git"], [project]) == shown


def test_links_are_shown_with_what_they_lead_to(home: Path) -> None:
    (home / "link.jar").symlink_to("project/job.jar")

    assert steps(home, [home / "link.jar"], []) == {
        ".": "folder",
        "link.jar": "show",
        "project/job.jar": "show",
    }


def test_folders_are_made_before_what_is_in_them(home: Path) -> None:
    made = view_steps([home / "project/job.jar"], [home / "project"], {})
    depths = [len(Path(step.path).parts) for step in made]

    assert depths == sorted(depths)
    assert {step.path for step in made if step.action == "hide"} >= {"/home", "/root", "/var"}
    assert "/usr" not in {step.path for step in made}


def test_options_name_paths_alone_in_lists_and_as_addresses(home: Path) -> None:
    data, jar = home / "data.csv", home / "project/job.jar"

    for text in (str(data), f"--in={data}", f"file://{data}", f"a;{data}", f"/none:{data}"):
        assert set(paths_in([text])) == {data}
    assert set(paths_in([f"{data},{jar}", "12", "a/b", "x" * 5_000 + "/", "a\0/b"])) == {data, jar}


def test_a_program_names_data_and_jars_but_no_secrets(home: Path) -> None:
    key, data = home / ".ssh/key", home / "data.csv"

    script = f"ADD JAR '{home}/project/job.jar'; CREATE TABLE t WITH ('path' = 'file://{data}')"
    assert set(paths_in_program(script)) == {home / "project/job.jar", data}
    assert set(paths_in_program(f"ADD JAR '{key}'; ADD JAR '{home}'; ADD JAR '/'")) == set()
    (library := home / ".m2/library.jar").parent.mkdir()
    library.touch()
    assert set(paths_in_program(f"ADD JAR '{library}'")) == {library}
