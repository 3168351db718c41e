#!/usr/bin/env bash
# Builds the documentation as a site in build/site/, and fails on a dead link; words given go to mkdocs build.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@" # when started by another shell: sh tools/docs.sh
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

make_environment docs
# The theme's makers warn of a future version of mkdocs, which is no fault of these pages.
export NO_MKDOCS_2_WARNING=1
.venv/bin/python -m mkdocs build --strict --quiet "$@"
say "To read it, with its search: .venv/bin/python -m http.server --bind 127.0.0.1 --directory build/site 8000"
