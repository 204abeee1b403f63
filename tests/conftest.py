"""What every test stands on: steady hypothesis runs, a browser and Java that are really there.

A skipped test proves nothing, so on the gate (``CI=true``) a skip is a failure.
"""

import gc
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import ExitStack, nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from explorer.__main__ import ALLOCATIONS
from tests.installations import install_core, install_extra
from tests.network import unchanged_network

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.capture.warm_java import WarmMachines

QUIET = (
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Tabs of one visitor find the page's scripts compiled.
    "--process-per-site",
    # A visit is short: its young objects need no collection by several threads every few megabytes,
    # few functions are called so often that optimizing them pays, and large tiles are fewer.
    "--js-flags=--min-semi-space-size=64 --max-semi-space-size=64 --single-threaded-gc"
    " --invocation-count-for-maglev=20000 --invocation-count-for-early-optimization=20000"
    " --invocation-count-for-turbofan=100000",
    "--default-tile-width=512",
    "--default-tile-height=512",
    # No proxy listens at that port: every request to another host fails, and a watched tab reports
    # failed requests. 127.0.0.2 is the other site that frames the page.
    "--proxy-server=127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>;127.0.0.1;127.0.0.2",
)
GROUPS = {"process": None, "browser": "browser", "spark": "spark", "flink": None}
"""By mark, the first that a test has: the group of its tests; None: a group a module."""
CLASSES = ("browser", "page", "spark", "flink", "process", "law", "unit")
"""By what a test costs: the first that it has, as a mark or, of pages, as its folder."""
SHOWN_SECONDS: Final = 0.005
"""What takes less time, pytest does not list among the slowest."""
ON_GATE = os.environ.get("CI", "").lower() in {"1", "true"}

# jsonschema builds a grammar of IRIs with it, for seconds, and no schema of ours has that format.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

settings.register_profile("desk", deadline=None)
settings.register_profile(
    "gate",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("gate" if ON_GATE else "desk")


def pytest_addoption(parser: pytest.Parser) -> None:
    """How thoroughly: the numbers of pipelines, and of broken documents and files, that are drawn.

    Few on the gate, where they are the same each time; the nightly run draws more.
    """
    parser.addoption(
        "--examples",
        type=int,
        default=40 if ON_GATE else 100,
        metavar="N",
        help="how many examples a law draws; one with a number of its own draws a share of that",
    )
    parser.addoption(
        "--mutations",
        type=int,
        default=100 if ON_GATE else 300,
        metavar="N",
        help="how many broken documents or files each of these tests draws",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Before a test module is imported, since its decorators read the profile."""
    for profile in ("examples", "mutations"):
        number = config.getoption(profile)
        settings.register_profile(profile, settings(), max_examples=number)
    settings.load_profile("examples")
    config.pluginmanager.register(DoctestedModules())
    # In a script's background, programs that tests start would ignore interrupts that they send.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(config, "workerinput") and not config.option.xmlpath:
        send_less(config)


def send_less(config: pytest.Config) -> None:
    """Let a worker of xdist send two messages for most tests, and not six.

    The controller shows the start and the end of a test with ``-v`` alone, and no setup or teardown
    that passed in a moment; a report in XML would need all of them.
    """
    plugins = config.pluginmanager.get_plugins()
    worker: Any = next(each for each in plugins if type(each).__name__ == "WorkerInteractor")
    send = worker.sendevent

    def send_shown(name: str, **content: Any) -> None:
        if name == "testreport":
            report = content["data"]
            brief = report["outcome"] == "passed" and report["duration"] < SHOWN_SECONDS
            is_shown = report["when"] == "call" or not brief
        else:
            is_shown = config.option.verbose > 0 or name not in {"logstart", "logfinish"}
        if is_shown:
            send(name, **content)

    worker.sendevent = send_shown


@cache
def chromium_path() -> str | None:
    """The browser of the journeys: ``$CHROMIUM``, or Debian's headless shell, or its Chromium."""
    given = os.environ.get("CHROMIUM")
    names = [given] if given else ["chromium-headless-shell", "chromium"]
    return next(filter(None, map(shutil.which, names)), None)


@cache
def java_release() -> int:
    """The release of the Java that Spark will find; 0 without one."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which(f"{home}/bin/java" if home else "java")
    if java is None:
        return 0
    reported = subprocess.run(
        [java, "-version"], capture_output=True, text=True, check=False
    ).stderr
    found = re.search(r'version "(\d+)', reported)
    return int(found[1]) if found else 0


@pytest.fixture(scope="session")
def core_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that ``pip install streamgraph-explorer`` makes."""
    return install_core(tmp_path_factory.mktemp("core"))


@pytest.fixture(scope="session")
def capture_python(core_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same of ``pip install 'streamgraph-explorer[capture]'``."""
    return install_extra(core_python, tmp_path_factory.mktemp("capture"), "capture")


@pytest.fixture(scope="session")
def warm_machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator["WarmMachines"]:
    """The worker's Java machines that capture one program after another."""
    from tests.capture.warm_java import WarmMachines  # it needs py4j, and few tests need it

    machines = WarmMachines(tmp_path_factory.getbasetemp())
    yield machines
    machines.close()


@pytest.fixture
def warm_java(warm_machines: "WarmMachines", monkeypatch: pytest.MonkeyPatch) -> None:
    """Let captures of this test use machines that run."""
    from explorer.capture.recording import recording_session

    monkeypatch.setattr(recording_session, "java_machine", warm_machines.lent)


class SharedBrowser:
    """The browser of all tests of a worker's group, started for the first of them."""

    def __init__(self) -> None:
        self._browser: Browser | None = None
        self._closing = ExitStack()

    def start(self) -> "Browser":
        """Return the browser, a new one where there is none or it died."""
        if self._browser is None or not self._browser.is_connected():
            from playwright.sync_api import sync_playwright  # xdist's controller starts none

            self.close()
            playwright = self._closing.enter_context(sync_playwright())
            self._browser = playwright.chromium.launch(executable_path=chromium_path(), args=QUIET)
            self._closing.callback(self._browser.close)
        return self._browser

    def close(self) -> None:
        """End the browser, if there is one, and playwright's event loop."""
        self._closing.close()
        self._browser = None


SHARED_BROWSER = SharedBrowser()


@pytest.fixture(scope="module")
def browser() -> "Browser":
    """A browser that asks for nothing of its own accord, and lives until its group has ended."""
    return SHARED_BROWSER.start()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without the garbage collector, and leave what is collected out of its later rounds.

    Modules and tests live until the end: each full round would visit their millions of objects in
    vain. Later rounds are as rare as in a command of the explorer. pytest stores the modules that
    it rewrites also where PYTHONDONTWRITEBYTECODE is set, since every process would rewrite them
    all again.
    """
    writes_nothing = sys.dont_write_bytecode
    sys.dont_write_bytecode = False
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(ALLOCATIONS)
        gc.enable()
        sys.dont_write_bytecode = writes_nothing


class DoctestedModules:
    """A plugin, since pytest asks a conftest about no file outside of its folder."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        self, file_path: Path
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        """Look for doctests only in modules that have some: one in twenty."""
        collectors = yield
        if not collectors or b">>> " in file_path.read_bytes():
            return collectors
        return [collector for collector in collectors if type(collector) is pytest.Module]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark laws and browser tests by what they use, and give each worker what belongs together.

    Before marks are asked for, so that a law can be left out by its own. On the gate a test in a
    browser gets a second try: a pause of a busy machine is no defect. The summary lists each one
    that was used, with the failure of its first.
    """
    # Modules with tests in warm Java machines are one group: the machines warm up in one worker.
    warm = (item for item in items if "warm_java" in getattr(item, "fixturenames", ()))
    java = {*map(worker_group, warm)} - {*GROUPS.values()}
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.law)
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
        if ON_GATE and item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))
        group = "java" if worker_group(item) in java else worker_group(item)
        item.add_marker(pytest.mark.xdist_group(group))
        name_group(item, group)


def worker_group(item: pytest.Item) -> str:
    """Return the name of the tests that one worker runs together with this one.

    The tests of a module share its fixtures (a jar, an installation, texts that are read once);
    those in Chromium share the page's server, those on Spark the session of their process. With
    a group for each test, xdist would count thousands of groups whenever a test ends.
    """
    if named := item.get_closest_marker("xdist_group"):
        return str(named.args[0])
    module = item.nodeid.partition("::")[0]
    for mark, group in GROUPS.items():
        if item.get_closest_marker(mark):
            return group or module
    return module


def name_group(item: pytest.Item, group: str) -> None:
    """Append the group to the test's ID, by which ``--dist loadgroup`` deals tests out.

    xdist 3.8 does so itself, but in a member that pytest 9.2 no longer reads.
    """
    if item.config.getoption("loadgroup", default=False):
        item._id = item.id.parse(f"{item.nodeid}@{group}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the second tries that were used, with their causes, and the seconds of each class."""
    retried = terminalreporter.stats.get("rerun", ())
    if retried:
        terminalreporter.write_line(f"Second tries used: {len(retried)}")
    for report in retried:
        terminalreporter.write_sep("_", f"first try of {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)
    tests, seconds = Counter[str](), dict.fromkeys(CLASSES, 0.0)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                name = getattr(report, "test_class", "unit")  # none where its process died
                tests[name] += report.when == "call"
                seconds[name] += report.duration
    if not any(tests.values()):
        return
    parts = (f"{name} {seconds[name]:,.0f} s for {tests[name]:,}" for name in CLASSES)
    terminalreporter.write_line("Seconds by class of tests: " + ", ".join(parts))


def test_class(item: pytest.Item) -> str:
    """Return the class of ``CLASSES`` that a test belongs to."""
    names = {"unit", *(mark.name for mark in item.iter_markers())}
    if item.nodeid.startswith("tests/pages/"):
        names.add("page")
    return next(name for name in CLASSES if name in names)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail with one sentence where a test needs what this machine lacks."""
    if item.get_closest_marker("browser") and chromium_path() is None:
        pytest.fail("Chromium is missing: sudo apt install chromium", pytrace=False)
    if item.get_closest_marker("spark") and java_release() < 17:
        pytest.fail("Java 17 is missing: sudo apt install default-jre-headless", pytrace=False)
    if item.get_closest_marker("flink") and shutil.which("javac") is None:
        pytest.fail("javac is missing: sudo apt install default-jdk-headless", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """Run a browser test, with its fixtures and tries, on a network that stays as it is.

    The browser ends with its group: another test may not run an event loop over playwright's. Not
    within a module, where ``browser`` is handed out once, nor before a second try, which gets it.
    """
    has_browser = item.get_closest_marker("browser")
    try:
        with unchanged_network() if has_browser else nullcontext():
            return (yield)
    finally:
        stays = nextitem is not None and (
            nextitem.path == item.path or worker_group(nextitem) == worker_group(item)
        )
        if not stays:
            SHARED_BROWSER.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note the test's class, and turn a skip into a failure on the gate."""
    report = yield
    vars(report)["test_class"] = test_class(item)
    if ON_GATE and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome, report.longrepr = "failed", f"{item.nodeid} was skipped: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn the skip of a whole module into a failure on the gate."""
    report = yield
    if ON_GATE and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{collector.nodeid} was skipped: {report.longrepr}"
    return report
