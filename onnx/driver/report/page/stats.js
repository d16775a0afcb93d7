// SPDX-License-Identifier: Apache-2.0
// stats.js: what a model has and costs (onnx-fold stats).

const typeName = (one) => visible(one.domain ? `${one.domain}.${one.type}` : one.type, 80);

/** A number with its unit, or the formula. */
function amount(one, show = count) {
  if (one.value !== null) return keyed(one.value, show(one.value));
  return keyed(Infinity, one.formula ? make("code", {}, visible(one.formula, 2000)) : "not known");
}

const plain = (one, show) => amount(one, show).content;

function showStatsOverview() {
  const name = report.model.split("/").pop();
  document.getElementById("kind").textContent = "stats";
  document.title = `${visible(name, 60)} \u2013 onnx-fold stats`;
  document.getElementById("main").append(make("h1", {}, visible(name, 120), make("span", {}, ": what it has and costs")));
  const total = (key) => report.operators.reduce((sum, one) => sum + one[key], 0);
  const unknown = report.uncounted.reduce((sum, one) => sum + one.nodes, 0);
  const called = report.functions ? `${count(total("called"))} as functions are called` : "";
  section(
    "overview",
    "Overview",
    make("div", { class: "cards" },
      card("nodes", count(total("written")), called),
      card("parameters", count(report.parameters.elements), `${count(report.parameters.tensors)} tensors, ${bytes(report.parameters.bytes)}`),
      card("multiply-adds", plain(report.macs), unknown ? `without ${count(unknown)} nodes that are not known` : "of one run"),
      card("activations", plain(report.activations, bytes), report.activations.node && `most at ${visible(report.activations.node, 60)}`),
      card("model file", bytes(report.bytes), report.producer && `made by ${visible(`${report.producer} ${report.producer_version}`, 60)}`)),
    report.symbols.filter((one) => one.meaning).map((one) => make("p", {}, make("code", {}, visible(one.name)), `: ${visible(one.meaning)}`)),
    report.activations.unknown.length > 0 && make("p", {}, `Values of unknown size, not counted: ${report.activations.unknown.slice(0, 20).map((one) => visible(one, 80)).join(", ")}.`),
    [...report.notes, ...report.warnings].map((text) => make("p", { class: "note" }, visible(text, 500)))
  );
}

function showNeeds() {
  const opsets = Object.entries(report.opsets).map(([domain, version]) => `${visible(domain, 80)} ${version}`).join(", ");
  section(
    "needs",
    "Needs",
    make("p", {}, `IR version ${report.ir_version === null ? "none" : report.ir_version}; opsets: ${opsets || "none"}.`),
    make("ul", {},
      report.runtimes.map((one) => make("li", {}, `${one.name}: ${one.why || `${one.version} or later`}`)),
      report.runtime_notes.map((text) => make("li", {}, visible(text)))),
    report.no_kernel.length > 0 && table("No kernel", [["no kernel in"], ["operator"], ["version", true], ["nodes", true], ["for example"], ["why"]],
      report.no_kernel.map((one) => [one.runtime, typeName(one), keyed(one.since, count(one.since)), keyed(one.nodes, count(one.nodes)), nameOf(one.example, 100), one.why])),
    table("Inputs and outputs", [["what"], ["name"], ["type"]],
      [...report.inputs.map((one) => ["input", one]), ...report.outputs.map((one) => ["output", one])].map(([what, one]) => [what, nameOf(one.name, 100), visible(one.type, 200)]))
  );
}

function showStatsOperators() {
  section(
    "operators",
    "Operators",
    table("Operators", [["operator"], ["nodes", true], ["called", true], ["multiply-adds", true]],
      report.operators.map((one) => [typeName(one), keyed(one.written, count(one.written)), keyed(one.called, count(one.called)), amount(one.macs)])),
    report.uncounted.length > 0 && table("Not counted", [["not counted"], ["nodes", true], ["for example"], ["why"]],
      report.uncounted.map((one) => [typeName(one), keyed(one.nodes, count(one.nodes)), nameOf(one.example, 100), one.why]))
  );
}

function showParameters() {
  const parameters = report.parameters;
  if (!parameters.tensors) return;
  const groups = (title, list) =>
    table(title, [[title], ["tensors", true], ["elements", true], ["bytes", true], [""]],
      list.map((one) => [visible(one.name, 80), keyed(one.tensors, count(one.tensors)), keyed(one.elements, count(one.elements)), keyed(one.bytes, bytes(one.bytes)), bar(one.bytes / Math.max(parameters.bytes, 1))]));
  section(
    "parameters",
    "Parameters",
    groups("element type", parameters.by_type),
    groups("stored in", parameters.by_storage),
    groups("read by", parameters.by_reader),
    table("Largest tensors", [["largest tensors"], ["type"], ["read by"], ["bytes", true]],
      parameters.largest.map((one) => [nameOf(one.name, 100), visible(one.type, 100), visible(one.reader, 80), keyed(one.bytes, bytes(one.bytes))]))
  );
}

function showStats() {
  showStatsOverview();
  showNeeds();
  showStatsOperators();
  showParameters();
}
