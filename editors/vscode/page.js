// The HTML that the editor shows: the page that Inspector makes, with a bar above it.
"use strict";

const STYLE = `
#inspector-bar { position: sticky; top: 0; z-index: 5; display: flex; align-items: center; gap: 8px;
  padding: 8px 24px; background: var(--window, var(--vscode-editor-background));
  border-bottom: 1px solid var(--border, var(--vscode-panel-border));
  font: 12px/20px var(--vscode-font-family, system-ui), sans-serif; }
#inspector-bar button { font: inherit; padding: 2px 12px; border-radius: 5px; cursor: pointer;
  border: 1px solid var(--border, transparent); background: var(--surface, var(--vscode-button-secondaryBackground));
  color: var(--text, var(--vscode-button-secondaryForeground)); }
#inspector-bar button[aria-pressed="true"] { border-color: var(--accent); color: var(--accent); font-weight: 600; }
#inspector-bar button:focus-visible { outline: 2px solid var(--accent, var(--vscode-focusBorder)); outline-offset: 1px; }
#inspector-bar button:disabled { opacity: 0.5; cursor: default; }
#inspector-bar .space { flex: 1; }
`;

// Runs in the page. Only messages leave it: the extension decides what they do.
const SCRIPT = `
const api = acquireVsCodeApi();
for (const button of document.querySelectorAll("#inspector-bar button")) {
  button.addEventListener("click", () => api.postMessage({ do: button.value }));
}
`;

function escaped(text) {
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return String(text).replace(/[&<>"']/g, (letter) => names[letter]);
}

function bar({ view, hasReport, busy }) {
  const button = (value, label, extra = "") =>
    `<button value="${value}"${extra}>${label}</button>`;
  const pressed = (name) => ` aria-pressed="${view === name}"`;
  const views = hasReport
    ? button("model", "Model", pressed("model")) + button("report", "Report", pressed("report"))
    : "";
  const measure = busy
    ? button("measure", "Measuring…", " disabled")
    : button("measure", hasReport ? "Measure again" : "Measure");
  return (
    `<nav id="inspector-bar" aria-label="Inspector">${views}<span class="space"></span>` +
    `${measure}${button("openWindow", "Open in Inspector")}</nav>`
  );
}

// Returns Inspector's page with the bar in it. Its policy allows its own style and script by a
// hash, and the bar's by a nonce; everything else stays forbidden.
function withBar(html, { nonce, theme, view, hasReport, busy }) {
  const policy = html.replace(/(script|style)-src ([^;"]*)/g, (all) => `${all} 'nonce-${nonce}'`);
  const themed = policy.replace("<html lang=\"en\">", `<html lang="en" data-theme="${theme}">`);
  const head = themed.replace("</head>", () => `<style nonce="${nonce}">${STYLE}</style>\n</head>`);
  const body = head.replace("<body>", () => `<body>\n${bar({ view, hasReport, busy })}`);
  const end = body.lastIndexOf("</body>");
  return `${body.slice(0, end)}<script nonce="${nonce}">${SCRIPT}</script>\n${body.slice(end)}`;
}

// Returns a page with a message in place of a model: what happened, and what to do.
function messagePage({ title, text, buttons, nonce }) {
  const shown = buttons.map(([value, label]) => `<button value="${value}">${escaped(label)}</button>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'">
<style>${STYLE}
body { margin: 0; color: var(--vscode-foreground); background: var(--vscode-editor-background); }
main { padding: 24px; max-width: 720px; font: 13px/1.6 var(--vscode-font-family, system-ui), sans-serif; }
h1 { font-size: 16px; font-weight: 600; } p { white-space: pre-wrap; overflow-wrap: anywhere; }
#inspector-bar { position: static; border: 0; padding: 8px 0; background: none; }
</style>
</head>
<body><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p>
<nav id="inspector-bar" aria-label="Inspector">${shown.join("")}</nav></main>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>`;
}

module.exports = { withBar, messagePage, escaped };
