# Functions for the other scripts, which source this file: make .venv with the project, find or install software OpenGL.
# The first run takes a minute or two; later runs do nothing unless pyproject.toml has changed.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

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

# True if .venv has a Python that runs and is new enough, and was made in this folder.
venv_runs() {
    .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null &&
        grep -qF "$(pwd -P)/.venv" .venv/bin/activate
}

# install_extra EXTRA: into .venv, which is made again if it does not run.
install_extra() {
    local python
    python=$(find_python) || exit 1
    if command -v uv >/dev/null 2>&1; then
        venv_runs || { rm -rf .venv && uv venv --quiet --seed --python "$python" .venv; }
        uv pip install --quiet --python .venv/bin/python -e ".[$1]"
        return
    fi
    if ! { venv_runs && .venv/bin/python -c 'import pip' 2>/dev/null; }; then
        rm -rf .venv
        "$python" -m venv .venv >/dev/null 2>&1 || {
            rm -rf .venv
            install_system "Python's venv module" python3-venv || exit 1
            "$python" -m venv .venv || exit 1
        }
    fi
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile -e ".[$1]"
}

# True if .venv has a copy of the package in place of this folder: after "pip install ." instead of "pip install -e .".
holds_copy() { compgen -G '.venv/lib/python*/site-packages/gpufluid/__init__.py' >/dev/null; }

make_environment() { # the extra to install, such as "dev"
    local stamp here
    stamp=.venv/.gpufluid-stamp
    here="$(cksum <pyproject.toml) $(pwd)"
    # The stamp has a line for each extra that was installed; "dev-all" contains the others.
    if ! { .venv/bin/python -c '' 2>/dev/null && ! holds_copy && grep -qxF -e "$1 $here" -e "dev-all $here" "$stamp" 2>/dev/null; }; then
        say "Making the environment in .venv ..."
        install_extra "$1" || {
            say "The packages could not be installed. They come from the network: ./tools/test.sh and ./tools/demo.sh need it" \
                "when they first run, and when pyproject.toml has changed."
            exit 1
        }
        { grep -F " $here" "$stamp" 2>/dev/null || true; printf '%s %s\n' "$1" "$here"; } >"$stamp.new"
        mv "$stamp.new" "$stamp"
    fi
    # Compiled modules are kept in .venv, also where PYTHONDONTWRITEBYTECODE is set: a test run starts hundreds of
    # programs, and to compile what one imports takes as long as all else that `gpufluid --version` does. Not before:
    # the first Python would make a folder .venv, in which uv refuses to make an environment.
    unset PYTHONDONTWRITEBYTECODE
    PYTHONPYCACHEPREFIX=$(pwd)/.venv/bytecode
    export PYTHONPYCACHEPREFIX
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
    install_system "OpenGL (Mesa's software renderer)" libegl1 libgl1 libgl1-mesa-dri || exit 1
    opengl_runs && return
    .venv/bin/gpufluid info >&2 || true
    exit 1
}
