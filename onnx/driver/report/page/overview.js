// SPDX-License-Identifier: Apache-2.0
// overview.js: what happened in numbers; the groups of kept nodes; operators; steps.

const total = (side) => Object.values(report.ops).reduce((sum, counts) => sum + counts[side], 0);

function card(title, value, note, kind) {
  return make("div", { class: `card ${kind || ""}` }, make("div", { class: "title" }, title), make("div", { class: "value" }, value), make("div", { class: "note" }, note));
}

const percent = (before, after) => (before ? `${signed(Math.round(((after - before) / before) * 1000) / 10)} %` : "");

function showOverview() {
  const name = (path) => path.split("/").pop();
  document.getElementById("kind").textContent = isDiff ? "difference" : "report";
  document.title = `${visible(name(report.input), 60)} \u2013 onnx-fold ${isDiff ? "difference" : "report"}`;
  const before = total(0), after = total(1);
  const cards = [
    card("nodes", [count(before), " \u2192 ", count(after)], `${signed(after - before)} ${percent(before, after)}`),
    card("model file", [bytes(report.bytes_before), " \u2192 ", bytes(report.bytes_after)], `${signed(report.bytes_after - report.bytes_before, bytes)} ${percent(report.bytes_before, report.bytes_after)}`),
  ];
  if (isDiff) {
    const found = report.difference;
    cards.push(
      card("same nodes", count(found.same), found.renamed ? `${count(found.renamed)} under another name` : "", "kept"),
      card("changed nodes", count(found.changed), "", "changed"),
      card("only in a", count(found.removed), "nodes", "removed"),
      card("only in b", count(found.added), "nodes", "added")
    );
  } else {
    const actions = { folded: 0, removed: 0, changed: 0, kept: 0 };
    for (const node of report.nodes) actions[node.action]++;
    if (report.nodes.length)
      for (const [action, number] of Object.entries(actions))
        cards.push(card(words[action], count(number), `of ${count(report.nodes.length)} nodes`, action));
    cards.push(card("time", seconds(report.seconds), `peak memory ${bytes(report.peak_bytes)}`));
  }
  document.getElementById("main").append(make("h1", {}, visible(name(report.input), 120), make("span", {}, isDiff ? ` and ${visible(name(report.output || ""), 120)}: difference` : ": report")));
  section(
    "overview",
    "Overview",
    make("p", { class: "files" }, make("span", {}, isDiff ? "a: " : "from ", nameOf(report.input)), make("span", {}, isDiff ? "b: " : "to ", report.output ? nameOf(report.output) : "nothing (checked only)")),
    make("div", { class: "cards" }, cards),
    facts(),
    isDiff ? make("p", {}, report.changed ? "The models differ." : "The models are equal.") : !report.changed && make("p", {}, "The output is the same model as the input."),
    notes()
  );
}

/** What ran, when and how: reports that were saved before it was recorded have none. */
function facts() {
  const run = report.run;
  if (!run) return null;
  const options = run.arguments.map((word) => (/^[\w./:=,@%+-]+$/.test(word) ? word : `'${word}'`)).join(" ");
  return make("p", { class: "note facts" }, `onnx-fold ${visible(run.version)}, ${visible(run.date)}`, options && [", options ", make("code", {}, visible(options, 2000))]);
}

function notes() {
  const parts = [];
  if (report.verify) {
    const { trials, equal, compared, not_run: skipped } = report.verify;
    const differing = compared.filter((one) => !one.equal);
    parts.push(
      make("p", { class: equal ? "good" : "bad" }, equal ? "\u2713 " : "\u2717 ", `Verified: ${count(compared.length)} values in ${count(trials)} trials, ${equal ? "all equal" : `${count(differing.length)} differ`}.`),
      differing.length > 0 && make("ul", {}, differing.slice(0, 20).map((one) => make("li", {}, nameOf(one.name), ": ", visible(one.difference || "")))),
      skipped.length > 0 && make("p", {}, `Not compared: ${count(skipped.length)}.`)
    );
  }
  if (report.run_once) parts.push(make("p", {}, `Run once: ${count(report.run_once.nodes)} nodes moved to `, nameOf(report.run_once.output), "."));
  parts.push(rulesNote());
  if (report.warnings.length)
    parts.push(
      make("details", { open: report.warnings.length < 4 }, make("summary", {}, `${count(report.warnings.length)} warning${report.warnings.length > 1 ? "s" : ""}`), make("ul", {}, report.warnings.slice(0, 50).map((text) => make("li", {}, visible(text, 500)))))
    );
  return parts;
}

/** The rules of the user (--rules): what each says, how it was proved, how many nodes it rewrote. */
function rulesNote() {
  const rules = report.rules || [];
  if (!rules.length) return null;
  const rewritten = new Map();
  for (const { reason } of report.nodes) rewritten.set(reason?.text, (rewritten.get(reason?.text) || 0) + 1);
  const trusted = rules.filter((rule) => rule.proof === "trusted").length;
  const nodesOf = (rule) => rewritten.get(rule.name) || 0;
  const line = (rule) => make("li", {}, make("strong", {}, visible(rule.name, 80)), `: ${visible(rule.says, 300)} (${rule.proof}), ${count(nodesOf(rule))} node${nodesOf(rule) === 1 ? "" : "s"}`);
  return make("details", { open: rules.length < 4 }, make("summary", {}, `${count(rules.length)} rule${rules.length > 1 ? "s" : ""}`, trusted > 0 && `, ${count(trusted)} not proved`), make("ul", {}, rules.map(line)));
}

function showKept() {
  const groups = report.groups || [];
  if (!groups.length) return;
  const most = Math.max(...groups.map((group) => group.nodes));
  section(
    "kept",
    "Kept, and why",
    groups.map((group) =>
      make(
        "div",
        { class: "group" },
        make("div", { class: "head" },
          make("strong", {}, group.code),
          make("span", {}, `${count(group.nodes)} node${group.nodes > 1 ? "s" : ""}`, group.bytes_left_out ? `, ${bytes(group.bytes_left_out)} left out` : ""),
          bar(group.nodes / most),
          nodes.length > 0 && make("button", { type: "button", onclick: () => nodeTable.find({ action: "kept", reason: group.code }) }, "show them")
        ),
        make("p", {}, group.remedy[0].toUpperCase() + group.remedy.slice(1) + "."),
        group.command && make("div", { class: "command" }, make("code", {}, visible(group.command, 2000)), copyButton(group.command))
      )
    )
  );
}

/** A bar of a part of the width, from 0 to 1. */
function bar(part, kind) {
  const inner = make("span", { class: kind || "" });
  inner.style.width = `${Math.max(0.4, part * 100)}%`;
  return make("span", { class: "bar", "aria-hidden": "true" }, inner);
}

function showOperators() {
  const every = Object.entries(report.ops).map(([op, [before, after]]) => ({ op, before, after }));
  if (!every.length) return;
  const changed = every.filter((one) => one.before !== one.after).sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before) || (a.op < b.op ? -1 : 1));
  const same = every.filter((one) => one.before === one.after).sort((a, b) => b.before - a.before);
  const most = Math.max(...every.map((one) => Math.max(one.before, one.after)));
  const rows = (list) =>
    list.map(({ op, before, after }) => [
      nodes.length ? make("button", { type: "button", class: "link", onclick: () => nodeTable.find({ op }) }, visible(op, 80)) : visible(op, 80),
      keyed(before, count(before)),
      keyed(after, count(after)),
      keyed(after - before, make("strong", {}, signed(after - before))),
      [bar(before / most, "before"), bar(after / most, "after")],
    ]);
  const columns = [["operator"], [sideNames.before, true], [sideNames.after, true], ["change", true], [""]];
  section(
    "operators",
    "Operators",
    changed.length ? table("Operators whose number changed", columns, rows(changed.slice(0, 200))) : make("p", {}, "No number of an operator changed."),
    same.length > 0 && make("details", {}, make("summary", {}, `${count(same.length)} operator${same.length > 1 ? "s" : ""} as before`), table("Operators as before", columns, rows(same.slice(0, 500))))
  );
}

function showSteps() {
  const steps = report.steps;
  if (!steps.length) return;
  const longest = Math.max(...steps.map((step) => step.seconds), 1e-9);
  const highest = Math.max(...steps.map((step) => step.peak_bytes || 0), 1);
  section(
    "steps",
    "Time and memory",
    table("Steps of the run", [["step"], ["time", true], [""], ["peak memory so far", true], [""]],
      steps.map((step) => [
        step.name,
        keyed(step.seconds, seconds(step.seconds)),
        bar(step.seconds / longest),
        keyed(step.peak_bytes || 0, step.peak_bytes ? bytes(step.peak_bytes) : ""),
        step.peak_bytes ? bar(step.peak_bytes / highest, "before") : "",
      ])
    ),
    make("p", { class: "note" }, "Large values are computed while they are written, so their time is in the step write.")
  );
}

/** The section of a difference: what changed, and which constants by how much. */
function showDifference() {
  const found = report.difference;
  const different = constants.filter((one) => one.action === "changed");
  const changed = report.nodes.filter((node) => node.action === "changed");
  const link = (node) => make("button", { type: "button", class: "link", onclick: () => picture.choose(node) }, short(labelOf(node), 60));
  section(
    "differences",
    "Differences",
    found.models.length > 0 && make("ul", {}, found.models.map((text) => make("li", {}, visible(text, 500)))),
    folding(`${count(different.length)} constant${different.length === 1 ? "" : "s"} with other values`, different.length, () =>
      table("Constants with other values", [["constant"], ["type"], ["bytes", true], ["difference"]],
        different.slice(0, 500).map((one) => [nameOf(one.name, 100), shapeOf(one), keyed(one.bytes, bytes(one.bytes)), visible(one.difference)]))),
    folding(`${count(changed.length)} changed node${changed.length === 1 ? "" : "s"}`, changed.length, () =>
      table("Changed nodes", [["node"], ["operator"], ["what"]], changed.slice(0, 500).map((node) => [link(node), visible(typeOf(node), 80), visible(node.reason.text, 500)]))),
    !report.changed && make("p", {}, "None: the two models compute the same from the same constants.")
  );
}

/** A part that is open if it is short. */
function folding(title, length, content) {
  return length > 0 && make("details", { open: length <= 12 }, make("summary", {}, make("strong", {}, title)), content());
}

const shapeOf = (constant) => `${constant.type}[${constant.shape.join("\u00d7")}]`;
