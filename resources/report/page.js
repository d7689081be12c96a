"use strict";
const table = document.getElementById("layers");
const body = table.tBodies[0];
const rows = [...body.rows];
const filter = document.getElementById("filter");
const timed = document.getElementById("timed");
const shown = document.getElementById("shown");
const total = shown.textContent.split(" of ")[1];
const words = new Map(rows.map((row) => [row, (row.textContent + " " + row.dataset.unit).toLowerCase()]));
const values = {
  index: (row) => Number(row.dataset.index),
  time: (row) => Number(row.dataset.time),
  name: (row) => row.querySelector(".name").title,
  operator: (row) => row.querySelector(".operator").textContent,
};

function sort(head) {
  const value = values[head.dataset.by];
  const before = head.getAttribute("aria-sort");
  const down = before ? before === "ascending" : head.dataset.by === "time";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const order = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b));
  rows.sort((a, b) => (down ? -1 : 1) * order(value(a), value(b)));
  body.append(...rows);
}

for (const head of table.tHead.rows[0].querySelectorAll("[data-by]")) {
  const button = document.createElement("button");
  button.append(...head.childNodes);
  button.addEventListener("click", () => sort(head));
  head.append(button);
}

function show() {
  const parts = filter.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const row of rows) {
    const fits = parts.every((part) => words.get(row).includes(part));
    row.hidden = !fits || (timed.checked && values.time(row) < 0);
    count += !row.hidden;
  }
  shown.textContent = count.toLocaleString("en") + " of " + total;
}

// A link may lead to a row that is filtered out.
addEventListener("hashchange", () => {
  const row = document.getElementById(location.hash.slice(1));
  if (row && row.hidden) {
    filter.value = "";
    timed.checked = false;
    show();
    row.scrollIntoView();
  }
});

const idle = rows.filter((row) => values.time(row) < 0).length;
filter.hidden = false;
filter.addEventListener("input", show);
timed.parentElement.hidden = idle === 0 || idle === rows.length;
timed.checked = rows.length > 60 && 2 * idle > rows.length && idle < rows.length;
timed.addEventListener("change", show);
show();
