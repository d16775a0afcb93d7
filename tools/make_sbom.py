# SPDX-License-Identifier: Apache-2.0
"""Writes the software bill of materials of the release (SPDX 2.3, JSON): what the static programs hold.

    python3 tools/make_sbom.py VERSION ARCHITECTURE FILE... > onnx-fold.spdx.json

ARCHITECTURE: amd64 or arm64. FILE...: the artefacts, whose checksums it states. Versions of Debian's packages are those that
are installed here (of arm64, the same releases); that of the ONNX library is in cmake/onnx-source.txt. The time of creation
is that of the last commit, so the same tree gives the same text.
"""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What is linked into the programs, by the Debian package whose version counts, with the licence of the part that is linked.
PACKAGES = {
    "libmlir-22-dev": ("MLIR", "Apache-2.0 WITH LLVM-exception"),
    "llvm-22-dev": ("LLVM", "Apache-2.0 WITH LLVM-exception"),
    "libprotobuf-dev": ("Protocol Buffers", "BSD-3-Clause"),
    "libprotozero-dev": ("protozero", "BSD-2-Clause"),
    "libeigen3-dev": ("Eigen", "MPL-2.0"),
    "libsleef-dev": ("SLEEF", "BSL-1.0"),
    "libre2-dev": ("RE2", "BSD-3-Clause"),
    "libxxhash-dev": ("xxHash", "BSD-2-Clause"),
    "zlib1g-dev": ("zlib", "Zlib"),
    "libstdc++-12-dev": ("libstdc++", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "libc6-dev": ("GNU C Library", "LGPL-2.1-or-later"),
}

# Scripts in the page of a report, from tools/fetch-page-libraries.sh.
PAGE_LIBRARIES = {"dagre": "MIT", "graphlib": "MIT", "lodash": "MIT", "d3-hierarchy": "BSD-3-Clause"}


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def package(name, version, licence, source):
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name),
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "sourceInfo": source,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        "filesAnalyzed": False,
    }


def linked():
    onnx = re.match(r"onnx==(\S+) --hash=(\S+)", (ROOT / "cmake/onnx-source.txt").read_text())
    yield package("ONNX", onnx[1], "Apache-2.0", f"source distribution onnx {onnx[1]}, {onnx[2]}")
    for name, licence in PAGE_LIBRARIES.items():
        version = json.loads((ROOT / f"build/third-party/page-libraries/{name}/package.json").read_text())["version"]
        yield package(name, version, licence, f"script in the report's page, from the Debian package of {name} {version}")
    for debian, (name, licence) in PACKAGES.items():
        version = output("dpkg-query", "-W", "-f=${Version}", debian)
        yield package(name, version, licence, f"Debian package {debian} {version}")


def fileEntry(path):
    data = path.read_bytes()
    checksum = lambda name: {"algorithm": name, "checksumValue": hashlib.new(name.lower(), data).hexdigest()}
    return {
        "SPDXID": "SPDXRef-File-" + re.sub(r"[^A-Za-z0-9.-]", "-", path.name),
        "fileName": "./" + path.name,
        "checksums": [checksum("SHA1"), checksum("SHA256")],  # the format asks for SHA-1
        "licenseConcluded": "NOASSERTION",
        "copyrightText": "NOASSERTION",
    }


def document(version, architecture, files):
    ours = package("onnx-fold", version, "Apache-2.0", f"commit {output('git', 'rev-parse', 'HEAD')}")
    parts = list(linked())
    entries = [fileEntry(path) for path in files]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", ours["SPDXID"])]
    relations += [(ours["SPDXID"], "STATIC_LINK", part["SPDXID"]) for part in parts]
    relations += [(entry["SPDXID"], "GENERATED_FROM", ours["SPDXID"]) for entry in entries]
    seconds = int(output("git", "log", "-1", "--format=%ct"))
    created = output("date", "-u", "-d", f"@{seconds}", "+%Y-%m-%dT%H:%M:%SZ")
    name = f"onnx-fold-{version}-{architecture}"
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{output('git', 'rev-parse', 'HEAD')}",
        "creationInfo": {"created": created, "creators": ["Tool: onnx-fold tools/make_sbom.py"]},
        "packages": [ours, *parts],
        "files": entries,
        "relationships": [
            {"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations
        ],
    }


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    json.dump(document(sys.argv[1], sys.argv[2], [Path(name) for name in sys.argv[3:]]), sys.stdout, indent=1)
    print()
