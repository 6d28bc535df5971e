#!/usr/bin/env bash
# usage: run.sh FOLDER_WITH_FUZZ_BINARIES MINUTES
# Shares the minutes among all fuzz targets; new inputs go to a copy of the seed corpus.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
shopt -s nullglob
targets=("$1"/fuzz_*)
[ ${#targets[@]} -gt 0 ] || { echo "no fuzz targets in $1" >&2; exit 1; }
seconds=$(( $2 * 60 / ${#targets[@]} ))
[ $seconds -ge 5 ] || seconds=5
failed=0
for target in "${targets[@]}"; do
  name=$(basename "$target"); name=${name#fuzz_}
  work=$1/corpus/$name
  mkdir -p "$work" "$1/crashes"
  if "$target" -max_total_time=$seconds -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$1/crashes/$name-" \
      "$work" "$here/corpus/$name" >"$1/$name.log" 2>&1; then
    echo "PASS  $name: $(grep -oE 'stat::number_of_executed_units: [0-9]+' "$1/$name.log" | tail -1 || true) $(tail -1 "$1/$name.log")"
  else
    echo "FAIL  $name: see $1/$name.log"; tail -5 "$1/$name.log"; failed=$((failed + 1))
  fi
done
echo "$(( ${#targets[@]} - failed )) passed, $failed failed"
exit $(( failed > 0 ))
