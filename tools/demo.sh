#!/usr/bin/env bash
# Demonstration: makes the environment, runs the dam break to a film, a picture and a snapshot, and suggests commands.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@" # when started by another shell: sh tools/demo.sh
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

make_environment all
need_opengl
mkdir -p out
.venv/bin/gpufluid run dam_break --every 3 --scale 3 \
    --out out/dam_break.mp4 --out out/dam_break.png --out out/dam_break.npz

cat <<'EOF'

The film, the last picture and the exact state are in out/. What to try next:
  .venv/bin/gpufluid scenes                                          list the scenes
  .venv/bin/gpufluid view waterfall                                  watch a scene and paint in it
  .venv/bin/gpufluid serve waterfall                                 the same in a browser, also without a screen
  .venv/bin/gpufluid run rain_on_terrain --out out/rain.mp4 --scale 3
  .venv/bin/gpufluid run u_tube --overlay pressure --out out/pressure.png --scale 3
  .venv/bin/gpufluid check dam_break                                 compare the GPU with NumPy, bit for bit
  .venv/bin/gpufluid info                                            show the renderer, its limits and versions
EOF
