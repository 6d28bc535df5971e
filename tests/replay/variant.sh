#!/usr/bin/env bash
# usage: variant.sh BUILD VARIANT LOG ROOT: replays LOG with the replay check of a variant build. 77 = not built.
set -euo pipefail
build=$1 variant=$2 log=$3 root=$4
if [ "$variant" = this ]; then
  check=$build/bin/replay_check
else
  check=$build/variants/$variant/bin/replay_check
fi
[ -x "$check" ] || { echo "no variant build $variant"; exit 77; }
run=()
if [ "$variant" = aarch64 ] && [ "$(uname -m)" != aarch64 ]; then
  emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) || { echo "no emulator"; exit 77; }
  run=("$emulator")
fi
result=$("${run[@]}" "$check" "$log" "$root")
expected=$(cat "$log.final")
echo "$variant: $result"
[ "$result" = "$expected" ] || { echo "expected $expected"; exit 1; }
