// SPDX-License-Identifier: Apache-2.0
// nodes.js: the table of all nodes. Only the rows that are in sight are elements.

const rowHeight = 30, mostPrinted = 2000;

function showNodes() {
  const wanted = { text: "", action: "", reason: "", op: "" };
  let shown = counted, current = 0, order = (list) => list;
  const search = make("input", { type: "search", placeholder: "Search names, operators, reasons", "aria-label": "Search the nodes", spellcheck: "false" });
  const select = (label, values) =>
    make("select", { "aria-label": label }, make("option", { value: "" }, `${label}: all`), values.map((value) => make("option", { value }, visible(words[value] && label === "action" ? words[value] : value, 60))));
  const unique = (values) => [...new Set(values)].sort();
  const action = select("action", unique(counted.map((node) => node.action)));
  const reason = select("reason", unique(nodes.map((node) => node.reason.code)).filter((code) => code !== "none"));
  const op = select("operator", unique(nodes.map(typeOf)).slice(0, 2000));
  const status = make("span", { class: "note", role: "status" });
  const filler = make("div", { class: "filler" });
  const rows = make("div", { class: "rows" });
  const view = make("div", { class: "grid", role: "grid", tabindex: "0", "aria-label": "Nodes", "aria-colcount": "5" }, filler, rows);
  const keys = [(node) => words[node.action], typeOf, labelOf, (node) => node.graph, (node) => why(node)];
  const titles = ["what", "operator", "node", "graph", "why"];
  const heads = sortHeads(titles.map((title) => [title]), (column, direction) => {
    const key = keys[column];
    order = (list) => {
      const withKeys = list.map((node) => ({ node, key: key(node) }));
      return withKeys.sort((a, b) => direction * compare(a.key, b.key)).map((one) => one.node);
    };
    filter();
  });
  const head = make("div", { class: "row gridhead", role: "row" }, heads.map((button) => make("span", { role: "columnheader" }, button)));

  const why = (node) => (node.reason.code === "none" ? node.reason.text : [node.reason.code, node.reason.text].filter(Boolean).join(": "));

  function row(node, i) {
    const line = make(
      "div",
      { class: `row${i === current ? " current" : ""}`, role: "row", id: `row-${i}`, "aria-rowindex": String(i + 1), "aria-selected": String(i === current) },
      make("span", { role: "gridcell" }, tag(node.action)),
      make("span", { role: "gridcell" }, visible(typeOf(node), 80)),
      make("span", { role: "gridcell" }, nameOf(labelOf(node), 200)),
      make("span", { role: "gridcell" }, nameOf(node.graph, 120)),
      make("span", { role: "gridcell", title: visible(why(node), 600) }, visible(why(node), 200), node.bytes ? ` (${bytes(node.bytes)})` : "")
    );
    line.style.top = `${i * rowHeight}px`;
    line.addEventListener("click", () => {
      current = i;
      render();
      picture.choose(node, true);
    });
    return line;
  }

  function render(all) {
    view.classList.toggle("whole", Boolean(all));
    const first = all ? 0 : Math.max(0, Math.floor(view.scrollTop / rowHeight) - 4);
    const last = Math.min(shown.length, all ? mostPrinted : first + Math.ceil((view.clientHeight || 420) / rowHeight) + 8);
    rows.replaceChildren(...shown.slice(first, last).map((node, i) => row(node, first + i)));
    view.setAttribute("aria-rowcount", String(shown.length));
    if (shown.length) view.setAttribute("aria-activedescendant", `row-${current}`);
  }

  function filter() {
    const text = wanted.text.toLowerCase();
    shown = order(counted.filter(
      (node) =>
        (!wanted.action || node.action === wanted.action) &&
        (!wanted.reason || node.reason.code === wanted.reason) &&
        (!wanted.op || typeOf(node) === wanted.op) &&
        (!text || [node.name, node.op, node.reason.code, node.reason.text, node.graph, ...node.outputs].some((one) => one.toLowerCase().includes(text)))
    ));
    current = 0;
    filler.style.height = `${Math.min(shown.length * rowHeight, 30000000)}px`;
    view.style.height = `${Math.min(Math.max(shown.length, 3), 14) * rowHeight + 2}px`;
    view.scrollTop = 0;
    status.textContent = `${count(shown.length)} of ${count(counted.length)} nodes`;
    render();
  }

  function move(to) {
    if (!shown.length) return;
    current = Math.max(0, Math.min(shown.length - 1, to));
    const top = current * rowHeight;
    if (top < view.scrollTop) view.scrollTop = top;
    if (top + rowHeight > view.scrollTop + view.clientHeight) view.scrollTop = top + rowHeight - view.clientHeight;
    render();
  }

  let pending = 0;
  const later = (field, from) => () => {
    wanted[field] = from.value;
    clearTimeout(pending);
    pending = setTimeout(filter, field === "text" ? 120 : 0);
  };
  search.addEventListener("input", later("text", search));
  for (const [field, from] of [["action", action], ["reason", reason], ["op", op]]) from.addEventListener("change", later(field, from));
  view.addEventListener("scroll", () => render());
  const page = () => Math.max(1, Math.floor(view.clientHeight / rowHeight) - 1);
  const moves = {
    ArrowDown: () => move(current + 1),
    ArrowUp: () => move(current - 1),
    PageDown: () => move(current + page()),
    PageUp: () => move(current - page()),
    Home: () => move(0),
    End: () => move(shown.length - 1),
    Enter: () => shown.length && picture.choose(shown[current], true),
  };
  view.addEventListener("keydown", (event) => {
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  });
  addEventListener("beforeprint", () => render(true));
  addEventListener("afterprint", filter);

  section(
    "nodes",
    "Nodes",
    make("div", { class: "filters" }, search, action, reason, op, status),
    make("div", { class: "gridbox" }, head, view),
    make("p", { class: "note" }, `Arrow keys move, Enter shows the node in the picture below, a title sorts. On paper: the first ${count(mostPrinted)} rows.`)
  );
  filter();

  return {
    /** Shows the nodes that a filter leaves. */
    find(which) {
      Object.assign(wanted, { text: "", action: "", reason: "", op: "" }, which);
      search.value = wanted.text;
      action.value = wanted.action;
      reason.value = wanted.reason;
      op.value = wanted.op;
      filter();
      document.getElementById("nodes").scrollIntoView();
      view.focus({ preventScroll: true });
    },
  };
}
