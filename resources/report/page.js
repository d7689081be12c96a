"use strict";
const table = document.getElementById("layers");
const body = table.tBodies[0];
const rows = [...body.rows];
const filter = document.getElementById("filter");
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

filter.hidden = false;
filter.addEventListener("input", () => {
  const parts = filter.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const row of rows) {
    row.hidden = !parts.every((part) => words.get(row).includes(part));
    count += !row.hidden;
  }
  shown.textContent = count + " of " + total;
});
