# SPDX-License-Identifier: Apache-2.0
"""docs/linking-elements.md tells the truth: its code stands in the examples, its headers, links and folders exist.

That the examples build, run, and give what they say is what test_examples.py checks.
"""

import re

import onnxfold_testing as t
import public_headers

GUIDE = t.ROOT / "docs/linking-elements.md"
EXAMPLES = t.ROOT / "examples"


def sources():
    files = [path for pattern in ("*.cpp", "*.h", "*.td", "CMakeLists.txt") for path in EXAMPLES.glob("*/" + pattern)]
    return "\n\n".join(path.read_text() for path in files)


def withoutCode(page):
    return re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)


def test_snippets_stand_in_the_examples(folder):
    snippets = re.findall(r"^```(\w+)\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    assert len(snippets) > 20, f"only {len(snippets)} snippets"
    text = sources()
    for language, snippet in snippets:
        assert language in ("cpp", "cmake", "tablegen"), f"a snippet in {language}"
        assert "\n" + snippet in text, f"no example has the snippet\n{snippet}"


def test_headers_are_installed(folder):
    """A user who reads of a header has it."""
    public = public_headers.listed(t.ROOT)
    named = set(re.findall(r"[\w/]+\.h\b", GUIDE.read_text()))
    assert len(named) > 10, f"only {named}"
    for name in named:
        whole = name.removeprefix("onnxfold/")
        assert any(one == whole or one.endswith("/" + whole) for one in public), f"{name} is not in {public_headers.LIST}"


def test_names_exist(folder):
    # Functions and types in `code` of the prose, in the headers or the examples.
    layers = ("widenum", "elements", "gc", "constprop", "upstream")
    headers = [path for layer in layers for path in (t.ROOT / layer).rglob("*.h")]
    known = sources() + "".join(path.read_text() for path in headers)
    known += "".join(path.read_text() for path in (t.ROOT / "cmake").iterdir() if path.is_file())
    known += "".join(path.read_text() for layer in ("gc", "constprop") for path in (t.ROOT / layer).rglob("*.cpp"))
    known += "".join(path.read_text() for path in (t.ROOT / "upstream").rglob("CMakeLists.txt"))
    known += (t.ROOT / "python/onnx_fold/mlir.py").read_text()
    rooms = [path.parent for layer in ("elements", "constprop") for path in (t.ROOT / layer).rglob("CMakeLists.txt")]
    known += " ".join("_".join(room.relative_to(t.ROOT).parts) for room in rooms)
    prose = re.sub(r"^\| `[^|]*\|", "|", withoutCode(GUIDE), flags=re.MULTILINE)  # what others call it
    foreign = {"getValues", "DenseElementsAttr", "DenseResourceElementsAttr", "ElementsAttr", "dense_resource", "libMLIR",
               "libLLVM", "libonnxfold_passes", "ninja", "plugin", "OPTIONAL_COMPONENTS", "find_package", "MLIRIR", "MLIRPass", "march", "native", "RATIONALE",
               "examples", "preset"}
    unknown = set()
    for code in re.findall(r"`([^`\n]+)`", prose):
        for name in re.findall(r"\b[A-Za-z_]\w{4,}", code):
            if name not in foreign and not re.search(rf"\b{name}\b", known) and not list(EXAMPLES.glob(f"{code}*")):
                unknown.add(name)
    assert unknown == set(), "names that nobody knows"


def test_links_lead_somewhere(folder):
    for page in [t.ROOT / "README.md", *sorted((t.ROOT / "docs").glob("*.md"))]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", withoutCode(page)):
            assert (page.parent / target).exists(), f"{page.name} links {target}, which does not exist"
    anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
               for title in re.findall(r"^#+ (.*)$", GUIDE.read_text(), re.MULTILINE)}
    for anchor in re.findall(r"\(#([^)]+)\)", GUIDE.read_text()):
        assert anchor in anchors, f"there is no heading #{anchor}"
