"""inspector engines: the runtimes, and environments of their own for those that are missing."""

import argparse
import sys
from importlib.metadata import version

from inspector.backends import environments, registry
from inspector.backends.environments import Engine
from inspector.cli import pages
from inspector.cli.program.engines import SCHEMA
from inspector.errors import BadInput, Cancelled
from inspector.pages.on_devices.devices import Runtime, runtimes_page
from inspector.platform.terminal import confirmed
from inspector.wording import stored


def run(options: argparse.Namespace) -> None:
    """List, install or remove. Raises InspectorError."""
    if options.install and options.remove:
        why = "--install and --remove cannot be used together"
        raise BadInput("Could not change the runtimes", why, "Omit one of these options.")
    if options.wheels and not options.install:
        why = "--wheels is for --install"
        raise BadInput("Could not list the engines", why, "Add --install ID.")
    if options.install:
        engine = registry.engine(options.install)
        if engine.here:
            print(f"{engine.name} {engine.version} is installed already, and used from there")
            return
        what = f"Could not install {engine.name}"
        if not options.yes and not confirmed(environments.question(engine), what):
            raise Cancelled("Stopped", "nothing was installed")

        def tell(step: str) -> None:
            print(step, file=sys.stderr, flush=True)

        version = environments.install(engine, tell, wheels=options.wheels)
        print(f"installed {engine.name} {version} in {environments.folder(engine.id)}")
    elif options.remove:
        _remove(options)
    else:
        _list(options.json)


def _remove(options: argparse.Namespace) -> None:
    engine = registry.engine(options.remove)
    what = f"Could not remove {engine.name}"
    try:
        removed = environments.remove(engine.id)
    except OSError as error:
        raise BadInput(what, error.strerror or str(error)) from error
    if not removed:
        why = "it has no environment of its own"
        hint = f"To uninstall it here: pip uninstall {engine.package}" if engine.here else ""
        raise BadInput(what, why, hint)
    print(f"removed {engine.name}")


def _place(engine: Engine) -> str:
    """Return where an engine comes from; empty if it is not installed."""
    if engine.here:
        return "Inspector's Python"
    if environments.python_of(engine.id) is not None:
        return str(environments.folder(engine.id))
    return ""


def _list(as_json: bool) -> None:
    engines = registry.engines()
    if as_json:
        rows = [
            {
                "id": engine.id,
                "name": engine.name,
                "packages": engine.requirements,
                "version": engine.version,
                "installed_in": _place(engine),
            }
            for engine in engines
        ]
        print(stored.json_text({"schema": SCHEMA, "engines": rows}))
        return

    here = Runtime("onnxruntime", "ONNX Runtime", version("onnxruntime"), "Inspector's Python")
    others = [
        Runtime(each.id, each.name, each.version, _place(each),
                environments.why_useless(each.id))
        for each in engines
    ]  # fmt: skip
    pages.show(runtimes_page([here, *others]))
