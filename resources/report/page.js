const table = document.getElementById("layers");
const body = table.tBodies[0];
const rows = [...body.rows];
const filter = document.getElementById("filter");
const timed = document.getElementById("timed");
const grouped = document.getElementById("grouped");
const shown = document.getElementById("shown");
const total = shown.textContent.split(" of ")[1];
const wide = table.tHead.rows[0].cells.length;
const none = document.getElementById("none");
// Groups that were opened; while a filter is on all are, but those that were closed since.
const opened = new Set(), closed = new Set();
const isOpen = (key) => (filter.value.trim() ? !closed.has(key) : opened.has(key));
const words = new Map(rows.map((row) => [row, (row.textContent + " " + row.dataset.unit).toLowerCase()]));
const values = {
  index: (row) => Number(row.dataset.index),
  time: (row) => Number(row.dataset.time),
  name: (row) => row.querySelector(".name").title,
  operator: (row) => row.querySelector(".operator").textContent,
};
// Scope and leaf as they are, since those in the cells are cut to the room there is.
const named = new Map(rows.map((row) => {
  const scope = row.querySelector(".name .scope"), leaf = row.querySelector(".name .leaf");
  return [row, { scope: scope ? scope.textContent : "", leaf: leaf.textContent, noisy: row.querySelector(".name .noisy") }];
}));
const paths = {
  scope: (row) => {
    const { scope } = named.get(row);
    return scope ? scope.split("/").filter(Boolean) : ["(no scope)"];
  },
  operator: (row) => [row.querySelector(".operator").title.split(" as ")[0]],
  device: (row) => [row.dataset.unit || "not run by itself"],
};
let ordered = rows;

function sort(head) {
  const value = values[head.dataset.by];
  const before = head.getAttribute("aria-sort");
  const down = before ? before === "ascending" : head.dataset.by === "time";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const order = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b));
  ordered = [...rows].sort((a, b) => (down ? -1 : 1) * order(value(a), value(b)));
  lay();
}

for (const head of table.tHead.rows[0].querySelectorAll("[data-by]")) {
  const button = document.createElement("button");
  button.append(...head.childNodes);
  button.addEventListener("click", () => sort(head));
  head.append(button);
}

// Rows below the names of their scopes, operators or devices; a scope with one child is one name.
function tree(found, path, depth) {
  const here = [], below = new Map();
  for (const row of found) {
    const step = path(row)[depth];
    if (step === undefined) here.push(row);
    else if (below.has(step)) below.get(step).push(row);
    else below.set(step, [row]);
  }
  return { here, below };
}

function time(found) {
  return found.reduce((sum, row) => sum + Math.max(0, values.time(row)), 0);
}

function duration(ns) {
  return (ns / 1e6).toFixed(3) + " ms";
}

function head(key, name, found, level) {
  const row = document.createElement("tr");
  row.className = "group";
  const spent = time(found);
  // A cell for each column, since narrow windows and paper leave some out.
  const cells = [...table.tHead.rows[0].cells].map((column) => {
    const cell = row.insertCell();
    cell.className = column.className;
    return cell;
  });
  const at = cells.findIndex((cell) => cell.classList.contains("share"));
  const first = cells[1], took = cells[at - 1], share = cells[at];
  first.className = "name";
  const button = document.createElement("button");
  button.textContent = name;
  button.style.paddingLeft = level * 18 + "px";
  button.setAttribute("aria-expanded", String(isOpen(key)));
  button.addEventListener("click", () => {
    const turned = filter.value.trim() ? closed : opened;
    if (!turned.delete(key)) turned.add(key);
    lay();
    [...body.querySelectorAll("tr.group button")].find((other) => other.dataset.key === key).focus();
  });
  button.dataset.key = key;
  const count = document.createElement("span");
  count.className = "dim";
  count.textContent = found.length.toLocaleString("en") + (found.length === 1 ? " layer" : " layers");
  const line = document.createElement("span");
  line.append(button, count);
  first.append(line);
  took.textContent = spent ? duration(spent) : "";
  share.classList.add("dim");
  share.textContent = spent ? ((100 * spent) / Number(table.dataset.total)).toFixed(1) + " %" : "";
  return row;
}

function grow(found, path, depth, level, above, parts) {
  const { here, below } = tree(found, path, depth);
  for (const [step, some] of below) {
    let name = step, deep = depth + 1, only = tree(some, path, deep);
    while (!only.here.length && only.below.size === 1) {
      const [[next]] = only.below;
      name += "/" + next;
      deep += 1;
      only = tree(some, path, deep);
    }
    const key = above + "/" + name;
    parts.push(head(key, name, some, level));
    if (isOpen(key)) grow(some, path, deep, level + 1, key, parts);
    else for (const row of some) {
      row.hidden = true;
      parts.push(row);
    }
  }
  parts.push(...here);
}

function fits(row, parts) {
  return parts.every((part) => words.get(row).includes(part)) && !(timed.checked && values.time(row) < 0);
}

function lay() {
  const parts = filter.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const row of ordered) {
    row.hidden = !fits(row, parts);
    count += !row.hidden;
  }
  shown.textContent = count.toLocaleString("en") + " of " + total;
  none.hidden = count > 0;
  const path = paths[grouped.value];
  if (!path) {
    body.replaceChildren(...ordered);
    return;
  }
  const found = [], kept = ordered.filter((row) => !row.hidden), left = ordered.filter((row) => row.hidden);
  grow(kept, path, 0, 0, grouped.value, found);
  body.replaceChildren(...found, ...left);
}

// A link may lead to a row that is filtered out or in a closed group.
function reach() {
  const row = document.getElementById(location.hash.slice(1));
  if (row && row.hidden) {
    filter.value = "";
    timed.checked = false;
    grouped.value = "";
    lay();
    row.scrollIntoView({ block: "center" });
  }
}
addEventListener("hashchange", reach);
addEventListener("click", (event) => {
  const link = event.target.closest ? event.target.closest("a[href^='#layer-']") : null;
  if (link && link.getAttribute("href") === location.hash) reach();
});

const theme = document.getElementById("theme");
theme.hidden = false;
for (const button of theme.querySelectorAll("button")) {
  button.addEventListener("click", () => {
    const choice = button.value;
    if (choice === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = choice;
    for (const other of theme.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
    dispatchEvent(new Event("theme"));
  });
}

// Names are cut so that what tells rows apart stays; without this script their ends are cut.
const pen = document.createElement("canvas").getContext("2d");
function fitNames() {
  const line = rows.find((row) => !row.hidden);
  if (!line) return;
  const style = getComputedStyle(line.querySelector(".name")), leafStyle = getComputedStyle(line.querySelector(".leaf"));
  const inside = line.querySelector(".name").clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  // The bolder of both fonts, and the room around the slash.
  pen.font = leafStyle.fontWeight + " " + leafStyle.fontSize + " " + leafStyle.fontFamily;
  const width = (text) => pen.measureText(text).width + (text.includes(" / ") ? 2 : 0);
  for (const [row, { scope, leaf, noisy }] of named) {
    const [some, shown] = names.fit(scope, leaf, inside - (noisy ? 56 : 0), width, " / ");
    row.querySelector(".name .leaf").textContent = shown;
    const outer = row.querySelector(".name .scope");
    if (!outer) continue;
    outer.firstElementChild.textContent = some;
    outer.hidden = row.querySelector(".name .slash").hidden = !some;
  }
}
addEventListener("resize", fitNames);
if (document.fonts) document.fonts.ready.then(fitNames);

const idle = rows.filter((row) => values.time(row) < 0).length;
filter.hidden = false;
filter.addEventListener("input", () => { closed.clear(); lay(); });
grouped.parentElement.hidden = rows.length < 2;
grouped.addEventListener("change", lay);
timed.parentElement.hidden = idle === 0 || idle === rows.length;
timed.checked = rows.length > 60 && 2 * idle > rows.length && idle < rows.length;
timed.addEventListener("change", lay);
lay();
fitNames();
reach();
