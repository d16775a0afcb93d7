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

/** A name in a line of its own direction. */
const nameOf = (name, most) => make("bdi", { title: visible(name) }, visible(name, most));

const digits = new Intl.NumberFormat("en");
const count = (number) => digits.format(number);

function bytes(number) {
  const size = Math.abs(number);
  if (size < 1000) return `${number} B`;
  for (const [unit, scale] of [["kB", 1e3], ["MB", 1e6], ["GB", 1e9], ["TB", 1e12]])
    if (size < scale * 1000) return `${(number / scale).toFixed(size < scale * 10 ? 2 : size < scale * 100 ? 1 : 0)} ${unit}`;
  return `${number} B`;
}

const seconds = (time) => (time < 1 ? `${(time * 1000).toFixed(time < 0.01 ? 2 : 0)} ms` : `${time.toFixed(2)} s`);

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

/** A table: columns are [title, is a number]; rows are arrays of children. */
function table(caption, columns, rows) {
  return make(
    "div",
    { class: "scroll" },
    make(
      "table",
      {},
      make("caption", { class: "offscreen" }, caption),
      make("thead", {}, make("tr", {}, columns.map(([title, isNumber]) => make("th", { scope: "col", class: isNumber && "number" }, title)))),
      make("tbody", {}, rows.map((row) => make("tr", {}, row.map((cell, i) => make("td", { class: columns[i][1] && "number" }, cell)))))
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
