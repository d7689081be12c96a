// Runs the installed program Inspector. Nothing here depends on the editor.
"use strict";

const { execFile, spawn } = require("node:child_process");
const fs = require("node:fs/promises");
const os = require("node:os");
const path = require("node:path");

const MOST_BYTES = 256 * 1024 * 1024; // of a page; that of 5,000 layers has 2 MB
const SECONDS = 120; // to read a model; Inspector itself ends work that makes no progress

// A failure that the user can act on: `title` says what did not happen, `message` why.
class Failure extends Error {
  constructor(title, message, isMissing = false) {
    super(message);
    this.title = title;
    this.isMissing = isMissing;
  }
}

// Returns what a command prints; `signal` ends it.
function run({ command, before = [] }, argumentsOfCommand, { signal, seconds = 0, title }) {
  return new Promise((resolve, reject) => {
    const options = {
      encoding: "utf8",
      maxBuffer: MOST_BYTES,
      timeout: seconds * 1000,
      signal,
      windowsHide: true,
    };
    execFile(command, [...before, ...argumentsOfCommand], options, (error, out, problems) => {
      if (!error) {
        resolve(out);
      } else if (error.code === "ENOENT") {
        const why = `The program "${command}" was not found.`;
        const hint = "Install Inspector, or set inspector.command to its full path.";
        reject(new Failure("Inspector is not installed", `${why}\n${hint}`, true));
      } else if (error.name === "AbortError") {
        reject(error);
      } else if (error.killed) {
        reject(new Failure(title, `It took longer than ${seconds} seconds.`));
      } else {
        reject(new Failure(title, problems.trim() || error.message));
      }
    });
  });
}

// Returns the page of a model.
function modelPage(program, file, signal) {
  const title = `Could not open ${path.basename(file)}`;
  return run(program, ["info", file, "--html", "-"], { signal, seconds: SECONDS, title });
}

// Measures a model and returns the page of the report.
async function reportPage(program, file, more, signal) {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "inspector-"));
  const report = path.join(folder, "report.json");
  const page = path.join(folder, "report.html");
  const title = `Could not measure ${path.basename(file)}`;
  try {
    await run(program, ["measure", file, "-o", report, ...more], { signal, title });
    await run(program, ["export", report, "--format", "html", "-o", page], { signal, title });
    return await fs.readFile(page, "utf8");
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

// Opens Inspector's own window, which outlives the editor.
function openWindow({ command, before = [] }, file) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...before, file], { detached: true, stdio: "ignore" });
    child.once("error", () => {
      reject(new Failure("Inspector is not installed", `The program "${command}" was not found.`, true));
    });
    child.once("spawn", () => {
      child.unref();
      resolve();
    });
  });
}

module.exports = { modelPage, reportPage, openWindow, Failure };
