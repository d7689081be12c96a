// A stand-in for the module "vscode": enough to open one editor, and to look at what it shows.
"use strict";

const Module = require("node:module");

function event() {
  const listeners = [];
  const subscribe = (listener) => {
    listeners.push(listener);
    return { dispose() { listeners.splice(listeners.indexOf(listener), 1); } };
  };
  return { subscribe, fire: (value) => Promise.all(listeners.map((each) => each(value))) };
}

// Returns the editor of a file, opened by the real extension: its webview and what it asked for.
async function opened(file, settings, kind = 1) {
  const themes = event(), messages = event(), changes = event(), states = event(), ends = event();
  const told = [], executed = [], commands = {};
  let provider;
  const uri = { fsPath: file };
  const fake = {
    ProgressLocation: { Notification: 15 },
    RelativePattern: class {},
    Uri: { joinPath: () => ({}) },
    workspace: {
      getConfiguration: () => ({ get: (name) => settings[name] }),
      createFileSystemWatcher: () => ({
        onDidChange: changes.subscribe, onDidCreate: changes.subscribe, dispose() {},
      }),
    },
    window: {
      activeColorTheme: { kind },
      onDidChangeActiveColorTheme: themes.subscribe,
      registerCustomEditorProvider: (_, given) => { provider = given; return { dispose() {} }; },
      showErrorMessage: (text) => told.push(text),
      withProgress: (_, work) => work({}, { onCancellationRequested() {} }),
    },
    commands: {
      registerCommand: (name, work) => { commands[name] = work; return { dispose() {} }; },
      executeCommand: (...given) => executed.push(given),
    },
  };
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? fake : load(name, ...rest));
  try {
    require("../extension").activate({ subscriptions: [] });
  } finally {
    Module._load = load;
  }
  const webview = { html: "", options: {}, onDidReceiveMessage: messages.subscribe };
  const panel = {
    webview, active: true, onDidChangeViewState: states.subscribe, onDidDispose: ends.subscribe,
  };
  await provider.resolveCustomEditor(provider.openCustomDocument(uri), panel);
  return {
    webview, told, executed, commands, fake,
    press: (value) => messages.fire({ do: value }),
    change: () => changes.fire(uri),
    changeTheme: (theme) => { fake.window.activeColorTheme.kind = theme; return themes.fire(); },
    close: () => ends.fire(),
  };
}

module.exports = { opened };
