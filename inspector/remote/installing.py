"""Puts Inspector without its window on another machine, into a folder of its own."""

import io
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

import msgspec

import inspector
from inspector import __version__
from inspector.errors import Cancelled, EngineFailed
from inspector.platform import files
from inspector.remote.machines import LOCAL, Saved, ssh
from inspector.units import clip, size

# What only the window needs.
_WITHOUT = ("pyside6",)
_LEFT_OUT = ("ui", "resources/fonts", "resources/icons", "resources/pictures")
_INSTALL_SECONDS = 1_800.0
# Runs there, on any Python 3: it gets an archive on standard input behind itself.
_SCRIPT = """
import io, os, shutil, subprocess, sys, sysconfig, tarfile
if sys.version_info < (3, 11):
    sys.exit("Python 3.11 or later is needed, and this is " + sys.version.split()[0])
home = os.path.join(os.path.expanduser("~"), ".local", "share", "inspector-agent")
archive = tarfile.open(fileobj=io.BytesIO(sys.stdin.buffer.read()))
new = os.path.join(home, "new")
shutil.rmtree(new, ignore_errors=True)
archive.extractall(new, filter="data")
def run(*command):
    done = subprocess.run(command, stdout=sys.stderr)
    if done.returncode:
        sys.exit("failed: " + " ".join(command[1:5]))
folder = "Scripts" if os.name == "nt" else "bin"
python = os.path.join(home, folder, "python.exe" if os.name == "nt" else "python")
if not os.path.exists(python):
    run(sys.executable, "-m", "venv", home)
wheels = os.path.join(new, "wheels")
where = ["--no-index", "--find-links", wheels] if os.path.isdir(wheels) else []
with open(os.path.join(new, "requirements.txt")) as file:
    wanted = file.read().split("\\n")
run(python, "-m", "pip", "install", "--disable-pip-version-check", "-q", *where, *wanted)
find = "import sysconfig; print(sysconfig.get_path('purelib'))"
site = subprocess.run([python, "-c", find], capture_output=True, text=True).stdout.strip()
target = os.path.join(site, "inspector")
shutil.rmtree(target, ignore_errors=True)
shutil.move(os.path.join(new, "inspector"), target)
shutil.rmtree(new, ignore_errors=True)
print(python)
"""


def requirements() -> list[str]:
    """Return what the agent needs: the packages of Inspector without those of the window."""
    listed = metadata.requires("onnx-inspector") or []
    always = [each for each in listed if "extra ==" not in each]
    return [each for each in always if not each.lower().startswith(_WITHOUT)]


def install(
    machine: Saved,
    wheels: Path | None,
    confirmed: Callable[[str], bool],
    tell: Callable[[str], None] = lambda _: None,
) -> Saved:
    """Install the agent there, and return the machine with the Python that has it.

    wheels: a folder with packages to copy, for a machine without a network. confirmed: asks
    the user. Raises Cancelled; EngineFailed: it did not work, with what was said there.
    """
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as archive:
        for path, name in _package_files():
            archive.add(path, name, recursive=False, filter=_anonymous)
        wanted = "\n".join(requirements()).encode()
        info = tarfile.TarInfo("requirements.txt")
        info.size = len(wanted)
        archive.addfile(info, io.BytesIO(wanted))
        for path in sorted(wheels.glob("*.whl")) if wheels is not None else ():
            archive.add(path, f"wheels/{path.name}", recursive=False, filter=_anonymous)
    body = held.getvalue()
    what = f"Install Inspector {__version__} on {machine.host} ({size(len(body))} to"
    if not confirmed(f"{what} send) in ~/.local/share/inspector-agent?"):
        raise Cancelled("Stopped")
    python = machine.python or ("python3" if machine.host != LOCAL else sys.executable)
    script = _SCRIPT.encode()
    start = f"import sys;exec(sys.stdin.buffer.read({len(script)}))"
    if machine.host == LOCAL:
        command = [python, "-c", start]
    else:
        quoted = f'"{python}"' if " " in python else python
        command = [*ssh(machine.host, asks=True), f'{quoted} -c "{start}"']
    tell(f"installing on {machine.host}; the first time takes a minute or more")
    failed = f"Could not install Inspector on {machine.host}"
    try:
        done = subprocess.run(
            command, input=script + body, capture_output=True, timeout=_INSTALL_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineFailed(failed, str(error)) from error
    said = done.stdout.decode("utf-8", "replace").strip().splitlines()
    if done.returncode or not said:
        log = done.stderr.decode("utf-8", "replace").strip().splitlines()
        hint = "Specify a Python with --python, or install it by hand: see the documentation."
        raise EngineFailed(failed, clip("; ".join(log[-3:]) or "nothing was said", 400), hint)
    return msgspec.structs.replace(machine, python=said[-1])


def _package_files() -> Iterator[tuple[Path, str]]:
    package = Path(inspector.__file__).parent
    roots = {package: "inspector", files.resource(): "inspector/resources"}
    seen = set()
    for root, name in roots.items():
        for path in sorted(root.rglob("*")):
            inner = path.relative_to(root).as_posix()
            whole = f"{name}/{inner}"
            below = whole.removeprefix("inspector/")
            left_out = any(below == each or below.startswith(f"{each}/") for each in _LEFT_OUT)
            if path.is_file() and not left_out and "__pycache__" not in path.parts:
                if whole not in seen:
                    yield path, whole
                seen.add(whole)


def _anonymous(info: tarfile.TarInfo) -> tarfile.TarInfo:
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    return info
