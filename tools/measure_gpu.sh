#!/usr/bin/env bash
# On a machine with a GPU: run the tests that compare digests and states with NumPy, then measure speeds. Each part has
# a share of the time; what it has found by then is kept: tests.txt, bench.json, large.json, variants.json. Exit code 1:
# a test has failed, or none has run.
# ./tools/measure_gpu.sh FOLDER [MINUTES, by default 12]
# PYTHON names a Python with gpufluid, pytest, pytest-xdist, pytest-timeout and hypothesis; by default that of .venv.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[ $# -ge 1 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
mkdir -p "$1" && out=$(cd "$1" && pwd) || exit 1
seconds=$((60 * ${2:-12})) python=${PYTHON:-.venv/bin/python} processes=$(($(nproc) > 2 ? $(nproc) - 1 : 2))
export PYTHONUNBUFFERED=1 __GL_SHADER_DISK_CACHE_PATH=${__GL_SHADER_DISK_CACHE_PATH:-$out} # NVIDIA's cache

part() { # part SHARE FILE WORDS...: runs a command for a share of the time, in hundredths
    local share=$1 file=$2
    shift 2
    timeout --signal INT --kill-after 10 $((share * seconds / 100)) "$python" "$@" >"$out/$file" 2>&1
    printf '%s\n' "--- $file" >&2
    grep -a -E '^(FAILED|ERROR)|passed|failed|Mcell/s|^[a-z+]+ +(dense|typical|sparse)' "$out/$file" | head -40 >&2
}

"$python" -m gpufluid info | tee "$out/info.txt" || exit 1
# `-p no:benchmark`: pytest-benchmark, where it is installed, stops at several processes.
part 35 tests.txt -m pytest -n "$processes" --dist worksteal -v -p no:cacheprovider -p no:benchmark --timeout 120 \
    tests/golden tests/oracle tests/property tests/seed tests/behaviour tests/batch
part 30 bench.txt -m gpufluid bench --size 1024 --size 4096 --workload dense --workload typical --workload sparse \
    --runs 3 --json "$out/bench.json"
part 15 large.txt -m gpufluid bench --size 16384 --workload dense --rule flow --rule flow+inertia --rule atoms \
    --runs 2 --json "$out/large.json"
part 20 variants.txt tools/measure.py --parts variants --json "$out/variants.json"
grep -a -q "PASSED tests/" "$out/tests.txt" && ! grep -a -q -E "(FAILED|ERROR) tests/" "$out/tests.txt"
