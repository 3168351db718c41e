# Functions for the other scripts, which source this file: make .venv with the project, find or install software OpenGL.
# The first run takes a minute or two; later runs do nothing unless pyproject.toml has changed.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Compiled modules are kept in .venv, also where PYTHONDONTWRITEBYTECODE is set: a test run starts hundreds of programs,
# and to compile what one imports takes as long as all else that `gpufluid --version` does.
unset PYTHONDONTWRITEBYTECODE
PYTHONPYCACHEPREFIX=$(pwd)/.venv/bytecode
export PYTHONPYCACHEPREFIX

say() { printf '%s\n' "$*" >&2; }

find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11 python; do
        if [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s' "$candidate"
            return
        fi
    done
    say "gpufluid needs Python 3.11 or later; none was found (set PYTHON=/path/to/python3)."
    exit 1
}

# Make .venv again if its Python is too old or its folder was moved.
make_venv() {
    if .venv/bin/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null &&
        head -n 1 .venv/bin/pip | grep -qF "$(pwd)/.venv"; then
        return
    fi
    rm -rf .venv
    "$1" -m venv .venv >/dev/null 2>&1 && return
    rm -rf .venv
    install_system "Python's venv module" python3-venv || exit 1
    "$1" -m venv .venv
}

make_environment() { # the extra to install, such as "dev"
    local python stamp here enough
    stamp=.venv/.gpufluid-stamp
    here="$(cksum <pyproject.toml) $(pwd)"
    # The stamp has a line for each extra that was installed; "dev-all" contains the others.
    for enough in "$1" dev-all; do
        if [ -f "$stamp" ] && grep -qxF "$enough $here" "$stamp"; then
            return
        fi
    done
    python=$(find_python)
    say "Making the environment in .venv ..."
    if command -v uv >/dev/null 2>&1; then
        [ -x .venv/bin/python ] || uv venv --quiet --python "$python" .venv
        uv pip install --quiet --python .venv/bin/python -e ".[$1]"
    else
        make_venv "$python"
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile -e ".[$1]"
    fi
    { grep -F " $here" "$stamp" 2>/dev/null || true; printf '%s %s\n' "$1" "$here"; } >"$stamp.new"
    mv "$stamp.new" "$stamp"
}

# install_system PURPOSE PACKAGE...: install packages by apt as root; otherwise print the command to run, and fail.
install_system() {
    local purpose=$1
    shift
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "Installing $purpose: $*"
        local log
        log=$(mktemp)
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@"; } \
            >"$log" 2>&1 && return
        say "apt-get could not install $*:" "$(tail -n 5 "$log")"
    else
        say "$purpose is missing. On Debian and Ubuntu: sudo apt-get install $*"
    fi
    return 1
}

opengl_runs() {
    .venv/bin/python -c 'from gpufluid.gpu.device import shared_device; shared_device()' 2>/dev/null
}

need_opengl() {
    opengl_runs && return
    # If the import fails, the fault is not missing OpenGL: show it and stop.
    .venv/bin/python -c 'import gpufluid' || exit 1
    install_system "OpenGL (Mesa's software renderer)" libegl1 libgl1 libegl-mesa0 libgl1-mesa-dri || exit 1
    opengl_runs && return
    .venv/bin/gpufluid info >&2 || true
    exit 1
}
