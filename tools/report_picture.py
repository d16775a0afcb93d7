#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/report-page.png, the picture of the report's page in the README, with headless Chromium.

    tools/report_picture.py [MODEL.onnx]      # default: a small vision transformer of the tests

The page is arranged for a picture: the sections that say most, and a window of 1200 pixels.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/lib"))
import onnxfold_browser  # noqa: E402

TARGET = ROOT / "docs/report-page.png"
LIMIT = 200_000
ARRANGE = """
for (const id of ["operators", "nodes", "costs", "steps"]) document.getElementById(id)?.remove();
document.querySelector("footer").remove();
for (const one of document.querySelectorAll(".canvas")) one.style.height = "330px";
for (const one of document.querySelectorAll(".details, #picture .note")) one.remove();
window.scrollTo(0, 0);
"""


def main():
    model = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "tests/models/data/vit.onnx").absolute()
    with tempfile.TemporaryDirectory() as name, onnxfold_browser.Browser((1200, 900)) as browser:
        tool = [ROOT / "build/bin/onnx-fold", "--quiet", "-o", "vit.folded.onnx", "--report=html:page.html", model.name]
        (Path(name) / model.name).write_bytes(model.read_bytes())
        subprocess.run(tool, cwd=name, check=True)
        browser.open(Path(name) / "page.html")
        browser.until("document.querySelectorAll('.box').length > 2")
        browser.js(ARRANGE)
        height = browser.js("return Math.ceil(document.body.getBoundingClientRect().height)")
        browser.command("Emulation.setDeviceMetricsOverride", width=1200, height=height, deviceScaleFactor=1, mobile=False)
        TARGET.write_bytes(browser.screenshot())
    size = TARGET.stat().st_size
    print(f"{TARGET.relative_to(ROOT)}: {size} bytes")
    return size > LIMIT


if __name__ == "__main__":
    sys.exit(main())
