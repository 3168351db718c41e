#!/usr/bin/env bash
# The one check to run before a commit: style, types, shaders, and the tests that are not marked long.
# Words given go to pytest: ./tools/test.sh --all, which runs every test; ./tools/test.sh tests/oracle -k wrap
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@" # when started by another shell: sh tools/test.sh
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

extras=dev
for word in "$@"; do
    [ "$word" = --all ] && extras=dev-all
done
make_environment "$extras"
need_opengl
# Lints the shaders; where it cannot be installed that one test says so and is skipped.
command -v glslangValidator >/dev/null 2>&1 || install_system "the GLSL validator" glslang-tools || true

# A virtual screen for the tests of the window; without one these tests are skipped with a reason.
{ command -v Xvfb && command -v xdotool && command -v ffprobe; } >/dev/null 2>&1 ||
    install_system "a screen for the window's tests" xvfb xdotool ffmpeg || true
# The tests of pages in a browser are long.
[ "$extras" = dev ] || command -v chromium >/dev/null 2>&1 || install_system "a browser for the tests of pages" chromium || true

py=.venv/bin/python
"$py" -m ruff check --quiet .
"$py" -m ruff format --quiet --check . || { say "Run .venv/bin/ruff format to mend the layout."; exit 1; }
.venv/bin/clang-format --dry-run --Werror $(find shaders -name '*.comp' -o -name '*.glsl')
# The types are checked beside the tests: it takes half a minute, and these often wait for a window or a process. The
# check has a process group of its own, which is ended with this script.
types=$(mktemp)
set -m
"$py" -m pyright --warnings >"$types" 2>&1 &
check=$!
set +m
trap 'kill -- "-$check" 2>/dev/null || true; rm -f "$types"' EXIT
# Each worker starts with its own half of the tests, so that few programs are compiled twice.
run() { "$py" -m pytest -n "${GPUFLUID_TEST_WORKERS:-2}" --dist worksteal "$@"; }
code=0
if [ "$*" = --all ]; then
    # These in the machine code that users run, all others in such that is compiled sooner: see tests/conftest.py.
    as_users=(tests/golden tests/oracle/test_flow.py)
    run --all "${as_users[@]/#/--ignore=}" || code=$?
    [ "$code" = 2 ] || GALLIVM_PERF= run --all "${as_users[@]}" || code=$?
else
    run "$@" || code=$?
fi
[ "$code" != 2 ] || exit 2 # interrupted
if ! wait "$check"; then
    cat "$types"
    [ "$code" != 0 ] || code=1
fi
exit "$code"
