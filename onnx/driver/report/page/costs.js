// SPDX-License-Identifier: Apache-2.0
// costs.js: what the bytes are: constants, by themselves or by the operator that reads them, before and after. The areas are
// d3-hierarchy's.

function showCosts() {
  let side = "after", by = "operator";
  const box = make("div", { class: "treemap", role: "img" });
  const list = make("div", {});
  const ruler = make("canvas").getContext("2d");
  const widthOf = (text) => ruler.measureText(text).width;
  const listed = (name) => constants.filter((one) => one.action !== (name === "after" ? "removed" : "added"));
  const sum = (list) => list.reduce((all, one) => all + one.bytes, 0);
  const sums = { before: sum(listed("before")), after: sum(listed("after")) };

  /** The operator that reads a constant; the first of several. */
  function readerOf(constant) {
    const of = readers[side]().get(constant);
    return of ? typeOf(of) : "not read by a node";
  }
  const readers = Object.fromEntries(
    ["before", "after"].map((name) => [
      name,
      lazily(() => {
        const found = new Map(), whole = sides[name]();
        for (const node of nodes)
          if (whole.has[node.index])
            for (const value of whole.inputs(node)) {
              const constant = value && whole.find(whole.constants, node.graph, value);
              if (constant && !found.has(constant)) found.set(constant, node);
            }
        return found;
      }),
    ])
  );

  function tree() {
    const largest = listed(side).filter((one) => one.bytes > 0).sort((a, b) => b.bytes - a.bytes);
    const rest = sum(largest.slice(300));
    const leaves = largest.slice(0, 300).map((one) => ({ constant: one, bytes: one.bytes }));
    const others = rest ? [{ name: `${count(largest.length - 300)} smaller constants`, bytes: rest }] : [];
    if (by === "constant") return { children: [...leaves, ...others] };
    const groups = new Map();
    for (const leaf of leaves) {
      const op = readerOf(leaf.constant);
      groups.set(op, [...(groups.get(op) || []), leaf]);
    }
    return { children: [...[...groups].map(([name, children]) => ({ name, children })), ...others] };
  }

  function place(element, cell) {
    Object.assign(element.style, { left: `${cell.x0}px`, top: `${cell.y0}px`, width: `${cell.x1 - cell.x0}px`, height: `${cell.y1 - cell.y0}px` });
    return element;
  }

  function render() {
    const width = box.clientWidth || 900, height = 320;
    const root = d3.hierarchy(tree()).sum((one) => one.bytes || 0).sort((a, b) => b.value - a.value);
    d3.treemap().size([width, height]).paddingInner(2).paddingTop((cell) => (cell.depth === 1 && cell.children ? 18 : 0)).round(true)(root);
    const cells = root.descendants().filter((cell) => cell.depth > 0 && cell.x1 - cell.x0 > 1 && cell.y1 - cell.y0 > 1);
    ruler.font = getComputedStyle(box.firstChild || box).font.replace(/^\D*\d+(\.\d+)?px/, "650 11.5px");
    const starts = new Map(); // what the names in an area begin with in common
    const startOf = (cell) => {
      if (!starts.has(cell.parent)) starts.set(cell.parent, commonStart(cell.parent.children.filter((one) => one.data.constant).map((one) => one.data.constant.name)));
      return starts.get(cell.parent);
    };
    box.replaceChildren(
      ...cells.map((cell) => {
        const { constant, name } = cell.data, isGroup = cell.children;
        const across = cell.x1 - cell.x0 - 14, isTall = !isGroup && cell.y1 - cell.y0 > 36;
        const size = bytes(cell.value), space = isTall ? 0 : widthOf(` ${size}`);
        const labelIn = (room) => within(constant ? constant.name : name, constant ? startOf(cell) : 0, (text) => widthOf(text) <= room);
        const label = labelIn(across - space) || labelIn(across);
        const hasSize = isTall ? widthOf(size) <= across : widthOf(label) + space <= across;
        const title = constant ? `${visible(constant.name)}\n${shapeOf(constant)}, ${bytes(constant.bytes)}, ${words[constant.action]}` : `${visible(name)}: ${bytes(cell.value)}`;
        const isWide = cell.x1 - cell.x0 > 44 && cell.y1 - cell.y0 > 16;
        return place(make("div", { class: isGroup ? "area" : `cell ${constant ? constant.action : ""}`, title }, isWide && [label, hasSize && [isTall ? make("br") : " ", make("span", {}, size)]]), cell);
      })
    );
    box.setAttribute("aria-label", `Areas by bytes, ${sideNames[side]}; the table below has the largest as text`);
    const largest = listed(side).sort((a, b) => b.bytes - a.bytes).slice(0, 20);
    const computedFrom = new Map(nodes.filter((node) => node.sources).flatMap((node) => node.outputs.map((value) => [`${node.graph}\0${value}`, node.sources])));
    list.replaceChildren(
      table("The largest constants", [["constant"], ["what"], ["type"], ["bytes", true], ["read by"], ["computed from"]],
        largest.map((one) => [
          nameOf(one.name, 100),
          tag(one.action),
          shapeOf(one),
          keyed(one.bytes, bytes(one.bytes)),
          visible(readerOf(one), 60),
          (computedFrom.get(`${one.graph}\0${one.name}`) || []).slice(0, 4).map((name, i) => [i ? ", " : "", nameOf(name, 60)]),
        ])
      )
    );
  }

  const growth = report.growth;
  const leftOut = (report.groups || []).reduce((all, group) => all + group.bytes_left_out, 0);
  section(
    "costs",
    "What costs",
    make("p", {}, `Constants take ${bytes(sums.before)} ${isDiff ? "in a" : "before"} and ${bytes(sums.after)} ${isDiff ? "in b" : "after"} (${signed(sums.after - sums.before, bytes)}).`,
      growth ? ` The limit on growth is ${growth.limit === null ? "off" : bytes(growth.limit)}; it left out ${leftOut ? bytes(leftOut) : "nothing"}.` : ""),
    make("div", { class: "filters" },
      choice("Side", [["before", sideNames.before], ["after", sideNames.after]], side, (value) => { side = value; render(); }),
      choice("Grouping", [["operator", "by operator"], ["constant", "by constant"]], by, (value) => { by = value; render(); })
    ),
    box,
    list
  );
  let pending = 0;
  const later = () => {
    clearTimeout(pending);
    pending = setTimeout(render, 60);
  };
  addEventListener("resize", later);
  // Only when it is looked at: it has to know who reads what.
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watcher.disconnect();
    render();
  }, { rootMargin: "200px" });
  watcher.observe(box);
  addEventListener("beforeprint", render);
}
