"use strict";
const root = document.documentElement;

const theme = document.querySelector(".theme");
theme.hidden = false;
for (const button of theme.querySelectorAll("button")) {
  button.addEventListener("click", () => {
    if (button.value === "system") delete root.dataset.theme;
    else root.dataset.theme = button.value;
    for (const other of theme.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
  });
}

// A cell is sorted by its number where it has one; cells without stay below, up and down.
function compare(one, other, down) {
  const a = one.dataset.value, b = other.dataset.value;
  if (a !== undefined && b !== undefined) return (down ? -1 : 1) * (Number(a) - Number(b));
  if (a !== undefined || b !== undefined) return a !== undefined ? -1 : 1;
  const left = one.textContent, right = other.textContent;
  if (!left || !right) return Number(!left) - Number(!right);
  return (down ? -1 : 1) * left.localeCompare(right, root.lang, { numeric: true });
}

function makeSortable(table) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  const original = [...body.rows];
  heads.forEach((head, place) => {
    if (!head.textContent || original.length < 2 || "fixed" in table.dataset) return;
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const numeric = original.some((row) => row.cells[place].dataset.value !== undefined);
      const falling = head.dataset.falling ? head.dataset.falling === "1" : numeric;
      const down = before ? before === "ascending" : falling;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      body.append(...[...original].sort((a, b) => compare(a.cells[place], b.cells[place], down)));
    });
  });
}

// Beside the title of a card with one table or zoomed chart, else above it.
const toolsByPart = new Map();
function toolsOf(part) {
  if (toolsByPart.has(part)) return toolsByPart.get(part);
  const tools = document.createElement("p"), card = part.closest(".card");
  const title = card.querySelectorAll("table, .zoom").length === 1 && card.querySelector(":scope > h2");
  tools.className = "tools";
  if (title) title.after(tools);
  else (part.tagName === "TABLE" ? part.parentElement : part).before(tools);
  toolsByPart.set(part, tools);
  return tools;
}

// A row is shown where the search and all lists of values want it.
const conditionsByTable = new Map();
function narrowedBy(table, condition) {
  const conditions = conditionsByTable.get(table) || [];
  conditionsByTable.set(table, [...conditions, condition]);
  return () => {
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      row.hidden = !conditionsByTable.get(table).every((wanted) => wanted(row));
      shown += !row.hidden;
    }
    table.dispatchEvent(new CustomEvent("narrowed", { detail: shown }));
  };
}

function makeFiltered(table) {
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    const texts = [...new Set([...table.tBodies[0].rows].map((row) => row.cells[place].textContent.trim()))].sort();
    if (!head.dataset.filter || texts.length < 2) return;
    const field = document.createElement("select");
    field.setAttribute("aria-label", head.dataset.filter);
    field.append(new Option(head.dataset.filter, ""), ...texts.map((text) => new Option(text, "=" + text)));
    const narrow = narrowedBy(table, (row) => !field.value || "=" + row.cells[place].textContent.trim() === field.value);
    field.addEventListener("change", narrow);
    toolsOf(table).append(field);
  });
}

function makeSearchable(table) {
  const rows = [...table.tBodies[0].rows], texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const field = document.createElement("input"), count = document.createElement("span");
  field.type = "search";
  field.placeholder = table.dataset.search;
  field.setAttribute("aria-label", table.dataset.search);
  count.setAttribute("aria-live", "polite");
  const show = (number) => { count.textContent = number.toLocaleString(root.lang) + " / " + rows.length.toLocaleString(root.lang); };
  let words = [];
  const narrow = narrowedBy(table, (row) => words.every((word) => texts.get(row).includes(word)));
  field.addEventListener("input", () => {
    words = field.value.toLowerCase().split(/\s+/);
    narrow();
  });
  table.addEventListener("narrowed", (event) => show(event.detail));
  show(rows.length);
  toolsOf(table).append(count, field);
}

// Of a long table the first rows are shown, until a reader wants to have all or searches.
function makeShort(table) {
  const field = toolsOf(table).querySelector("input"), rest = document.createElement("p");
  const button = document.createElement("button");
  let all = false;
  const show = () => {
    const chosen = [...toolsOf(table).querySelectorAll("select")].some((list) => list.value);
    rest.hidden = all || chosen || field.value.trim() !== "";
    table.classList.toggle("few", !rest.hidden);
  };
  rest.className = "rest";
  button.textContent = table.dataset.all;
  button.addEventListener("click", () => {
    const next = table.tBodies[0].rows[20];
    all = true;
    show();
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
  });
  table.addEventListener("reveal", () => { all = true; show(); });
  table.addEventListener("narrowed", show);
  rest.append(button);
  table.parentElement.after(rest);
  show();
}

// In a narrow window the least important columns go, until a reader wants to have all.
function makeNarrowable(table) {
  const heads = [...table.tHead.rows[0].cells], room = table.parentElement;
  const optional = heads.map((head, place) => [Number(head.dataset.keep), -place, place]).filter(([keep]) => keep < 9);
  optional.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (place, hidden) => { for (const row of table.rows) row.cells[place].hidden = hidden; };
  let button = null, all = false, width = 0;
  const fit = () => {
    if (room.clientWidth === width || !room.clientWidth) return;
    width = room.clientWidth;
    let hidden = 0;
    for (const [, , place] of optional) turn(place, false);
    while (!all && hidden < optional.length && room.scrollWidth > room.clientWidth) turn(optional[hidden++][2], true);
    if (hidden && !button) {
      button = document.createElement("button");
      button.textContent = table.dataset.columns;
      button.addEventListener("click", () => {
        all = true;
        width = 0;
        fit();
        button.remove();
      });
      toolsOf(table).prepend(button);
    }
    if (button) button.hidden = !hidden;
  };
  if (optional.length) new ResizeObserver(fit).observe(room);
}

// A large chart scrolls in its board; the wheel with Ctrl and buttons zoom it.
function makeZoomable(board) {
  const chart = board.querySelector("svg"), { width, height } = chart.viewBox.baseVal;
  let zoom = 1;
  const show = (wanted, x, y) => {
    const before = zoom, left = board.scrollLeft + x, top = board.scrollTop + y;
    zoom = Math.min(3, Math.max(0.05, wanted));
    chart.setAttribute("width", width * zoom);
    chart.setAttribute("height", height * zoom);
    board.scrollLeft = (left * zoom) / before - x;
    board.scrollTop = (top * zoom) / before - y;
  };
  const middle = (wanted) => show(wanted, board.clientWidth / 2, board.clientHeight / 2);
  const fit = () => Math.min(1, (board.clientWidth - 32) / width);
  const add = (sign, name, wanted) => {
    const button = document.createElement("button");
    button.className = "step";
    button.textContent = sign;
    button.title = name;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", () => middle(wanted()));
    toolsOf(board).append(button);
  };
  add("−", board.dataset.out, () => zoom * 0.8);
  add(board.dataset.fit, board.dataset.fit, fit);
  add("+", board.dataset.into, () => zoom * 1.25);
  board.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const place = board.getBoundingClientRect();
    show(zoom * Math.exp(-event.deltaY / 400), event.clientX - place.left, event.clientY - place.top);
  }, { passive: false });
  middle(fit());
}

for (const table of document.querySelectorAll("table")) {
  makeSortable(table);
  makeFiltered(table);
  if (table.dataset.search) {
    makeSearchable(table);
    makeShort(table);
  }
  makeNarrowable(table);
}
for (const board of document.querySelectorAll(".zoom")) makeZoomable(board);

// Paper and links show what is folded.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
  if (target && target.closest("table.few")) target.closest("table").dispatchEvent(new Event("reveal"));
  if (target) target.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  for (const part of opened) part.open = true;
});
addEventListener("afterprint", () => { for (const part of opened) part.open = false; });
