#!/usr/bin/env bash
# usage: run.sh BUILD_FOLDER: builds and runs all benchmarks, prints the table, writes BUILD/bench.json.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
cmake --build "$build" --target benches >"$build/bench-build.log" 2>&1 || { tail -30 "$build/bench-build.log" >&2; exit 1; }
exec /usr/bin/python3 "$here/table.py" "$build"
