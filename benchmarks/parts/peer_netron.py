"""Netron's own reader of ONNX files, driven in node without its window.

Needs node and the package netron (`pip install netron`). Its modules are copied into a folder
of ours, since one class that the window makes for itself has to be let out.
"""

import importlib.util
import shutil
from pathlib import Path

_LET_OUT = "\nexport { view as everything };\n"
_DRIVER = """
import * as fs from 'fs';
import * as onnx from './onnx.js';
import { everything as view } from './view.js';
import * as node from './node.js';
const file = process.argv[2], stat = fs.statSync(file);
const stream = new node.FileStream(file, 0, stat.size, stat.mtimeMs);
const host = {
    identifier: 'model.onnx',
    stream,
    asset: async (name) => fs.readFileSync(new URL(name, import.meta.url), 'utf-8'),
    fetch: async () => { throw new Error('no other file is at hand'); },
    require: async (id) => import(`${id}.js`),
    error: () => {}
};
const began = performance.now(), usedBefore = process.cpuUsage();
const context = new view.Context(host, 'model.onnx', stream);
const factory = new onnx.ModelFactory();
await factory.match(context);
const model = await factory.open(context);
const number = model.modules[0].nodes.length;
const took = (performance.now() - began) / 1000;
if (number === 0) { throw new Error('Netron sees no nodes'); }
const used = process.cpuUsage(usedBefore);
const memory = process.resourceUsage().maxRSS * 1024;
console.log(took, memory, (used.user + used.system) / 1e6);
"""


def prepared(folder: Path) -> list[str] | None:
    """Return a command to which a model's path is to be added; None where it is not here.

    folder: takes the copy. The command prints seconds, bytes, processor seconds.
    """
    node, spec = shutil.which("node"), importlib.util.find_spec("netron")
    if node is None or spec is None or spec.origin is None:
        return None
    copy = Path(shutil.copytree(Path(spec.origin).parent, folder / "netron"))
    (copy / "package.json").write_text('{"type": "module"}', "utf-8")
    with (copy / "view.js").open("a", encoding="utf-8") as view:
        view.write(_LET_OUT)
    driver = copy / "driver.js"
    driver.write_text(_DRIVER, "utf-8")
    return [node, "--max-old-space-size=16000", str(driver)]
