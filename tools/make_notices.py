#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes THIRD-PARTY-NOTICES: what the static programs hold of others (tools/make_sbom.py lists it), each with its licence.

    tools/make_notices.py THIRD_PARTY FILE

THIRD_PARTY: the folder third-party of a build. The texts are those of Debian's packages, of which the programs are linked, and
of the source distribution of ONNX. Texts that many of them refer to (/usr/share/common-licenses) stand once, at the end.
"""

import re
import sys
from pathlib import Path

import make_sbom

COMMON = Path("/usr/share/common-licenses")
RULE = "=" * 78


def texts(thirdParty):
    """(name, licence, text) of each part."""
    [onnx] = thirdParty.glob("onnx-*/LICENSE")
    yield "ONNX", "Apache-2.0", onnx.read_text()
    for name, licence in make_sbom.PAGE_LIBRARIES.items():
        yield f"{name} (in the page of a report)", licence, (thirdParty / "page-libraries" / name / "copyright").read_text()
    for package, (name, licence) in make_sbom.PACKAGES.items():
        yield name, licence, (Path("/usr/share/doc") / package / "copyright").read_text()


def notices(thirdParty):
    parts = list(texts(thirdParty))
    text = "The programs of onnx-fold are linked with the following. Each has its own licence.\n\n"
    text += "".join(f"  {name}: {licence}\n" for name, licence, _ in parts)
    text += "".join(f"\n{RULE}\n{name}: {licence}\n{RULE}\n\n{body.strip()}\n" for name, licence, body in parts)
    for name in sorted(set(re.findall(rf"{COMMON}/([A-Za-z0-9.-]*[A-Za-z0-9])", text))):
        text += f"\n{RULE}\n{COMMON / name}\n{RULE}\n\n{(COMMON / name).read_text().rstrip()}\n"
    return text


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    Path(sys.argv[2]).write_text(notices(Path(sys.argv[1])))
