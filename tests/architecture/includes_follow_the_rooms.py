#!/usr/bin/env python3
"""Fails when a source includes a header of a room it may not know (design, section 2)."""
import pathlib
import re
import sys

# room -> rooms it may include; a room may always include itself.
ALLOWED = {
    "shared/base": set(),
    "shared/settings": {"shared/base"},
    "shared/archive": {"shared/base"},
    "shared/asset": {"shared/base", "shared/archive"},
    "shared/mission": {"shared/base", "shared/archive", "shared/asset"},
    "shared/content": {"shared/base", "shared/archive", "shared/asset"},
    "shared/interchange": {"shared/base", "shared/archive", "shared/asset", "shared/mission"},
    "protocol": {"shared/base"},
    "server": {"shared/base", "shared/settings", "shared/archive", "shared/asset", "shared/mission", "protocol"},
    "client": {"shared/base", "shared/archive", "shared/asset", "shared/mission", "protocol"},
    "dpcompat": {"shared/base", "shared/settings", "shared/archive", "protocol", "client/net"},
}
# The simulation knows no protocol and no session.
SIMULATION = ("server/world", "server/navigation", "server/behavior", "server/control",
              "server/strategy", "server/script")
SIM_ALLOWED = {"shared/base", "shared/archive", "shared/asset", "shared/mission"} | set(SIMULATION)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def room_of(path):
    for room in SIMULATION:
        if path.startswith(room + "/"):
            return room
    for room in ALLOWED:
        if path.startswith(room + "/"):
            return room
    return None


def violations(top):
    for source in sorted(top.rglob("*")):
        relative = source.relative_to(top).as_posix()
        room = room_of(relative)
        if room is None or source.suffix not in (".hpp", ".cpp", ".h"):
            continue
        for target in INCLUDE.findall(source.read_text(encoding="utf-8")):
            other = room_of(target)
            if target.startswith("tests/") or target.startswith("tools/"):
                yield f"{relative}: includes {target} (only tests and tools may)"
            if other is None or other == room:
                continue
            if room in SIMULATION:
                allowed = other in SIM_ALLOWED
            else:
                allowed = (other in ALLOWED[room] or target.split("/")[0] == room
                           or any(target.startswith(a + "/") for a in ALLOWED[room]))
            if not allowed:
                yield f"{relative}: {room} may not include {target}"


def main():
    top = pathlib.Path(sys.argv[1])
    found = list(violations(top))
    # The check itself must be able to fail.
    probe = ALLOWED["shared/base"] or room_of("client/view/scene.hpp") == "client"
    if not probe:
        found.append("the rule table is broken")
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
