# SPDX-License-Identifier: Apache-2.0
"""Pages in headless Chromium, over the WebDriver protocol of Debian's chromium-driver.

    with Browser() as browser:
        browser.open(path)
        assert browser.js("return document.title") == "..."
        browser.press("ArrowDown")
"""

import base64
import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

import pytest

KEYS = {"Enter": "\ue007", "ArrowUp": "\ue013", "ArrowDown": "\ue015", "Tab": "\ue004", "End": "\ue010", "PageDown": "\ue00f"}


def needed():
    """Skips the test where there is no Chromium; in CI it has to be there."""
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            message = f"{program} is not installed: tools/setup-tests.sh installs it (Debian chromium, chromium-driver)"
            if os.environ.get("CI"):
                pytest.fail(message)
            pytest.skip(message)


class Browser:
    """One tab. What the page says on the console is kept by the driver: `problems()`."""

    def __init__(self, size=(1280, 1000)):
        self.folder = tempfile.mkdtemp(prefix="onnxfold-browser-")
        ports = subprocess.Popen(
            ["chromedriver", "--port=0", f"--log-path={self.folder}/log"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.driver = ports
        for line in ports.stdout:
            if b"started successfully on port" in line:
                self.url = f"http://127.0.0.1:{int(line.rstrip(b'.' + bytes([10])).split()[-1])}"
                break
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
        flags += [f"--window-size={size[0]},{size[1]}", f"--user-data-dir={self.folder}/profile", "--no-first-run"]
        options = {"goog:chromeOptions": {"args": flags}, "goog:loggingPrefs": {"browser": "ALL"}}
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": options}})
        self.session = f"/session/{answer['sessionId']}"

    def __enter__(self):
        return self

    def __exit__(self, *error):
        with contextlib.suppress(OSError):
            self.call("DELETE", self.session)
        self.driver.terminate()
        self.driver.wait(timeout=30)
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, path, body=None):
        data = None if body is None and method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.read().decode()[:2000]}") from None

    def open(self, path, ready=True):
        """Opens a file, and waits until its page is built; returns how many seconds that took."""
        begin = time.monotonic()
        self.call("POST", f"{self.session}/url", {"url": Path(path).absolute().as_uri()})
        while ready and not self.js("return document.documentElement.hasAttribute('data-ready')"):
            assert time.monotonic() - begin < 100, f"the page is not ready: {self.problems()}"
            time.sleep(0.02)
        return time.monotonic() - begin

    def js(self, code, *arguments):
        return self.call("POST", f"{self.session}/execute/sync", {"script": code, "args": list(arguments)})

    def until(self, code, *arguments):
        """Waits until an expression is true, and returns its value."""
        end = time.monotonic() + 30
        while not (value := self.js(f"return {code}", *arguments)):
            assert time.monotonic() < end, f"still not: {code}; {self.problems()}"
            time.sleep(0.03)
        return value

    def press(self, *keys):
        actions = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", f"{self.session}/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def command(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self.call("POST", f"{self.session}/goog/cdp/execute", {"cmd": name, "params": parameters})

    def problems(self):
        """Lines of the console since the last call: errors, warnings, what the policy refused."""
        lines = self.call("POST", f"{self.session}/se/log", {"type": "browser"})
        return [line["message"] for line in lines if line["level"] in ("SEVERE", "WARNING")]

    def screenshot(self, whole=False):
        """A PNG of what is in sight, or of the whole page."""
        return base64.b64decode(self.command("Page.captureScreenshot", captureBeyondViewport=whole)["data"])
