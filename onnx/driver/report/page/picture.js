// SPDX-License-Identifier: Apache-2.0
// picture.js: the neighbourhood of a node, before and after. The places of boxes and lines are dagre's.

const mostBoxes = 70, mostInside = 40;
const smallest = 0.68;
const box = { width: 172, height: 54, small: 30 };

/** The address of a node in this page. */
const linkTo = (node) => `#node-${node.index}`;

function showPicture() {
  const depthChoice = { depth: 2 };
  const open = new Set(); // indices of nodes whose bodies are shown
  let chosen = nodes.find((node) => node.action === "folded" && node.bytes) || nodes.find((node) => node.action !== "kept") || nodes[0];
  const details = make("div", { class: "details", "aria-live": "polite" });
  const panes = make("div", { class: "panes" });

  /** The nodes within a distance on either side, nearest first. */
  function near() {
    const found = new Map([[chosen.index, 0]]), queue = [chosen];
    for (let at = 0; at < queue.length && found.size < mostBoxes; at++) {
      const node = queue[at], distance = found.get(node.index);
      if (distance >= depthChoice.depth) continue;
      for (const side of [sides.before(), sides.after()]) {
        if (!side.has[node.index]) continue;
        const around = side.sources(node).map((one) => one.node).filter(Boolean).concat(side.readers[node.index]);
        for (const other of around)
          if (!found.has(other.index) && found.size < mostBoxes) {
            found.set(other.index, distance + 1);
            queue.push(other);
          }
      }
    }
    return queue;
  }

  /** Boxes and lines of a side: {graph of dagre, boxes by key}. */
  function layOut(side, list) {
    const graph = new dagre.graphlib.Graph({ compound: true, multigraph: true });
    graph.setGraph({ rankdir: "TB", nodesep: 22, ranksep: 34, marginx: 8, marginy: 8 });
    graph.setDefaultEdgeLabel(() => ({}));
    const boxes = new Map();
    const put = (key, what, height) => {
      if (boxes.has(key)) return;
      boxes.set(key, what);
      graph.setNode(key, { width: box.width, height });
    };
    const inside = (node, around) => {
      const cluster = `c${around}`;
      if (!graph.hasNode(cluster)) return;
      graph.setParent(`n${node.index}`, cluster);
    };
    const add = (node, around) => {
      if (!side.has[node.index] || boxes.has(`n${node.index}`)) return;
      put(`n${node.index}`, { node }, box.height);
      if (open.has(node.index) && bodiesOf(node).length) {
        graph.setNode(`c${node.index}`, {});
        boxes.set(`c${node.index}`, { cluster: node });
        if (around !== undefined) graph.setParent(`c${node.index}`, `c${around}`);
        graph.setParent(`n${node.index}`, `c${node.index}`);
        for (const name of bodiesOf(node)) for (const inner of membersOf(name).slice(0, mostInside)) add(inner, node.index);
      } else if (around !== undefined) inside(node, around);
    };
    for (const node of list) add(node);
    for (const [key, what] of [...boxes]) if (what.node) connect(side, what.node, key, graph, boxes, put);
    dagre.layout(graph);
    return { graph, boxes };
  }

  function connect(side, node, key, graph, boxes, put) {
    side.sources(node).forEach(({ value, node: maker, constant }, i) => {
      const isNear = maker && boxes.has(`n${maker.index}`);
      if (isNear) {
        graph.setEdge(`n${maker.index}`, key, { value }, `${i}`);
      } else if (maker) {
        put(`m${maker.index}`, { more: maker }, box.small);
        graph.setEdge(`m${maker.index}`, key, { value }, `${i}`);
      } else {
        const other = `v${node.graph}\0${value}`;
        put(other, { value, constant }, box.small);
        graph.setEdge(other, key, { value }, `${i}`);
      }
    });
    const away = side.readers[node.index].filter((reader) => !boxes.has(`n${reader.index}`));
    if (away.length) {
      put(`r${node.index}`, { readers: [...new Set(away)] }, box.small);
      graph.setEdge(key, `r${node.index}`, {}, "r");
    }
  }

  const why = (node) => [words[node.action], node.reason.code === "none" ? "" : node.reason.code, node.reason.text].filter(Boolean).join(": ");

  function activate(element, act) {
    element.addEventListener("click", act);
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act(event);
    });
    return element;
  }

  function nodeBox(node, place, side) {
    const state = node.action === "changed" && !side.has[node.index] ? "removed" : node.action;
    const whole = draw(
      "g",
      { class: `box ${state}${node === chosen ? " chosen" : ""}`, transform: `translate(${place.x - box.width / 2},${place.y - box.height / 2})`, tabindex: "0", role: "button", "data-node": String(node.index), "aria-label": `${visible(typeOf(node), 80)} ${visible(labelOf(node), 80)}, ${visible(why(node))}` },
      draw("title", {}, `${visible(typeOf(node), 80)}-${node.since} ${visible(labelOf(node))}\n${visible(why(node), 600)}`),
      draw("rect", { width: box.width, height: box.height, rx: "6" }),
      draw("text", { x: 10, y: 18, class: "op" }, short(typeOf(node), 22)),
      draw("text", { x: box.width - 8, y: 18, class: "state" }, words[state]),
      draw("text", { x: 10, y: 34, class: "name" }, short(labelOf(node), 23)),
      draw("text", { x: 10, y: 47, class: "why" }, node.bytes ? `constant, ${bytes(node.bytes)}` : node.reason.code !== "none" && node.reason.code !== "input-not-constant" ? visible(node.reason.code, 28) : "")
    );
    activate(whole, () => choose(node));
    if (bodiesOf(node).length) {
      const isOpen = open.has(node.index);
      const toggle = draw("g", { class: "toggle", transform: `translate(${box.width - 26},${box.height - 24})`, tabindex: "0", role: "button", "aria-expanded": String(isOpen), "aria-label": isOpen ? "Close the bodies" : "Open the bodies" },
        draw("title", {}, isOpen ? "Close the bodies" : "Open the bodies"), draw("rect", { width: 20, height: 18, rx: "4" }), draw("text", { x: 10, y: 13 }, isOpen ? "\u2212" : "+"));
      whole.append(activate(toggle, (event) => {
        event.stopPropagation();
        if (isOpen) open.delete(node.index);
        else open.add(node.index);
        render();
      }));
    }
    return whole;
  }

  function smallBox(what, place) {
    const { value, constant, more, readers } = what;
    const text = more ? `${typeOf(more)} \u2026` : readers ? `${count(readers.length)} more reader${readers.length > 1 ? "s" : ""} \u2026` : constant ? `${short(value, 14)} ${bytes(constant.bytes)}` : short(value, 24);
    const title = more ? visible(labelOf(more)) : readers ? readers.slice(0, 10).map((one) => visible(labelOf(one), 100)).join("\n") : constant ? `constant ${visible(value)} ${shapeOf(constant)} ${bytes(constant.bytes)}, ${words[constant.action]}` : `${visible(value)}: an input`;
    const target = more || (readers && readers[0]);
    const whole = draw("g", { class: `small ${constant ? `constant ${constant.action}` : target ? "more" : "input"}`, transform: `translate(${place.x - box.width / 2},${place.y - box.small / 2})`, tabindex: target && "0", role: target && "button" },
      draw("title", {}, title), draw("rect", { width: box.width, height: box.small, rx: "15" }), draw("text", { x: box.width / 2, y: 19 }, short(text, 27)));
    return target ? activate(whole, () => choose(target)) : whole;
  }

  function line(points) {
    const [first, ...rest] = points;
    let path = `M${first.x},${first.y}`;
    rest.forEach((point, i) => {
      const next = rest[i + 1];
      path += next ? `Q${point.x},${point.y} ${(point.x + next.x) / 2},${(point.y + next.y) / 2}` : `L${point.x},${point.y}`;
    });
    return path;
  }

  function pane(side, list) {
    const { graph, boxes } = layOut(side, list);
    const { width = 0, height = 0 } = graph.graph();
    const title = sideNames[side.name];
    const room = (panes.clientWidth || 900) / (innerWidth > 1000 ? 2 : 1) - 26;
    const scale = Math.max(smallest, Math.min(1, room / width)); // what does not fit then is scrolled
    const svg = draw("svg", { width: Math.max(width, 60) * scale, height: Math.max(height, 60) * scale, viewBox: `0 0 ${Math.max(width, 60)} ${Math.max(height, 60)}`, role: "group", "aria-label": `Neighbourhood ${title}` },
      draw("defs", {}, draw("marker", { id: `arrow-${side.name}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, draw("path", { d: "M0,0L8,4L0,8z" }))));
    for (const [key, what] of boxes)
      if (what.cluster) {
        const place = graph.node(key);
        svg.append(draw("rect", { class: "cluster", x: place.x - place.width / 2, y: place.y - place.height / 2, width: place.width, height: place.height, rx: "8" }));
      }
    for (const edge of graph.edges()) {
      const { points, value } = graph.edge(edge);
      svg.append(draw("path", { class: "edge", d: line(points), "marker-end": `url(#arrow-${side.name})` }, value && draw("title", {}, visible(value))));
    }
    for (const [key, what] of boxes)
      if (!what.cluster) svg.append(what.node ? nodeBox(what.node, graph.node(key), side) : smallBox(what, graph.node(key)));
    svg.addEventListener("keydown", (event) => walk(event, side, svg));
    const isThere = boxes.size > 0;
    return make("figure", { class: "pane" }, make("figcaption", {}, title), make("div", { class: "canvas" }, isThere ? svg : make("p", { class: "note" }, "nothing of this is left")));
  }

  /** Arrow keys go along the lines. */
  function walk(event, side, svg) {
    const at = event.target.closest && event.target.closest("[data-node]");
    if (!at) return;
    const node = nodes[Number(at.getAttribute("data-node"))];
    const next = { ArrowUp: () => side.sources(node).map((one) => one.node), ArrowDown: () => side.readers[node.index] }[event.key];
    if (!next) return;
    event.preventDefault();
    for (const one of next()) {
      const other = one && svg.querySelector(`[data-node="${one.index}"]`);
      if (other) return other.focus();
    }
  }

  function describe() {
    const link = (node) => make("button", { type: "button", class: "link", onclick: () => choose(node) }, short(labelOf(node), 50), ` (${visible(typeOf(node), 40)})`);
    const entry = (title, ...what) => make("div", {}, make("dt", {}, title), make("dd", {}, what));
    const links = (title, list) => list.length > 0 && entry(title, list.slice(0, 12).map((node) => make("div", {}, link(node))), list.length > 12 && `and ${count(list.length - 12)} more`);
    const unique = (list) => [...new Set(list.filter(Boolean))];
    const before = sides.before(), after = sides.after();
    const isBefore = before.has[chosen.index], isAfter = after.has[chosen.index];
    details.replaceChildren(
      make("h3", {}, visible(typeOf(chosen), 80), `-${chosen.since} `, tag(chosen.action), " ", make("a", { href: linkTo(chosen), class: "note" }, "link to this node")),
      make("dl", {},
        entry("node", nameOf(labelOf(chosen))),
        entry("graph", nameOf(chosen.graph)),
        (chosen.reason.text || chosen.reason.code !== "none") && entry("why", chosen.reason.code !== "none" && [make("code", {}, chosen.reason.code), " "], visible(chosen.reason.text, 600)),
        chosen.bytes > 0 && entry("constants in its place", bytes(chosen.bytes)),
        chosen.bytes_left_out > 0 && entry("would take", bytes(chosen.bytes_left_out)),
        chosen.sources && entry("computed from", chosen.sources.map((name) => make("div", {}, nameOf(name, 100)))),
        isBefore && links(`reads${isDiff ? " in a" : ""}`, unique(before.sources(chosen).map((one) => one.node))),
        isBefore && links(`read by${isDiff ? " in a" : ""}`, unique(before.readers[chosen.index])),
        isAfter && (!isBefore || chosen.inputs_after) && links(isDiff ? "reads in b" : "reads after", unique(after.sources(chosen).map((one) => one.node))),
        isAfter && !isBefore && links(isDiff ? "read by in b" : "read by after", unique(after.readers[chosen.index]))
      )
    );
  }

  function render() {
    const list = near();
    panes.replaceChildren(pane(sides.before(), list), pane(sides.after(), list));
    describe();
    for (const canvas of panes.querySelectorAll(".canvas")) {
      const target = canvas.querySelector(".chosen") || canvas.querySelector("svg");
      if (!target || !target.getBBox) continue;
      const middle = target.getBoundingClientRect(), around = canvas.getBoundingClientRect();
      canvas.scrollLeft += (middle.left + middle.right) / 2 - (around.left + around.right) / 2;
      canvas.scrollTop += (middle.top + middle.bottom) / 2 - (around.top + around.bottom) / 2;
    }
  }

  function choose(node, scroll) {
    chosen = node;
    history.replaceState(null, "", linkTo(node));
    render();
    if (scroll) document.getElementById("picture").scrollIntoView({ block: "nearest" });
  }

  section(
    "picture",
    "Picture",
    make("div", { class: "filters" },
      choice("Distance", [[1, "1 step"], [2, "2 steps"], [3, "3 steps"], [5, "5 steps"]], 2, (depth) => { depthChoice.depth = depth; render(); }),
      make("span", { class: "legend" }, Object.keys(words).map(tag))
    ),
    make("div", { class: "picturebox" }, panes, details),
    make("p", { class: "note" }, `At most ${mostBoxes} nodes. A click or Enter chooses a node; arrow keys go along the lines; + opens the bodies of If, Loop, Scan and functions.`)
  );
  /** Shows the node that the address of the page names. */
  function follow() {
    const node = nodes[Number((location.hash.match(/^#node-(\d+)$/) || [])[1])];
    if (!node) return render();
    choose(node);
    document.getElementById("picture").scrollIntoView();
  }
  addEventListener("hashchange", () => location.hash.startsWith("#node-") && follow());
  setTimeout(follow, 0);
  return { choose, nodeOf: () => chosen };
}
