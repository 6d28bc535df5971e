#!/usr/bin/env python3
"""`iron3d capture` and `iron3d netzip` on the command line."""
import json
import pathlib
import subprocess
import sys
import tempfile

FAILED = []


def check(name, condition, detail=""):
    print(f"{'PASS' if condition else 'FAIL'}  {name} {detail if not condition else ''}")
    if not condition:
        FAILED.append(name)


def run(*arguments):
    return subprocess.run([IRON3D, *map(str, arguments)], capture_output=True, text=True, timeout=60)


def main():
    session = FIXTURES / "session.pcap"
    out = run("capture", "list", session)
    check("list shows the session and its players", out.returncode == 0 and "session 1 'Iron test'" in out.stdout and "'Third'" in out.stdout)
    data = json.loads(run("capture", "json", session).stdout)
    check("json has every message", len(data["records"]) == 28 and data["sessions"][0]["name"] == "Iron test")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        out = run("capture", "to-log", session, "--out", folder / "a.i3dlog", "--json")
        counts = json.loads(out.stdout)
        check("to-log counts what is opaque", out.returncode == 0 and counts["opaque"] == 2 and counts["left_out"] == 0, out.stdout)
        check("to-log never overwrites", run("capture", "to-log", session, "--out", folder / "a.i3dlog").returncode == 3)
        out = run("capture", "anonymise", session, "--out", folder / "clean.pcap", "--json")
        check("anonymise writes a capture", out.returncode == 0 and json.loads(out.stdout)["addresses"] == 3, out.stdout + out.stderr)
        clean = (folder / "clean.pcap").read_bytes()
        check("no original name is left", "Third".encode("utf-16le") not in clean and "Iron test".encode("utf-16le") not in clean)
        check("the clean capture has the same messages", len(json.loads(run("capture", "json", folder / "clean.pcap").stdout)["records"]) == 28)
        out = run("capture", "identify", session)
        check("two payloads prove nothing", out.returncode == 6 and "unknown" in out.stdout, out.stdout + out.stderr)
        check("a file that is no capture is exit code 3", run("capture", "list", FIXTURES / "README.md").returncode == 3)

        pairs = folder / "pairs"
        pairs.mkdir()
        for i in range(8):
            plain = folder / "plain.bin"
            plain.write_bytes(bytes([3, 0, 0, 0x80]) + f"Missions\\Single.{i:02}\\data.tma".encode() * (i + 1))
            name = f"s{i // 6}.to_host.tcp.{i}"
            packed = run("netzip", "pack", plain, "--pipeline", "h4:0.4=plain/lzss-4096-20-fee", "--out", pairs / f"{name}.packed")
            check(f"pack {i}", packed.returncode == 0, packed.stderr)
            (pairs / f"{name}.plain").write_bytes(plain.read_bytes())
        back = run("netzip", "unpack", pairs / "s0.to_host.tcp.2.packed", "--pipeline", "h4:0.4=plain/lzss-4096-20-fee", "--out", folder / "back")
        check("unpack undoes pack", back.returncode == 0 and (folder / "back").read_bytes() == (pairs / "s0.to_host.tcp.2.plain").read_bytes())
        out = run("netzip", "identify", pairs, "--out", folder / "found.toml", "--name", "found", "--json")
        report = json.loads(out.stdout)
        check("identify finds the packing", out.returncode == 0 and report["ranking"][0]["pipeline"] == "h4:0.4=plain/lzss-4096-20-fee",
              out.stdout[:500])
        check("a few pairs are a hypothesis", report["status"] == "hypothesis")
        check("the profile names the pipeline", "h4:0.4=plain/lzss-4096-20-fee" in (folder / "found.toml").read_text())
        check("list names the families", "lzhuf" in run("netzip", "list").stdout)
    sys.exit(1 if FAILED else 0)


IRON3D, FIXTURES = sys.argv[1], pathlib.Path(sys.argv[2])
main()
