// SPDX-License-Identifier: Apache-2.0
// model.js: the report and what can be asked of it: who makes a value, who reads it, before and after.

const report = JSON.parse(document.getElementById("report").textContent);
const isDiff = report.kind === "difference";
const isStats = report.kind === "stats";
const added = report.new_nodes || [];
const nodes = (report.nodes || []).concat(added);
const constants = report.constants || [];
nodes.forEach((node, i) => (node.index = i));

// A rewritten node is one node: the new one that makes its outputs is its new form, and is not counted.
const newForms = (() => {
  const rewritten = new Set(nodes.slice(0, nodes.length - added.length).filter((node) => node.action === "changed").flatMap((node) => node.outputs.map((value) => `${node.graph}\0${value}`)));
  return new Set(added.filter((node) => node.outputs.some((value) => value && rewritten.has(`${node.graph}\0${value}`))));
})();
const counted = nodes.filter((node) => !newForms.has(node));

// What the actions are called here.
const words = isDiff
  ? { kept: "same", changed: "changed", removed: "only in a", added: "only in b" }
  : { kept: "kept", changed: "changed", removed: "removed", added: "new", folded: "folded" };
const sideNames = isDiff ? { before: "a", after: "b" } : { before: "before", after: "after" };

const typeOf = (node) => (node.domain ? `${node.domain}.${node.op}` : node.op);
const labelOf = (node) => node.name || node.outputs.find((name) => name) || "";

/** Calls `make` once, when it is first needed. */
function lazily(make) {
  let made;
  return () => (made === undefined ? (made = make()) : made);
}

const graphs = new Map((isStats ? [] : report.graphs || []).map((graph) => [graph.name, graph]));

/** The graph around a body; undefined for the others. */
function graphAround(name) {
  const graph = graphs.get(name);
  return graph && graph.node !== undefined ? nodes[graph.node].graph : undefined;
}

/** The bodies of a node, and the function that it calls. */
const bodiesOf = (() => {
  const tables = lazily(() => {
    const byNode = new Map(), byFunction = new Map();
    for (const graph of graphs.values()) {
      if (graph.node !== undefined) byNode.set(graph.node, [...(byNode.get(graph.node) || []), graph.name]);
      if (graph.domain !== undefined) byFunction.set(`${graph.domain}\0${graph.name}`, graph.name);
    }
    return { byNode, byFunction };
  });
  return (node) => {
    const found = tables().byNode.get(node.index) || [];
    const called = tables().byFunction.get(`${node.domain}\0${node.op}`);
    return called === undefined ? found : [...found, called];
  };
})();

const membersOf = (() => {
  const byGraph = lazily(() => {
    const lists = new Map();
    for (const node of nodes) {
      const list = lists.get(node.graph);
      if (list) list.push(node);
      else lists.set(node.graph, [node]);
    }
    return lists;
  });
  return (graph) => byGraph().get(graph) || [];
})();

/** A side of the change, "before" or "after": its nodes, and which node reads what of which. */
class Side {
  constructor(name) {
    this.name = name;
    this.isAfter = name === "after";
    this.makers = new Map(); // graph -> value -> node
    this.constants = new Map(); // graph -> value -> constant
    const put = (table, graph, value, what) => {
      if (!value) return;
      let names = table.get(graph);
      if (!names) table.set(graph, (names = new Map()));
      names.set(value, what);
    };
    const gone = new Set(["folded", "removed"]);
    const made = new Set(added.flatMap((node) => node.outputs.map((value) => `${node.graph}\0${value}`)));
    this.has = nodes.map((node) =>
      this.isAfter
        ? !gone.has(node.action) &&
          !(node.action === "changed" && node.outputs.some((value) => value && made.has(`${node.graph}\0${value}`)))
        : node.action !== "added"
    );
    for (const node of nodes)
      if (this.has[node.index]) for (const value of this.outputs(node)) put(this.makers, node.graph, value, node);
    for (const constant of constants)
      if (constant.action !== (this.isAfter ? "removed" : "added")) put(this.constants, constant.graph, (this.isAfter && constant.name_after) || constant.name, constant);
    this.readers = nodes.map(() => []);
    for (const node of nodes)
      if (this.has[node.index])
        for (const value of this.inputs(node)) {
          const maker = value && this.find(this.makers, node.graph, value);
          if (maker && maker !== node) this.readers[maker.index].push(node);
        }
  }

  inputs(node) {
    return (this.isAfter && node.inputs_after) || node.inputs || [];
  }
  outputs(node) {
    return (this.isAfter && node.outputs_after) || node.outputs;
  }

  /** Names are visible in the bodies below. */
  find(table, graph, value) {
    for (let at = graph; at !== undefined; at = graphAround(at)) {
      const found = table.get(at) && table.get(at).get(value);
      if (found) return found;
    }
    return undefined;
  }

  /** What a node reads: {value, node} or {value, constant} or {value}, an input of a graph. */
  sources(node) {
    return this.inputs(node)
      .filter((value) => value)
      .map((value) => ({
        value,
        node: this.find(this.makers, node.graph, value),
        constant: this.find(this.constants, node.graph, value),
      }));
  }
}

const sides = { before: lazily(() => new Side("before")), after: lazily(() => new Side("after")) };
