# SPDX-License-Identifier: Apache-2.0
"""Options, fixtures and the last line of the Python tests.

    build/venv/bin/python3 -m pytest tests/tools/test_unroll.py -k custom [--long] [--seed N]
"""

import os
import signal
import tempfile
import threading
from pathlib import Path

import pytest

LIBRARY = Path(__file__).parent / "lib"
pytest.register_assert_rewrite(*(path.stem for path in LIBRARY.glob("*.py")))

import onnxfold_testing  # noqa: E402 (its assertions are rewritten too)


def pytest_addoption(parser):
    isLong = bool(os.environ.get("ONNXFOLD_LONG"))
    parser.addoption("--long", action="store_true", default=isLong, help="full counts instead of the short form")
    seed = os.environ.get("ONNXFOLD_SEED")
    parser.addoption("--seed", type=int, default=seed and int(seed), help="of all random tests")
    only = os.environ.get("ONNXFOLD_ONLY", "")
    parser.addoption("--only", default=only, metavar="REGEX", help="of the node tests those with such a name")


def heedSignals():
    """Jobs in the background of a shell ignore Ctrl-C, and those of nohup SIGHUP. Tests send both to programs that inherit that."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, handler)


def pytest_configure(config):
    heedSignals()
    onnxfold_testing.options.long = config.getoption("--long")
    seed = config.getoption("--seed")
    if seed is not None:
        onnxfold_testing.options.seed = seed
    onnxfold_testing.options.only = config.getoption("--only")


def pytest_report_header(config):
    return f"seed {onnxfold_testing.options.seed}{', long' if config.getoption('--long') else ''}"


@pytest.fixture
def folder():
    """An empty folder, deleted at once: pytest's own tmp_path keeps those of three runs, and some tests write gigabytes."""
    with tempfile.TemporaryDirectory(prefix="onnxfold-") as name:
        yield Path(name)


def pytest_unconfigure(config):
    """The last line, which tools/summarize_tests.py reads; workers of pytest-xdist have none."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or hasattr(config, "workerinput"):
        return
    count = {kind: len(reporter.stats.get(kind, ())) for kind in ("passed", "failed", "error", "skipped")}
    skipped = f", {count['skipped']} skipped" if count["skipped"] else ""
    reporter.write_line(f"{count['passed']} passed, {count['failed'] + count['error']} failed{skipped}")
