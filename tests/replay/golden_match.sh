#!/usr/bin/env bash
# usage: golden_match.sh SOURCE LOG: the recorded busy match ends in the golden hash of this sim_version.
# Regenerate with ./test --update-golden after raising kSimVersion (or after a change of the content).
set -euo pipefail
golden=$1/tests/replay/golden.txt
version=$(sed -n 's/.*kSimVersion = \([0-9]*\).*/\1/p' "$1/server/world/sim_version.hpp")
[ "$(sed -n 1p "$golden")" = "sim_version $version" ] || { echo "the golden hash belongs to another sim_version"; exit 1; }
want=$(sed -n '2,$p' "$golden") got=$(cat "$2.final")
[ "$want" = "$got" ] && exit 0
echo "the rules changed without a new sim_version: golden $want, this build $got"
exit 1
