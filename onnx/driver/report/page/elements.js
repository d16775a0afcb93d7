// SPDX-License-Identifier: Apache-2.0
// elements.js: making elements and texts. Names of a model are hostile until shown: they become text nodes only, with control
// and direction characters escaped.

const svgSpace = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false)
      node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  return node;
}

/** An element: make("td", {class: "number"}, "7"). */
const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS(svgSpace, tag), attributes, children);

const unseen = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** A name as people can see it: nothing invisible, nothing that turns the direction of writing, and not too long. */
function visible(name, most = 300) {
  let text = name.length > most ? name.slice(0, most) : name;
  text = text.replace(unseen, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
  return name.length > most ? `${text}\u2026 (${count(name.length)} characters)` : text;
}

/** The end of a name says more than its beginning. */
function short(name, most) {
  const text = visible(name, 400);
  return text.length > most ? "\u2026" + text.slice(text.length - most + 1) : text;
}

/** How many characters names begin with in common, up to the last separator. */
function commonStart(names) {
  if (names.length < 2) return 0;
  let length = names[0].length;
  for (const name of names) {
    let same = 0;
    while (same < length && name[same] === names[0][same]) same++;
    length = same;
  }
  while (length > 0 && !"./_:".includes(names[0][length - 1])) length--;
  return length;
}

/** A name in `fits`, which says whether a text has room: without what others begin with too, then without its middle, so that the
 * end, and where names part, are seen. "" if nothing has room. */
function within(name, start, fits) {
  const text = visible(name, 400), rest = start ? `\u2026${visible(name.slice(start), 400)}` : text;
  if (fits(text)) return text;
  if (fits(rest)) return rest;
  for (let most = rest.length - 1; most > 3; most--) {
    const front = Math.floor((most - 1) / 3);
    const shorter = `${rest.slice(0, front)}\u2026${rest.slice(rest.length - (most - 1 - front))}`;
    if (fits(shorter)) return shorter;
  }
  return "";
}

/** A name in a line of its own direction. */
const nameOf = (name, most) => make("bdi", { title: visible(name) }, visible(name, most));

const digits = new Intl.NumberFormat("en");
const count = (number) => digits.format(number);

function bytes(number) {
  const size = Math.abs(number);
  if (size < 1000) return `${number} B`;
  for (const [unit, scale] of [["kB", 1e3], ["MB", 1e6], ["GB", 1e9], ["TB", 1e12], ["PB", 1e15]])
    if (size < scale * 1000) return `${(number / scale).toFixed(size < scale * 10 ? 2 : size < scale * 100 ? 1 : 0)} ${unit}`;
  return `${number} B`;
}

function seconds(time) {
  if (time < 1) return `${(time * 1000).toFixed(time < 0.01 ? 2 : 0)} ms`;
  if (time < 600) return `${time.toFixed(2)} s`;
  return time < 36000 ? `${(time / 60).toFixed(1)} min` : `${(time / 3600).toFixed(1)} h`;
}

/** +3 or -3, with a real minus. */
const signed = (number, show = count) => (number < 0 ? "\u2212" + show(-number) : number > 0 ? "+" + show(number) : "0");

function copyButton(text) {
  const button = make("button", { type: "button", class: "copy", title: "Copy to the clipboard" }, "copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", { class: "offscreen" }, text);
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
    }
    button.textContent = "copied";
    setTimeout(() => (button.textContent = "copy"), 1500);
  });
  return button;
}

/** A section of the page, with its place in the navigation. */
function section(id, title, ...children) {
  document.getElementById("sections").append(make("a", { href: `#${id}` }, title));
  const whole = make("section", { id, "aria-labelledby": `${id}-title` }, make("h2", { id: `${id}-title` }, title), ...children);
  document.getElementById("main").append(whole);
  return whole;
}

/** A cell of a table that is sorted by a key, not by its text. */
const keyed = (key, ...content) => ({ key, content });

/** Less than 0 if `a` comes first: numbers by size, texts with the numbers in them by size. */
const collator = new Intl.Collator("en", { numeric: true });
const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b)));

/** The heads of columns that sort: calls sort(column, -1 or 1); the first click on numbers gives the largest first. */
function sortHeads(columns, sort) {
  let by = -1, direction = 1;
  const buttons = columns.map(([title, isNumber], i) =>
    title && make("button", { type: "button", class: "sort", title: `Sort by ${title}`, onclick: () => {
      direction = by === i ? -direction : isNumber ? -1 : 1;
      by = i;
      buttons.forEach((button, j) => button && button.setAttribute("data-sorted", j !== by ? "" : direction > 0 ? "\u25b2" : "\u25bc"));
      buttons.forEach((button, j) => button && button.parentElement.setAttribute("aria-sort", j !== by ? "none" : direction > 0 ? "ascending" : "descending"));
      sort(by, direction);
    } }, title)
  );
  return buttons;
}

/** A table: columns are [title, is a number]; rows are arrays of children, or of keyed ones. A click on a title sorts. */
function table(caption, columns, rows) {
  const keyOf = (cell, element) => (cell && cell.content ? cell.key : element.textContent);
  const lines = rows.map((row) => {
    const cells = row.map((cell, i) => make("td", { class: columns[i][1] && "number" }, cell && cell.content ? cell.content : cell));
    return { line: make("tr", {}, cells), keys: row.map((cell, i) => keyOf(cell, cells[i])) };
  });
  const body = make("tbody", {}, lines.map(({ line }) => line));
  const heads = sortHeads(columns, (i, direction) => {
    lines.sort((a, b) => direction * compare(a.keys[i], b.keys[i]));
    body.replaceChildren(...lines.map(({ line }) => line));
  });
  return make(
    "div",
    { class: "scroll" },
    make(
      "table",
      {},
      make("caption", { class: "offscreen" }, caption),
      make("thead", {}, make("tr", {}, columns.map(([, isNumber], i) => make("th", { scope: "col", class: isNumber && "number" }, heads[i])))),
      body
    )
  );
}

/** A choice of a few: buttons of which one is pressed. */
function choice(label, options, chosen, pick) {
  const buttons = options.map(([value, text]) =>
    make("button", { type: "button", "aria-pressed": String(value === chosen) }, text)
  );
  buttons.forEach((button, i) =>
    button.addEventListener("click", () => {
      buttons.forEach((one) => one.setAttribute("aria-pressed", String(one === button)));
      pick(options[i][0]);
    })
  );
  return make("div", { class: "choice", role: "group", "aria-label": label }, buttons);
}

const tag = (action) => make("span", { class: `tag ${action}` }, words[action] || action);
