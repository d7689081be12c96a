// A read-only editor of model files. It shows the pages that the installed Inspector makes.
"use strict";

const crypto = require("node:crypto");
const vscode = require("vscode");
const inspector = require("./inspector");
const { withBar, messagePage } = require("./page");

const LIGHT_KINDS = [1, 4]; // ColorThemeKind.Light, HighContrastLight
let active; // the editor that was in front last, for the commands

function program() {
  const settings = vscode.workspace.getConfiguration("inspector");
  return { command: settings.get("command"), before: settings.get("arguments") };
}

class ModelEditor {
  constructor(document, panel) {
    this.uri = document.uri;
    this.panel = panel;
    this.view = "model";
    this.pages = {}; // of the model and the report, as Inspector made them
    this.reading = undefined; // aborts what is being read
    this.busy = false; // a measurement is under way
  }

  get file() {
    return this.uri.fsPath;
  }

  async read() {
    this.reading?.abort();
    const reading = (this.reading = new AbortController());
    if (!this.pages.model) this.message("Reading the model…", "", []);
    try {
      this.pages.model = await inspector.modelPage(program(), this.file, reading.signal);
      this.show();
    } catch (error) {
      if (error.name !== "AbortError") this.fail(error);
    }
  }

  async measure() {
    if (this.busy) return;
    this.busy = true;
    this.show();
    const more = vscode.workspace.getConfiguration("inspector", this.uri).get("measureArguments");
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: `Measuring ${this.file.split(/[\\/]/).pop()}`,
      cancellable: true,
    };
    try {
      await vscode.window.withProgress(options, async (_, token) => {
        const ending = new AbortController();
        token.onCancellationRequested(() => ending.abort());
        this.pages.report = await inspector.reportPage(program(), this.file, more, ending.signal);
        this.view = "report";
      });
    } catch (error) {
      if (error.name !== "AbortError") {
        vscode.window.showErrorMessage(`${error.title ?? "Could not measure"}: ${error.message}`);
      }
    } finally {
      this.busy = false;
      this.show();
    }
  }

  async openWindow() {
    try {
      await inspector.openWindow(program(), this.file);
    } catch (error) {
      vscode.window.showErrorMessage(`${error.title}: ${error.message}`);
    }
  }

  show() {
    const html = this.pages[this.view];
    if (!html) return;
    const kind = vscode.window.activeColorTheme.kind;
    this.panel.webview.html = withBar(html, {
      nonce: crypto.randomBytes(16).toString("base64"),
      theme: LIGHT_KINDS.includes(kind) ? "light" : "dark",
      view: this.view,
      hasReport: Boolean(this.pages.report),
      busy: this.busy,
    });
  }

  message(title, text, buttons) {
    const nonce = crypto.randomBytes(16).toString("base64");
    this.panel.webview.html = messagePage({ title, text, buttons, nonce });
  }

  fail(error) {
    const buttons = [["refresh", "Try again"]];
    if (error.isMissing) buttons.push(["settings", "Open settings"]);
    this.message(error.title ?? "Could not open the model", error.message, buttons);
  }

  handle(message) {
    switch (message?.do) {
      case "model":
      case "report":
        this.view = message.do;
        return this.show();
      case "measure":
        return this.measure();
      case "openWindow":
        return this.openWindow();
      case "refresh":
        return this.read();
      case "settings":
        return vscode.commands.executeCommand("workbench.action.openSettings", "inspector.command");
      default:
        return undefined; // nothing else is ever sent by our pages
    }
  }
}

const provider = {
  openCustomDocument: (uri) => ({ uri, dispose() {} }),

  resolveCustomEditor(document, panel) {
    const editor = new ModelEditor(document, panel);
    active = editor;
    panel.webview.options = { enableScripts: true, localResourceRoots: [] };
    const watched = new vscode.RelativePattern(vscode.Uri.joinPath(document.uri, ".."), "*");
    const watcher = vscode.workspace.createFileSystemWatcher(watched);
    const changed = (uri) => {
      if (uri.fsPath === editor.file) editor.read();
    };
    const disposables = [
      panel.webview.onDidReceiveMessage((message) => editor.handle(message)),
      vscode.window.onDidChangeActiveColorTheme(() => editor.show()),
      panel.onDidChangeViewState(() => {
        if (panel.active) active = editor;
      }),
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher,
    ];
    panel.onDidDispose(() => {
      editor.reading?.abort();
      if (active === editor) active = undefined;
      for (const each of disposables) each.dispose();
    });
    return editor.read();
  },
};

function activate(context) {
  const options = {
    supportsMultipleEditorsPerDocument: true,
    webviewOptions: { retainContextWhenHidden: false },
  };
  context.subscriptions.push(
    vscode.window.registerCustomEditorProvider("inspector.model", provider, options),
    vscode.commands.registerCommand("inspector.measure", () => active?.measure()),
    vscode.commands.registerCommand("inspector.openWindow", () => active?.openWindow()),
    vscode.commands.registerCommand("inspector.refresh", () => active?.read()),
  );
}

module.exports = { activate, deactivate() {} };
