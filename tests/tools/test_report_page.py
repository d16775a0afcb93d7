# SPDX-License-Identifier: Apache-2.0
"""The report as a page: six real models, large ones, hostile names, keyboard, paper, light and dark; saved reports."""

import base64
import importlib
import importlib.metadata
import json
import re
import sys
import types

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import onnxfold_browser
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

LOUD = "window.ran = true"
HOSTILE = [
    "</script><script>" + LOUD + "</script>",
    "<img src=x onerror='" + LOUD + "'>",
    "\"><svg onload='" + LOUD + "'>",
    "<!--<script>",
    "javascript:" + LOUD,
    "\u202eevil\u2066\u200f.onnx",
    "line\u2028break\nand\ttab\x00\x1b[31m",
    "'; " + LOUD + "; '",
    "__proto__",
    "constructor",
    "toString",
    "x" * 100_000,
    "&lt;b&gt;&amp;",
    "\u0645\u0631\u062d\u0628\u0627",
]


@pytest.fixture(scope="module")
def browser():
    onnxfold_browser.needed()
    with onnxfold_browser.Browser() as one:
        yield one


def pageOf(model, folder, *flags):
    page = folder / "page.html"
    t.fold(model, folder / "out.onnx", f"--report=html:{page}", *flags)
    return page


def chain(count):
    """Of `count` nodes, half of them constant."""
    nodes = []
    for i in range(count // 2):
        nodes.append(node("Add", [f"c{i}" if i else "w", "w"], [f"c{i + 1}"], name=f"/model/layer.{i}/constant/Add"))
        nodes.append(node("Mul", [f"y{i}" if i else "x", f"c{i + 1}"], [f"y{i + 1}"], name=f"/model/layer.{i}/Mul"))
    return m.model(nodes, [info("x")], [info(f"y{count // 2}")], [const("w", [1.0, 2.0], np.float32)])


def test_pages_of_real_models(folder, browser):
    for model in t.shippedModels()[:6]:
        page = pageOf(model, folder)
        report = t.foldWithReport(model, folder / "out.onnx")
        browser.open(page)
        text = browser.js("return document.body.innerText")
        assert browser.problems() == [], model.name
        for title in ("Overview", "Operators", "Nodes", "Picture", "What costs", "Time and memory"):
            assert title in text, f"{model.name}: section {title}"
        assert f"{len(report['nodes'])} nodes" in text.replace(",", "") or len(report["nodes"]) == 0, model.name
        for group in report["groups"]:
            assert group["code"] in text and group["command"] in text.replace("\u00a0", " "), f"{model.name}: {group}"
        browser.until("document.querySelectorAll('.pane').length === 2")
        boxes = browser.js("return [...document.querySelectorAll('.box')].map(b => b.getBoundingClientRect().width)")
        assert boxes and min(boxes) > 0, f"{model.name}: the picture is empty"
        assert page.stat().st_size < 170_000 + 3 * (folder / "out.onnx.report.json").stat().st_size, model.name


def test_page_is_one_file(folder):
    """Nothing is loaded, the policy says so, and libraries have versions and licences."""
    text = pageOf(t.shippedModels()[0], folder).read_text()
    assert "default-src 'none'" in text and "unsafe" not in text.partition("<style>")[0]
    outside = text.partition('<script type="application/json"')[0]
    assert "src=" not in outside and "@import" not in outside and "url(" not in outside.replace("url(#", "")
    for name in ("dagre", "graphlib", "lodash", "d3-hierarchy"):
        assert f"<summary>{name} " in outside, name
    assert "Permission is hereby granted" in outside and "Redistribution and use" in outside


@pytest.mark.parametrize("count", [10_000, 100_000])
def test_large_pages_open(folder, browser, count):
    """1 s for 10,000 nodes, 5 s for 100,000, on an idle machine; here other tests run beside it, so the time is only printed."""
    onnx.save(chain(count), folder / "large.onnx")
    seconds = browser.open(pageOf(folder / "large.onnx", folder))
    print(f"{count} nodes: {seconds:.2f} s")
    browser.until("document.querySelectorAll('.box').length > 2")
    assert browser.problems() == []
    assert browser.js("return document.querySelectorAll('*').length") < 5000, "only what is in sight is an element"
    browser.js("document.querySelector('.grid').focus()")
    browser.press("End")
    browser.until(f"document.querySelector('.grid .current bdi').title.includes('layer.{count // 2 - 1}/')")


def test_hostile_names(folder, browser):
    nodes = [node("Identity", ["x"], ["start"])]
    before = "start"
    for i, name in enumerate(HOSTILE):
        nodes.append(node("Add", [before, f"w{i}{name}"], [f"{i}{name}"], name=name, domain=""))
        before = f"{i}{name}"
    nodes.append(node(HOSTILE[0], [before], ["y"], name="custom", domain="<b>domain</b>"))
    model = m.model(
        nodes,
        [info("x")],
        [info("y")],
        [const(f"w{i}{name}", [1.0, 2.0], np.float32) for i, name in enumerate(HOSTILE)],
        domains=[("<b>domain</b>", 1)],
    )
    file = folder / "<img src=x onerror=alert(1)>.onnx"
    onnx.save(model, file)
    page = pageOf(file, folder, "-O0")
    browser.open(page)
    browser.until("document.querySelectorAll('.box').length > 2")
    for name in HOSTILE:
        browser.js(
            "const s = document.querySelector('#nodes input'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))",
            name[:500],
        )
        browser.until("document.querySelector('#nodes [role=status]').textContent !== ''")
        browser.js("document.querySelector('.grid .row')?.click()")
    assert browser.js("return window.ran") is None, "a name was run as a script"
    assert browser.js("return document.querySelectorAll('img, iframe, object, svg [onload]').length") == 0
    assert browser.js("return document.querySelectorAll('script').length") == 2
    text = browser.js("return document.body.textContent.replace(document.getElementById('report').textContent, '')")
    assert "\u202e" not in text and "\u2066" not in text and "\x1b" not in text, "a name turns the direction of writing"
    assert browser.problems() == []


def test_policy_forbids_what_is_injected(folder, browser):
    """Even if something of a model became markup, it would not run."""
    browser.open(pageOf(t.shippedModels()[0], folder))
    browser.problems()
    browser.js("document.body.insertAdjacentHTML('beforeend', arguments[0])", HOSTILE[1])
    browser.js(f"const s = document.createElement('script'); s.textContent = '{LOUD}'; document.body.append(s)")
    assert browser.js("return window.ran") is None
    assert any("Content Security Policy" in line for line in browser.problems())


def controlFlow():
    """An If with bodies that name values around them."""
    then = onnx.helper.make_graph([node("Mul", ["x", "w"], ["t"], name="inner")], "then", [], [info("t")])
    other = onnx.helper.make_graph([node("Neg", ["x"], ["e"], name="negative")], "else", [], [info("e")])
    nodes = [
        node("If", ["c"], ["a"], name="choice", then_branch=then, else_branch=other),
        node("Add", ["w", "w"], ["w2"], name="sum"),
        node("Add", ["a", "w2"], ["y"], name="last"),
    ]
    return m.model(nodes, [info("x"), info("c", (), TensorProto.BOOL)], [info("y")], [const("w", [1.0, 2.0], np.float32)])


def test_keyboard_and_bodies(folder, browser):
    onnx.save(controlFlow(), folder / "model.onnx")
    browser.open(pageOf(folder / "model.onnx", folder))
    browser.until("document.querySelectorAll('.box').length > 2")
    browser.js("document.querySelector('#nodes input').focus()")
    browser.js("const s = document.querySelector('#nodes input'); s.value = 'last'; s.dispatchEvent(new Event('input'))")
    browser.until("document.querySelectorAll('.grid .row').length === 1")
    browser.js("document.querySelector('.grid').focus()")
    browser.press("Enter")
    browser.until("document.querySelector('.details').textContent.includes('last')")
    assert browser.js("return document.querySelectorAll('.chosen').length") == 2, "the node is there before and after"
    browser.js("document.querySelector('.toggle').focus()")
    browser.press("Enter")
    browser.until("document.querySelectorAll('.cluster').length === 2")
    labels = browser.js("return [...document.querySelectorAll('.box')].map(b => b.getAttribute('aria-label'))")
    assert any("inner" in one for one in labels), labels
    browser.js("document.querySelector('.pane .chosen').focus()")
    browser.press("ArrowUp", "Enter")
    browser.until("!document.querySelector('.details').textContent.includes('last,')")
    assert browser.problems() == []


def test_light_dark_and_paper(folder, browser):
    browser.open(pageOf(t.shippedModels()[0], folder))
    colours = []
    for scheme in ("light", "dark"):
        browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        colours.append(browser.js(CONTRAST))
    (lightBack, lightWorst), (darkBack, darkWorst) = colours
    assert lightBack > 0.8 and darkBack < 0.1, "the background follows the system"
    assert min(lightWorst, darkWorst) >= 4.5, f"contrast of texts: {lightWorst:.2f} in light, {darkWorst:.2f} in dark"
    paper = base64.b64decode(browser.command("Page.printToPDF", printBackground=True)["data"])
    assert paper.startswith(b"%PDF") and len(paper) > 10_000


def layers(count):
    """Weights whose names have a long start and differ late, read by one operator."""
    nodes, constants, before = [], [], "x"
    for i in range(count):
        name = f"/model/encoder/layers/block.{i}/attention/self/query/weight"
        constants.append(const(name, np.full((32, 32), 1 + i / 64, np.float32)))
        nodes.append(node("MatMul", [before, name], [f"y{i}"], name=f"/model/encoder/layers/block.{i}/MatMul"))
        before = f"y{i}"
    return m.model(nodes, [info("x", ("batch", 32))], [info(before, ("batch", 32))], constants)


def longer(value, key=None):
    """A report in which each number is large and each text long and without a place where a line may break."""
    if isinstance(value, dict):
        return {name + "Long" * 60 * (key == "ops"): longer(one, key if key == "ops" else name) for name, one in value.items()}
    if isinstance(value, list):
        return [longer(one, key) for one in value]
    if isinstance(value, str):
        return value + "x" * 250 if value and key not in ("action", "kind") else value
    isSmall = value is None or isinstance(value, bool) or key in ("version", "node", "since", "trial")
    return value if isSmall else value * 10**9 + 987_654_321


# What reaches beyond the right side of the window or of its section, and is in no box that scrolls or cuts it.
WIDE = """
const cuts = (e) => getComputedStyle(e).overflowX !== "visible";
const isInBox = (e) => e !== document.body && ((e.tagName !== "SECTION" && cuts(e)) || isInBox(e.parentElement));
const right = (e) => e.getBoundingClientRect().left + Math.max(e.getBoundingClientRect().width, cuts(e) ? 0 : e.scrollWidth);
for (const one of document.querySelectorAll("details")) one.open = true;
const isWide = (e) => e.checkVisibility() && !e.matches(".offscreen, .skip") && right(e) > innerWidth + 1 && !isInBox(e.parentElement);
const wide = [...document.querySelectorAll("body *")].filter(isWide);
const sections = [...document.querySelectorAll("section")].filter(e => e.scrollWidth > e.clientWidth);
const page = document.documentElement.scrollWidth > arguments[0] ? [document.documentElement] : [];
return [...page, ...sections, ...wide].map(e => `${e.scrollWidth}: ${e.outerHTML.slice(0, 100)}`);
"""


def widePages(folder):
    """Pages whose texts differ in kind: weights alike; a model with warnings, compared; texts and numbers of any length; two models."""
    onnx.save(layers(12), folder / "layers.onnx")
    model = t.shippedModels()[0]
    sample = t.ROOT / "examples/sample.onnx"
    for name, file, *flags in (("layers", folder / "layers.onnx"), ("warnings", model, "--verify"), ("rewrites", sample, "-O2")):
        t.fold(file, folder / "out.onnx", f"--report=html:{folder / name}.html", *flags)
        yield folder / f"{name}.html"
    t.fold(model, folder / "out.onnx", f"--report=json:{folder / 'r.json'}", "--verify")
    (folder / "long.json").write_text(json.dumps(longer(json.loads((folder / "r.json").read_text()))))
    t.runOk("report", folder / "long.json", f"--report=html:{folder / 'long.html'}")
    yield folder / "long.html"
    t.run("diff", folder / "layers.onnx", model, f"--report=html:{folder / 'diff.html'}")
    yield folder / "diff.html"


def test_on_a_telephone(folder, browser):
    """At 390 pixels the page was wider than the window, then where the paths in warnings were long or letters broad."""
    try:
        browser.command("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
        for page in widePages(folder):
            browser.open(page)
            browser.until("document.querySelectorAll('.box').length > 2")
            browser.js("document.getElementById('costs').scrollIntoView({ behavior: 'instant' })")
            browser.until("document.querySelectorAll('.treemap > div').length > 0")
            assert browser.js(WIDE, 390) == [], page.name
            broad = "const sheet = new CSSStyleSheet(); sheet.replaceSync('* { letter-spacing: 2px }'); document.adoptedStyleSheets = [sheet];"
            assert browser.js(broad + WIDE, 390) == [], f"{page.name} with broad letters"
    finally:
        browser.command("Emulation.clearDeviceMetricsOverride")


def test_areas_keep_where_names_differ(folder, browser):
    """Labels were cut at their ends, so that all of them were the same."""
    onnx.save(layers(24), folder / "model.onnx")
    browser.open(pageOf(folder / "model.onnx", folder))
    browser.js("document.getElementById('costs').scrollIntoView()")
    browser.until("document.querySelectorAll('.treemap > .cell').length === 24")
    found = browser.js(
        "return [...document.querySelectorAll('.treemap > .cell')].map(e => [e.firstChild ? e.firstChild.textContent : '', e.title, e.scrollWidth > e.clientWidth + 1])"
    )
    labels = [label for label, *_ in found if label]
    assert len(labels) > 12 and len(set(labels)) == len(labels), labels
    assert not any(isCut for *_, isCut in found), found
    for label, title, _ in found:
        name = title.splitlines()[0]
        assert not label or (name.endswith(label.rpartition("\u2026")[2]) and len(label.rpartition("\u2026")[2]) >= 3), (label, name)


def test_titles_sort(folder, browser):
    onnx.save(layers(12), folder / "model.onnx")
    browser.open(pageOf(folder / "model.onnx", folder))
    browser.js("document.getElementById('costs').scrollIntoView()")
    names = "[...document.querySelectorAll('.grid .row span:nth-child(3)')].map(e => e.textContent)"
    click = "[...document.querySelectorAll(arguments[0] + ' button.sort')].find(e => e.textContent === arguments[1]).click()"
    browser.js(click, ".gridhead", "node")
    assert [name.split("/")[4] for name in browser.js(f"return {names}")] == [f"block.{i}" for i in range(12)], "2 is before 10"
    assert browser.js("return document.querySelector('.gridhead [aria-sort=ascending]').textContent") == "node"
    browser.js(click, ".gridhead", "node")
    assert "block.11" in browser.js(f"return {names}")[0]
    browser.until("document.querySelectorAll('#costs td').length > 0")
    rows = "[...document.querySelectorAll('#steps tbody tr')].map(e => e.firstChild.textContent)"
    before = browser.js(f"return {rows}")
    browser.js(click, "#steps", "step")
    assert browser.js(f"return {rows}") == sorted(before)
    assert browser.problems() == []


def test_links_to_a_node(folder, browser):
    """The address of a node shows it, and the page has one title of the first level."""
    onnx.save(controlFlow(), folder / "model.onnx")
    page = pageOf(folder / "model.onnx", folder)
    browser.open(page)
    browser.until("document.querySelector('.details a') !== null")
    assert browser.js("return [...document.querySelectorAll('h1')].map(e => e.textContent)") == ["model.onnx: report"]
    which = "JSON.parse(document.getElementById('report').textContent).nodes.findIndex(e => e.name === 'last')"
    browser.js(f"location.hash = '#node-' + {which}")
    browser.until("document.querySelector('.details').textContent.includes('last')")
    link = browser.js("return document.querySelector('.details a').getAttribute('href')")
    browser.js("[...document.querySelectorAll('.grid .row')].find(e => !e.textContent.includes('last')).click()")
    assert browser.js("return location.hash") not in ("", link), "the address follows the picture"
    assert "last" not in browser.js("return document.querySelector('.details dd').textContent")
    browser.js(f"location.hash = '{link}'; location.reload()")
    browser.until("document.documentElement.hasAttribute('data-ready') && document.querySelector('.details dd')")
    browser.until("document.querySelector('.details dd').textContent === 'last'")
    assert browser.problems() == []


def test_a_rewritten_node_counts_once(folder, browser):
    """It was there as changed and as new, so that the table had more nodes than the model."""
    page = pageOf(t.ROOT / "examples/sample.onnx", folder, "-O2")
    browser.open(page)
    report = json.loads(browser.js("return document.getElementById('report').textContent"))
    facts = browser.js("return document.querySelector('.facts').textContent")
    assert re.match(r"onnx-fold [\d.]+, 20\d\d-\d\d-\d\dT[\d:]+Z, options ", facts) and "-O2" in facts, facts
    assert [one["op"] for one in report["new_nodes"]] == ["Reshape", "Gemm"], "both make the outputs of changed nodes"
    status = browser.js("return document.querySelector('#nodes [role=status]').textContent")
    assert status == f"{len(report['nodes'])} of {len(report['nodes'])} nodes", status
    browser.until("document.querySelectorAll('.pane').length === 2")
    browser.js("location.hash = '#node-' + JSON.parse(document.getElementById('report').textContent).nodes.findIndex(e => e.outputs[0] === 'fc1.out')")
    browser.until("[...document.querySelectorAll('.pane')[1].querySelectorAll('.op')].some(e => e.textContent === 'Gemm')")


def test_rules_are_said(folder, browser):
    """What a rule did, and that nobody proved it."""
    text = "r (x) => (before, after) {\n  n = Neg (x)\n  before = Abs (n)\n  after = Abs (x)\n}\n"
    (folder / "mine.rules").write_text(text)
    made = m.model([node("Neg", ["x"], ["n"]), node("Abs", ["n"], ["y"])], [info("x")], [info("y")])
    onnx.save(made, folder / "in.onnx")
    browser.open(pageOf(folder / "in.onnx", folder, f"--rules={folder / 'mine.rules'}", "--trust-rules"))
    shown = browser.js("return document.getElementById('overview').textContent")
    assert "1 rule, 1 not proved" in shown and re.search(r"r: .*\(trusted\), 1 node$", shown), shown
    assert browser.problems() == []


def test_paper_has_whole_rows(folder, browser):
    """Rows on paper were cut: by the height of the table, by the width of their columns and by the ends of pages."""
    onnx.save(chain(600), folder / "model.onnx")
    browser.open(pageOf(folder / "model.onnx", folder))
    try:
        browser.command("Emulation.setEmulatedMedia", media="print")
        browser.command("Emulation.setDeviceMetricsOverride", width=700, height=1000, deviceScaleFactor=1, mobile=False)
        browser.js("dispatchEvent(new Event('beforeprint'))")
        rows = browser.js(
            "return [...document.querySelectorAll('.grid .row')].map(e => [e.getBoundingClientRect().top, e.getBoundingClientRect().bottom, "
            "getComputedStyle(e).breakInside, [...e.children].some(c => c.scrollWidth > c.clientWidth + 1 || c.scrollHeight > c.clientHeight + 1)])"
        )
        assert len(rows) == 600
        box = browser.js("const b = document.querySelector('.grid').getBoundingClientRect(); return [b.top, b.bottom]")
        for (top, bottom, inside, isCut), after in zip(rows, rows[1:] + [[box[1] + 2]]):
            assert inside == "avoid" and not isCut and bottom > top and bottom <= after[0] + 1, (top, bottom, isCut, after)
    finally:
        browser.js("dispatchEvent(new Event('afterprint'))")
        browser.command("Emulation.clearDeviceMetricsOverride")
        browser.command("Emulation.setEmulatedMedia", media="")


# [luminance of the background, the least contrast of a text to what is behind it]
CONTRAST = """
const parse = (text) => text.match(/[\\d.]+/g).map(Number);
const light = (c) => { const [r, g, b] = c.slice(0, 3).map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const behind = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
let worst = 100;
for (const e of document.querySelectorAll("main p, main td, main th, main .tag, main .title, main .value, main .note, main dt, main button, nav a, footer p")) {
  if (!e.textContent.trim() || !e.getClientRects().length) continue;
  const [a, b] = [light(parse(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
  worst = Math.min(worst, (a + 0.05) / (b + 0.05));
}
return [light(parse(getComputedStyle(document.body).backgroundColor)), worst];
"""


def test_page_of_a_saved_report(folder):
    """report makes the same page of the JSON, but for times."""
    onnx.save(controlFlow(), folder / "model.onnx")
    report = folder / "r.json"
    t.fold(folder / "model.onnx", folder / "out.onnx", f"--report=json:{report}")
    shown = folder / "shown.html"
    t.runOk("report", report, f"--report=html:{shown}")
    data = shown.read_text().partition('id="report">')[2].partition("</script>")[0]
    assert json.loads(data) == json.loads(report.read_text())
    deep = ("[" * 1_000_000, "is no JSON: values stand 1000000 deep in each other")  # was a stack overflow
    for content, expected in (("{", "is no JSON"), ("{}", "is not a report"), ("[1]", "is not a report"), deep):
        (folder / "bad.json").write_text(content)
        result = t.run("report", folder / "bad.json", f"--report=html:{folder / 'no.html'}")
        assert result.code == 1 and expected in result.err and not (folder / "no.html").exists(), result
    for flags in (["--report=html"], ["--report=model-explorer"], ["report"], ["report", "--report=json:x"]):
        result = t.run(*flags, folder / "model.onnx")
        assert result.code == 1 and "expected" in result.err, result


def loaderOfModelExplorer():
    """The module of the PyPI package that defines node data, without the server around it."""
    try:
        folder = importlib.metadata.distribution("ai-edge-model-explorer").locate_file("model_explorer")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("ai-edge-model-explorer is not installed")
    package = types.ModuleType("model_explorer")
    package.__path__ = [str(folder)]
    sys.modules.setdefault("model_explorer", package)
    return importlib.import_module("model_explorer.node_data_builder")


def test_model_explorer(folder):
    model = t.shippedModels()[0]
    file = folder / "nodes.json"
    t.fold(model, folder / "out.onnx", f"--report=model-explorer:{file}")
    report = t.foldWithReport(model, folder / "out.onnx")
    data = json.loads(file.read_text())
    graph = onnx.load(model).graph.name
    assert graph in data, "graphs have the names that Model Explorer knows them by"
    named = {one["name"] for one in report["nodes"] if one["name"] and one["graph"] == "main_graph"}
    assert named <= set(data[graph]["results"]), "every node that has a name"
    loader = loaderOfModelExplorer()
    made = loader.ModelNodeData(
        {
            name: loader.GraphNodeData(results={key: loader.NodeDataResult(**value) for key, value in one["results"].items()})
            for name, one in data.items()
        }
    )
    again = json.loads(made.to_json_string())
    assert {name: one["results"] for name, one in again.items()} == {name: one["results"] for name, one in data.items()}
