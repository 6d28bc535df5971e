#!/usr/bin/env python3
"""iron3d-bridge as a process: help, version, exit codes, a session found with the worked request, an orderly end."""
import json
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from scripted_original import Original  # noqa: E402

FAILED = []


def check(name, condition, detail=""):
    print(f"{'PASS' if condition else 'FAIL'}  {name} {detail if not condition else ''}")
    if not condition:
        FAILED.append(name)


def run(*arguments):
    return subprocess.run([BRIDGE, *arguments], capture_output=True, text=True, timeout=30)


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def created(block_body):
    """(id, short name) of a CREATEPLAYER body."""
    player = struct.unpack("<I", block_body[4:8])[0]
    packed = block_body[20:]
    length = struct.unpack("<I", packed[12:16])[0]
    return player, packed[48:48 + length].decode("utf-16le").rstrip("\0")


def play(enum_port):
    """Two clients that share no code with the bridge play through it."""
    anna, boris = Original("Anna"), Original("\u0418\u0433\u0440\u043e\u043a")
    try:
        anna.enumerate(enum_port)
        check("the session has its name", anna.session_name == "process", anna.session_name)
        anna.join()
        host_systems = [p for p, (flags, _, _) in anna.table.items() if flags & 3 == 3]
        check("the table has the joiner and one host", anna.system_id in anna.table and len(host_systems) == 1 and len(anna.table) == 2)
        anna.create_player(b"\x01\x02")
        boris.enumerate(enum_port)
        boris.join()
        check("the second one meets the first one's player", boris.table.get(anna.player, (0, ""))[1] == "Anna", repr(boris.table))
        check("its session is one of its own with the same key", boris.host != anna.host and boris.key == anna.key)
        boris.create_player()
        check("the first one is told", created(anna.expect(0x08)) == (boris.player, boris.name))
        payload = bytes(range(256)) * 20
        boris.say(anna.player, payload)
        check("a guaranteed payload arrives unchanged", anna.expect_data() == (boris.player, anna.player, payload))
        anna.say(0, b"all of you")
        check("so does one to everybody", boris.expect_data() == (anna.player, 0, b"all of you"))
        anna.say_datagram(boris.player, b"datagram")
        check("and a datagram", boris.expect_datagram() == (anna.player, boris.player, b"datagram"))
        # Split and glued as TCP may do it.
        glued = b"".join(anna.header(29) + struct.pack("<II", anna.player, 0) + bytes([i]) for i in range(3))
        for i in range(0, len(glued), 7):
            anna.send(glued[i:i + 7])
        check("glued messages are told apart", [boris.expect_data()[2] for _ in range(3)] == [b"\0", b"\1", b"\2"])
        anna.leave()
        gone = boris.expect(0x0B)
        check("leaving is announced", struct.unpack("<I", gone[4:8])[0] == anna.player)
    finally:
        anna.close()
        boris.close()


def main():
    out = run("--help")
    check("--help succeeds and shows an example", out.returncode == 0 and "Example" in out.stdout)
    check("--help says what was not verified", "no original client verified" in out.stdout)
    out = run("--version")
    check("--version names dialect and protocol", out.returncode == 0 and "dialect 14" in out.stdout, out.stdout)
    check("a wrong option is exit code 2", run("--nonsense").returncode == 2)
    check("a missing settings file is exit code 2", run("--config", "/no/such/file.toml").returncode == 2)
    check("a synthetic map needs permission", run("--mode", "translate", "--map", str(HERE / "fixtures/synthetic_map.toml"), "--address",
                                                  "127.0.0.1", "--enum-port", "0").returncode == 3)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        ports, status, log = folder / "ports", folder / "status.json", folder / "match.i3dlog"
        common = ["--address", "127.0.0.1", "--enum-port", "0", "--tcp-ports", "0", "--udp-ports", "0"]
        with open(folder / "stderr", "w") as stderr:
            bridge = subprocess.Popen([BRIDGE, *common, "--session-name", "process", "--port-file", str(ports), "--json-status",
                                       str(status), "--record", str(log)], stderr=stderr)
        try:
            check("the ports are reported", wait_for(lambda: ports.exists() and len(ports.read_text().split()) == 3))
            enum_port, _, _ = map(int, ports.read_text().split())
            other = run("--address", "127.0.0.1", "--enum-port", str(enum_port), "--tcp-ports", "0", "--udp-ports", "0")
            check("a taken port is exit code 4 and names its owner", other.returncode == 4 and "dplaysvr" in other.stderr, other.stderr)
            play(enum_port)
            check("the status shows the answer", wait_for(lambda: json.loads(status.read_text())["messages"].get("0x01 ENUMSESSIONSREPLY")))
        finally:
            bridge.send_signal(signal.SIGTERM)
            code = bridge.wait(timeout=20)
        check("SIGTERM ends it in order", code == 0, (folder / "stderr").read_text())
        check("the log is closed", log.stat().st_size > 0)
        check("an existing log is not overwritten", run(*common, "--record", str(log)).returncode == 3)
    sys.exit(1 if FAILED else 0)


BRIDGE = sys.argv[1]
HERE = pathlib.Path(__file__).resolve().parent
main()
