// Opens a file in the extension, presses buttons, and prints what the editor shows, as JSON:
// node show.js FILE SETTINGS [BUTTON ...], for tests/tools/test_vscode_extension.py.
"use strict";

const { opened } = require("./fake_vscode");

(async () => {
  const [file, settings, ...buttons] = process.argv.slice(2);
  const editor = await opened(file, JSON.parse(settings));
  const shown = [editor.webview.html];
  for (const button of buttons) {
    if (button === "dark") await editor.changeTheme(2);
    else await editor.press(button);
    shown.push(editor.webview.html);
  }
  await editor.close();
  process.stdout.write(JSON.stringify({ shown, told: editor.told, executed: editor.executed }));
})();
