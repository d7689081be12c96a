"use strict";
// The timeline: a canvas that is drawn anew for each move, from columns of numbers. What a model
// says reaches the page as text content or on the canvas, never as markup.
(() => {
  const source = document.getElementById("spans");
  const card = document.querySelector(".timeline");
  if (!source || !card) return;
  const data = JSON.parse(source.textContent);
  const stage = card.querySelector(".stage");
  const canvas = stage.querySelector("canvas");
  const tip = stage.querySelector(".tip");
  const facts = stage.querySelector(".told");
  const pen = canvas.getContext("2d");
  const GUTTER = 150, AXIS = 26, MAP = 18, ROW = 20, GAP = 3, APART = 9, BAR = 7, COUNTER = 34;
  const LENGTH = data.end - data.begin;
  const LEAST = Math.min(LENGTH, 50);
  const HATCHED = ["copy", "layout"];
  let view = { begin: 0, end: LENGTH };
  let chosen = null, pointed = null, width = 0, tint = {}, asked = 0;

  const rows = data.rows.map((row) => {
    const begin = new Float64Array(row.start.length), end = new Float64Array(row.start.length);
    let at = 0;
    row.start.forEach((step, i) => { at += step; begin[i] = at; end[i] = at + row.length[i]; });
    const bars = row.kind.every((kind) => data.kinds[kind] === "partition");
    return { ...row, begin, end, bars, high: bars ? BAR : ROW };
  });
  const tracks = data.tracks.map((track, i) => ({ ...track, rows: rows.filter((row) => row.track === i) }))
    .filter((track) => track.rows.length);

  let tall = MAP + AXIS;
  for (const track of tracks) {
    tall += APART;
    track.top = tall;
    for (const row of track.rows) { row.top = tall; tall += row.high + GAP; }
    track.bottom = tall - GAP;
    tall += APART - GAP;
  }
  for (const counter of data.counters) {
    counter.top = tall + 4;
    counter.most = Math.max(...counter.value, 0) || 1;
    tall += COUNTER + 8;
  }
  tall += 4;

  const wide = () => Math.max(40, width - GUTTER - 12);
  const xOf = (time) => GUTTER + ((time - view.begin) / (view.end - view.begin)) * wide();
  const timeAt = (x) => view.begin + ((x - GUTTER) / wide()) * (view.end - view.begin);

  function words(ns) {
    const [scale, unit] = ns < 999.5 ? [1, "ns"] : ns < 999.5e3 ? [1e3, "µs"] : ns < 999.5e6 ? [1e6, "ms"] : [1e9, "s"];
    const value = ns / scale;
    return (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)) + " " + unit;
  }

  function amount(value, unit) {
    if (unit !== "bytes") return value.toLocaleString("en", { maximumSignificantDigits: 4 }) + (unit === "percent" ? " %" : "");
    const steps = ["B", "KiB", "MiB", "GiB", "TiB"];
    let place = 0;
    while (value >= 1024 && place < 4) { value /= 1024; place += 1; }
    return value.toPrecision(place ? 3 : 1 + Math.floor(Math.log10(Math.max(1, value)))) + " " + steps[place];
  }

  function colours() {
    const style = getComputedStyle(document.documentElement);
    const names = ["surface", "text", "secondary", "tertiary", "grid", "hairline", "track", "accent", "selection", "window"];
    for (const family of ["activity", "data", "cpu", "gpu", "npu"]) names.push(family, "on-" + family, family + "-tint", family + "-bar");
    tint = Object.fromEntries(names.map((name) => [name, style.getPropertyValue("--" + name).trim()]));
  }

  // The first span of a row that ends after an instant.
  function firstAfter(row, time) {
    let low = 0, high = row.end.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row.end[middle] > time) high = middle; else low = middle + 1;
    }
    return low;
  }

  function move(begin, end) {
    const length = Math.min(LENGTH, Math.max(LEAST, end - begin));
    const middle = (begin + end) / 2;
    const from = Math.min(LENGTH - length, Math.max(0, end - begin === length ? begin : middle - length / 2));
    view = { begin: from, end: from + length };
    ask();
  }
  function zoom(factor, x) {
    const at = x === undefined ? (view.begin + view.end) / 2 : timeAt(x);
    const length = Math.min(LENGTH, Math.max(LEAST, (view.end - view.begin) * factor));
    const share = (at - view.begin) / (view.end - view.begin);
    move(at - share * length, at + (1 - share) * length);
  }
  function pan(pixels) {
    const by = (pixels / wide()) * (view.end - view.begin);
    move(view.begin + by, view.end + by);
  }
  const fit = () => move(0, LENGTH);
  function home() {
    const [begin, end] = data.home;
    const air = (end - begin) * 0.02;
    move(begin - data.begin - air, end - data.begin + air);
  }

  function ask() {
    if (!asked) asked = requestAnimationFrame(() => { asked = 0; draw(); });
  }

  function resize() {
    width = stage.clientWidth;
    const dense = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * dense);
    canvas.height = Math.round(tall * dense);
    canvas.style.height = tall + "px";
    ask();
  }

  function draw() {
    const dense = window.devicePixelRatio || 1;
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    pen.clearRect(0, 0, width, tall);
    pen.textBaseline = "middle";
    pen.font = "500 11px Inter, system-ui, sans-serif";
    axis();
    heads();
    pen.save();
    pen.beginPath();
    pen.rect(GUTTER, MAP, width - GUTTER, tall - MAP);
    pen.clip();
    for (const row of rows) spans(row);
    for (const counter of data.counters) curve(counter);
    moments();
    mark(chosen, 2);
    mark(pointed, 1.5);
    pen.restore();
    map();
    card.dataset.view = view.begin.toFixed(0) + " " + view.end.toFixed(0);
  }

  function axis() {
    const length = view.end - view.begin;
    const rough = (length / wide()) * 110, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
    const zero = data.home[0] - data.begin;
    const [scale, unit] = step < 1e3 ? [1, "ns"] : step < 1e6 ? [1e3, "µs"] : step < 1e9 ? [1e6, "ms"] : [1e9, "s"];
    const shift = length < LENGTH / 2 && zero < view.end ? zero : 0;
    pen.textAlign = "center";
    pen.lineWidth = 1;
    for (let k = Math.ceil((view.begin - shift) / step); k * step + shift <= view.end; k += 1) {
      const x = Math.round(xOf(k * step + shift)) + 0.5;
      pen.strokeStyle = tint.grid;
      pen.beginPath();
      pen.moveTo(x, MAP + AXIS);
      pen.lineTo(x, tall);
      pen.stroke();
      pen.fillStyle = tint.tertiary;
      const text = Number(((k * step) / scale).toPrecision(9)).toLocaleString("en", { maximumFractionDigits: 9 }) + " " + unit;
      if (x > GUTTER + 20 && x < width - 20) pen.fillText(text, x, MAP + AXIS / 2);
    }
  }

  function heads() {
    pen.textAlign = "left";
    tracks.forEach((track) => {
      pen.fillStyle = tint[track.family];
      pen.beginPath();
      pen.roundRect(16, track.top, 4, Math.max(12, track.bottom - track.top), 2);
      pen.fill();
      pen.fillStyle = tint.text;
      pen.fillText(short(track.name, GUTTER - 40), 30, (track.top + track.bottom) / 2);
      line(track.bottom + APART);
    });
    for (const counter of data.counters) {
      pen.fillStyle = tint.text;
      pen.fillText(short(counter.name, GUTTER - 40), 30, counter.top + 10);
      pen.fillStyle = tint.tertiary;
      pen.fillText("to " + amount(counter.most, counter.unit), 30, counter.top + 24);
    }
    pen.fillStyle = tint.hairline;
    pen.fillRect(GUTTER - 1, MAP, 1, tall - MAP);
  }

  function line(y) {
    pen.fillStyle = tint.hairline;
    pen.fillRect(0, Math.round(y), width, 1);
  }

  const penned = (text) => pen.measureText(text).width;
  const short = (text, room) => names.elided(text, room, penned);

  function spans(row) {
    const family = data.tracks[row.track].family;
    const perPixel = (view.end - view.begin) / wide();
    let crowd = -1, covered = 0, first = 0;
    const flush = () => {
      if (crowd < 0) return;
      pen.globalAlpha = Math.max(0.55, Math.min(1, covered / perPixel));
      pen.fillStyle = row.bars ? tint[family + "-bar"] : tint[family];
      pen.fillRect(crowd, row.top, 1, row.high);
      pen.globalAlpha = 1;
      crowd = -1;
    };
    for (let i = firstAfter(row, view.begin); i < row.begin.length && row.begin[i] < view.end; i += 1) {
      const left = xOf(row.begin[i]), right = xOf(row.end[i]);
      if (right - left < 1) {
        const pixel = Math.floor(left);
        if (pixel !== crowd) { flush(); crowd = pixel; covered = 0; first = i; }
        covered += row.busy ? row.busy[i] : row.length[i];
        continue;
      }
      flush();
      box(row, i, family, Math.max(left, GUTTER - 4), Math.min(right, width + 4));
    }
    flush();
  }

  function box(row, i, family, left, right) {
    const kind = data.kinds[row.kind[i]], several = row.count && row.count[i] > 1;
    const room = Math.max(1, right - left - (right - left > 3 ? 1 : 0));
    pen.globalAlpha = several ? Math.max(0.3, Math.min(1, row.busy[i] / row.length[i])) : 1;
    const bar = kind === "partition", inner = row.depth > 0 && !bar && family !== "activity";
    const fill = bar ? tint[family + "-bar"] : inner ? tint[family + "-tint"] : tint[family];
    pen.fillStyle = fill;
    pen.beginPath();
    pen.roundRect(left, row.top, room, row.high, Math.min(3, room / 3));
    pen.fill();
    pen.globalAlpha = 1;
    if (HATCHED.includes(kind) && !several) hatch(left, row.top, room, row.high);
    else if (!bar && room > 34) {
      pen.fillStyle = inner ? tint.text : tint["on-" + family];
      pen.textAlign = "left";
      const text = several ? row.count[i].toLocaleString("en") + " spans" : data.names[row.name[i]];
      const begin = Math.max(left, GUTTER) + 6, space = Math.min(right, width) - begin - 5;
      const fitted = several || family === "activity" ? short(text, space) : names.line(text, space, penned);
      pen.fillText(fitted, begin, row.top + row.high / 2 + 0.5);
    }
  }

  function hatch(left, top, room, high) {
    pen.save();
    pen.beginPath();
    pen.rect(left, top, room, high);
    pen.clip();
    pen.strokeStyle = tint.surface;
    pen.globalAlpha = 0.8;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (let x = left - high; x < left + room; x += 6) { pen.moveTo(x, top + high); pen.lineTo(x + high, top); }
    pen.stroke();
    pen.restore();
  }

  function curve(counter) {
    const y = (value) => counter.top + COUNTER - (value / counter.most) * (COUNTER - 4);
    pen.strokeStyle = tint.accent;
    pen.lineWidth = 1.3;
    pen.beginPath();
    let before = null;
    counter.at.forEach((time, i) => {
      const x = xOf(time);
      if (before !== null) pen.lineTo(x, y(before)); else pen.moveTo(x, y(counter.value[i]));
      pen.lineTo(x, y(counter.value[i]));
      before = counter.value[i];
    });
    if (before !== null) pen.lineTo(xOf(LENGTH), y(before));
    pen.stroke();
  }

  function moments() {
    pen.textAlign = "left";
    for (const [time, name] of data.moments) {
      const x = Math.round(xOf(time)) + 0.5;
      if (x < GUTTER || x > width) continue;
      pen.strokeStyle = tint.tertiary;
      pen.setLineDash([4, 3]);
      pen.beginPath();
      pen.moveTo(x, MAP + AXIS);
      pen.lineTo(x, tall);
      pen.stroke();
      pen.setLineDash([]);
    }
  }

  function mark(span, thick) {
    if (!span) return;
    const left = xOf(span.row.begin[span.i]), right = Math.max(left + 2, xOf(span.row.end[span.i]));
    pen.strokeStyle = tint.text;
    pen.lineWidth = thick;
    pen.beginPath();
    pen.roundRect(left - 0.5, span.row.top - 0.5, right - left, span.row.high + 1, 3);
    pen.stroke();
  }

  // All of the trace above, with the window in it.
  let strip = null;
  function map() {
    if (!strip || strip.wide !== wide()) {
      const count = Math.ceil(wide()), busy = new Float64Array(count);
      for (const row of rows) {
        if (row.bars || row.depth > 0) continue;
        for (let i = 0; i < row.begin.length; i += 1) {
          const first = Math.floor((row.begin[i] / LENGTH) * count), last = Math.min(count - 1, Math.floor((row.end[i] / LENGTH) * count));
          const each = (row.busy ? row.busy[i] : row.length[i]) / (last - first + 1);
          for (let x = first; x <= last; x += 1) busy[x] += each;
        }
      }
      strip = { wide: wide(), busy: busy.map((b) => Math.min(1, b / (LENGTH / count))) };
    }
    pen.fillStyle = tint.track;
    pen.fillRect(GUTTER, 4, wide(), MAP - 8);
    pen.fillStyle = tint.tertiary;
    strip.busy.forEach((share, x) => {
      if (share > 0) { pen.globalAlpha = 0.15 + 0.45 * share; pen.fillRect(GUTTER + x, 4, 1, MAP - 8); }
    });
    pen.globalAlpha = 1;
    const left = GUTTER + (view.begin / LENGTH) * wide(), right = GUTTER + (view.end / LENGTH) * wide();
    pen.strokeStyle = tint.accent;
    pen.lineWidth = 2;
    pen.strokeRect(left, 2, Math.max(3, right - left), MAP - 4);
  }

  function under(event) {
    const place = canvas.getBoundingClientRect();
    const x = event.clientX - place.left, y = event.clientY - place.top;
    if (x < GUTTER) return { x, y, span: null };
    const row = rows.find((each) => y >= each.top - 1 && y <= each.top + each.high + 1);
    if (!row) return { x, y, span: null };
    const i = firstAfter(row, timeAt(x - 2));
    const hit = i < row.begin.length && row.begin[i] <= timeAt(x + 2);
    return { x, y, span: hit ? { row, i } : null };
  }

  function tell(span) {
    const { row, i } = span, found = [data.names[row.name[i]]];
    if (row.count && row.count[i] > 1) {
      found.push("and " + (row.count[i] - 1).toLocaleString("en") + " more in " + words(row.length[i]), "busy " + words(row.busy[i]));
      return found;
    }
    found.push(data.tracks[row.track].name + ", " + data.kinds[row.kind[i]], words(row.length[i]));
    if (row.bytes && row.bytes[i]) found.push(amount(row.bytes[i], "bytes"));
    if (row.layer[i] >= 0) {
      const entry = document.getElementById("layer-" + row.layer[i]);
      found.push("layer " + row.layer[i] + (entry ? ", " + entry.querySelector(".operator").textContent.trim() : ""));
    }
    return found;
  }

  function hover(event) {
    const { x, y, span } = under(event);
    pointed = span;
    canvas.style.cursor = span ? "pointer" : "";
    tip.hidden = !span;
    if (span) {
      const [name, ...rest] = tell(span);
      const strong = document.createElement("strong");
      strong.textContent = name;
      const more = document.createElement("span");
      more.textContent = rest.join(" · ");
      tip.replaceChildren(strong, more);
      tip.style.left = Math.max(4, Math.min(x + 14, width - tip.offsetWidth - 8)) + "px";
      tip.style.top = y + 18 + "px";
    }
    ask();
  }

  function choose(span) {
    chosen = span;
    facts.replaceChildren();
    document.querySelectorAll("#layers tr.chosen").forEach((row) => row.classList.remove("chosen"));
    if (span) {
      const text = document.createElement("span");
      text.textContent = tell(span).join(" · ");
      facts.append(text);
      const index = span.row.layer[span.i];
      const entry = index >= 0 && document.getElementById("layer-" + index);
      if (entry) {
        entry.classList.add("chosen");
        const link = document.createElement("a");
        link.href = "#layer-" + index;
        link.textContent = "Show the layer";
        facts.append(" ", link);
      }
    }
    ask();
  }

  let drag = null;
  canvas.addEventListener("pointerdown", (event) => {
    const place = canvas.getBoundingClientRect();
    drag = { x: event.clientX, far: 0, map: event.clientY - place.top < MAP };
    canvas.setPointerCapture(event.pointerId);
    if (drag.map) over(event.clientX - place.left);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) { hover(event); return; }
    const by = event.clientX - drag.x;
    drag.far += Math.abs(by);
    drag.x = event.clientX;
    if (drag.map) over(event.clientX - canvas.getBoundingClientRect().left);
    else if (drag.far > 3) { tip.hidden = true; pan(-by); }
  });
  canvas.addEventListener("pointerup", (event) => {
    if (drag && drag.far <= 3 && !drag.map) choose(under(event).span);
    drag = null;
  });
  canvas.addEventListener("pointercancel", () => { drag = null; });
  canvas.addEventListener("pointerleave", () => { pointed = null; tip.hidden = true; ask(); });
  function over(x) {
    const half = (view.end - view.begin) / 2, at = ((x - GUTTER) / wide()) * LENGTH;
    move(at - half, at + half);
  }
  canvas.addEventListener("dblclick", (event) => {
    const { span } = under(event);
    if (!span) return;
    const air = (span.row.end[span.i] - span.row.begin[span.i]) * 0.1 + 1;
    move(span.row.begin[span.i] - air, span.row.end[span.i] + air);
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const place = canvas.getBoundingClientRect();
    const unit = event.deltaMode === 1 ? 16 : 1;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan((event.deltaX || event.deltaY) * unit);
    else zoom(1.0018 ** (event.deltaY * unit), event.clientX - place.left);
    hover(event);
  }, { passive: false });

  const keys = {
    w: () => zoom(1 / 1.4), "+": () => zoom(1 / 1.4), "=": () => zoom(1 / 1.4), s: () => zoom(1.4), "-": () => zoom(1.4),
    a: () => pan(-wide() / 8), arrowleft: () => pan(-wide() / 8), d: () => pan(wide() / 8), arrowright: () => pan(wide() / 8),
    f: fit, 0: fit, home: fit, p: home, r: home, escape: () => choose(null),
    "[": () => step(-1), "]": () => step(1),
  };
  function step(by) {
    const row = chosen ? chosen.row : rows.find((each) => !each.bars && !["activity", "data"].includes(data.tracks[each.track].family)) || rows[0];
    const i = chosen ? chosen.i + by : firstAfter(row, view.begin);
    if (i < 0 || i >= row.begin.length) return;
    choose({ row, i });
    const half = (view.end - view.begin) / 2, middle = (row.begin[i] + row.end[i]) / 2;
    if (row.begin[i] < view.begin || row.end[i] > view.end) move(middle - half, middle + half);
  }
  canvas.addEventListener("keydown", (event) => {
    const act = keys[event.key.toLowerCase()];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
  for (const button of stage.querySelectorAll("button[data-do]")) {
    const acts = { home, fit, closer: () => zoom(1 / 1.4), further: () => zoom(1.4) };
    button.addEventListener("click", () => acts[button.dataset.do]());
  }

  card.classList.add("live");
  stage.hidden = false;
  colours();
  new ResizeObserver(resize).observe(stage);
  addEventListener("theme", () => { colours(); ask(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { colours(); ask(); });
  document.fonts.ready.then(ask);
  resize();
  home();
})();
