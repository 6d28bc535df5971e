#!/usr/bin/env python3
"""iron3d-bridge as a process: help, version, exit codes, a session found with the worked request, an orderly end."""
import json
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

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


def enumeration(port):
    """The worked request of directplay.md 14.1 with our listening port in its header."""
    guid = bytes.fromhex("011f1d3c70a8d111840000002 1b14415".replace(" ", ""))
    return (struct.pack("<I", 52 | 0xFAB << 20) + struct.pack("<H", 2) + struct.pack(">H", port) + bytes(12) + b"play" +
            struct.pack("<HH", 2, 14) + guid + struct.pack("<II", 0, 1))


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
            enum_port, tcp_port, _ = map(int, ports.read_text().split())
            other = run("--address", "127.0.0.1", "--enum-port", str(enum_port), "--tcp-ports", "0", "--udp-ports", "0")
            check("a taken port is exit code 4 and names its owner", other.returncode == 4 and "dplaysvr" in other.stderr, other.stderr)
            with socket.socket() as listener, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
                listener.bind(("127.0.0.1", 0))
                listener.listen()
                listener.settimeout(20)
                udp.sendto(enumeration(listener.getsockname()[1]), ("127.0.0.1", enum_port))
                with listener.accept()[0] as answer:
                    answer.settimeout(20)
                    data = b""
                    while len(data) < 4 or len(data) < struct.unpack("<I", data[:4])[0] & 0xFFFFF:
                        data += answer.recv(4096)
            check("the answer is an enumeration reply from the session's port",
                  data[20:26] == b"play\x01\x00" and struct.unpack(">H", data[6:8])[0] == tcp_port)
            check("it carries the session name", "process".encode("utf-16le") in data)
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
