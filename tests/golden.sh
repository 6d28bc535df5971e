#!/usr/bin/env bash
# usage: golden.sh BUILD_FOLDER: regenerates the declared golden files from the programs of this build.
# They change on purpose only: the content digest with the content, the match hash with kSimVersion (or the content).
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
digest=$("$build/bin/iron3d" content build --out "$build/content" | sed -n "s/.*manifest \([0-9a-f]\{64\}\).*/\1/p")
sed -i "s/^[0-9a-f]\{64\}$/$digest/" "$here/content/golden.txt"
"$build/tests/replay_record" "$build/content" "$build/tests/busy_match.i3dlog" missions/single.01 1500
{
  sed -n 's/.*kSimVersion = \([0-9]*\).*/sim_version \1/p' "$here/../server/world/sim_version.hpp"
  cat "$build/tests/busy_match.i3dlog.final"
} >"$here/replay/golden.txt"
git -C "$here" --no-pager diff --stat -- . || true
