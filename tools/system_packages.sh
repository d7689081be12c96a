#!/bin/sh
# What pip cannot install: Python with venv, and the libraries that Qt loads. Quick when nothing
# is missing. On Debian and Ubuntu root gets them installed; everybody else reads what to type.
set -eu

python=${PYTHON:-python3}
packages=""

have_library() {
    echo "$libraries" | grep -qF "$1"
}

need_library() {
    have_library "$1" || packages="$packages $2"
}

if [ "$(uname -s)" = Linux ]; then
    libraries=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p)
    need_library libglib-2.0.so.0 libglib2.0-0
    need_library libGL.so.1 libgl1
    need_library libEGL.so.1 libegl1
    need_library libxkbcommon.so.0 libxkbcommon0
    need_library libfontconfig.so.1 libfontconfig1
    need_library libdbus-1.so.3 libdbus-1-3
    if [ -n "${DISPLAY:-}" ]; then
        need_library libxcb-cursor.so.0 libxcb-cursor0
        need_library libxkbcommon-x11.so.0 libxkbcommon-x11-0
        need_library libxcb-icccm.so.4 libxcb-icccm4
        need_library libxcb-keysyms.so.1 libxcb-keysyms1
        need_library libxcb-shape.so.0 libxcb-shape0
    fi
    if [ -n "${WAYLAND_DISPLAY:-}" ]; then
        need_library libwayland-client.so.0 libwayland-client0
        need_library libwayland-cursor.so.0 libwayland-cursor0
    fi
fi

# ensurepip is what Debian leaves out of python3 and puts into python3-venv.
if ! [ -x .venv/bin/python ] && ! [ -x .venv/Scripts/python.exe ]; then
    "$python" -c "import venv, ensurepip" 2>/dev/null || packages="$packages $python $python-venv"
fi

if [ -n "$packages" ]; then
    install="apt-get install --yes --no-install-recommends$packages"
    if ! command -v apt-get >/dev/null; then
        echo "Missing here; these are Debian's names of the packages:$packages" >&2
        exit 1
    elif [ "$(id -u)" != 0 ]; then
        echo "Some packages are missing. Please type this, then try again:" >&2
        echo "    sudo apt-get update && sudo $install" >&2
        exit 1
    fi
    echo "Installing$packages"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update --quiet=2
    $install --quiet=2 >/dev/null
fi

if ! [ -x .venv/bin/python ] && ! [ -x .venv/Scripts/python.exe ]; then
    "$python" -c "import sys; sys.exit(sys.version_info < (3, 11))" || {
        echo "Python 3.11 or newer is needed; $python is $("$python" -V 2>&1 | cut -d' ' -f2)." >&2
        echo "With another one installed, for example: make setup PYTHON=python3.12" >&2
        exit 1
    }
fi
