#!/usr/bin/env bash
# usage: server_links_no_window.sh READELF SERVER CLIENT
# The server binary links no graphics, audio or window library; the client shows that the check sees them.
set -euo pipefail
needed() { "$1" -d "$2" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
forbidden='^lib(SDL2|GL|EGL|GLX|OpenGL|openal|X11|wayland|freetype|png|sndfile|asound|pulse)'
needed "$1" "$3" | grep -qE "$forbidden" || { echo "the check is blind: the client shows none of them"; exit 1; }
hits=$(needed "$1" "$2" | grep -E "$forbidden" || true)
[ -z "$hits" ] || { echo "the server links: $hits"; exit 1; }
