"use strict";
// Names of layers cut to the room there is, by the rules of inspector/model/display_names.py:
// scopes are shortened from the outside in, numbers and the innermost scope stay.
const names = (() => {
  const PARTED = /([./])/, WORDS = /(_)/, LEAST_LEAF = 4;

  function abbreviated(part) {
    const start = part.search(/\d*$/);
    return part.slice(0, Math.min(1, start)) + part.slice(start);
  }

  function shortened(parts, places, room, width) {
    for (const place of places) {
      if (width(parts.join("")) <= room) break;
      parts[place] = abbreviated(parts[place]);
    }
    return parts.join("");
  }

  function places(begin, end, step) {
    const found = [];
    for (let i = begin; step > 0 ? i < end : i > end; i += step) found.push(i);
    return found;
  }

  function cut(text, kept) {
    const head = Math.floor((kept * 2) / 5);
    return text.slice(0, head) + "…" + text.slice(text.length - (kept - head));
  }

  function elided(text, room, width) {
    if (width(text) <= room) return text;
    let low = 0, high = text.length;
    while (low < high) {
      const kept = Math.floor((low + high + 1) / 2);
      if (width(cut(text, kept)) <= room) low = kept;
      else high = kept - 1;
    }
    return cut(text, low);
  }

  function fittedLeaf(leaf, room, width) {
    const parts = leaf.split(WORDS);
    return shortened(parts, places(parts.length - 3, 0, -2), room, width);
  }

  function scopes(scope, room, width) {
    const parts = scope.split(PARTED);
    const found = [
      scope,
      shortened([...parts], places(0, parts.length - 1, 2), room, width),
      shortened([...parts], places(0, parts.length, 2), 0, width),
    ];
    if (parts.length > 1) found.push("…" + parts[parts.length - 1]);
    return [...found, abbreviated(parts[parts.length - 1])];
  }

  // Scope and leaf as they fit; between: what is drawn between them.
  function fit(scope, leaf, room, width, between) {
    if (!scope) return ["", elided(fittedLeaf(leaf, room, width), room, width)];
    const short = fittedLeaf(leaf, Math.max(room / 2, room - width(scope + between)), width);
    for (const some of scopes(scope, room - width(between + leaf), width)) {
      for (const shown of [leaf, short]) if (width(some + between + shown) <= room) return [some, shown];
    }
    const last = abbreviated(scope.split(PARTED).pop());
    const rest = elided(short, room - width(last + between), width);
    if (rest.length > LEAST_LEAF) return [last, rest];
    return ["", elided(fittedLeaf(leaf, room, width), room, width)];
  }

  function split(name) {
    for (const separator of ["/", "."]) {
      let whole = name;
      while (whole.endsWith(separator)) whole = whole.slice(0, -1);
      const place = whole.lastIndexOf(separator);
      if (place < 0) continue;
      const last = whole.slice(place + 1);
      if (!last || /^\d+$/.test(last)) return ["", name];
      return [whole.slice(0, place).replace(/^\/+|\/+$/g, ""), last];
    }
    return ["", name];
  }

  function line(name, room, width) {
    if (width(name) <= room) return name;
    return fit(...split(name), room, width, "/").filter(Boolean).join("/");
  }

  return { fit, line, elided };
})();
