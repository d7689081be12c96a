// Zoom of the graph, and the choice of colors. Without a script the page is complete, too.
"use strict";
(() => {
  const root = document.documentElement;
  const buttons = (group, act) => {
    for (const button of group.querySelectorAll("button")) {
      button.addEventListener("click", () => act(button));
    }
    group.hidden = false;
  };
  const theme = document.getElementById("theme");
  if (!root.dataset.theme) {
    buttons(theme, (chosen) => {
      if (chosen.value === "system") delete root.dataset.theme;
      else root.dataset.theme = chosen.value;
      for (const each of theme.querySelectorAll("button")) {
        each.setAttribute("aria-pressed", String(each === chosen));
      }
    });
  }

  const graph = document.getElementById("graph");
  if (!graph) return;
  const board = graph.parentElement;
  const width = graph.viewBox.baseVal.width;
  const height = graph.viewBox.baseVal.height;
  let zoom = 1;
  const show = (wanted, x, y) => {
    const before = zoom;
    zoom = Math.min(3, Math.max(0.05, wanted));
    const left = board.scrollLeft + x;
    const top = board.scrollTop + y;
    graph.setAttribute("width", width * zoom);
    graph.setAttribute("height", height * zoom);
    board.scrollLeft = (left * zoom) / before - x;
    board.scrollTop = (top * zoom) / before - y;
  };
  const middle = (wanted) => show(wanted, board.clientWidth / 2, board.clientHeight / 2);
  const fit = () => Math.min(1, (board.clientWidth - 32) / width);
  buttons(document.getElementById("zoom"), (button) => {
    if (button.value === "fit") middle(fit());
    else middle(zoom * (button.value === "into" ? 1.25 : 0.8));
  });
  board.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const place = board.getBoundingClientRect();
    show(zoom * Math.exp(-event.deltaY / 400), event.clientX - place.left, event.clientY - place.top);
  }, { passive: false });
  middle(fit());
})();
