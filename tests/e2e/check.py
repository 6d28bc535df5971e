#!/usr/bin/env python3
"""Hosts a match, joins twice, moves units, takes a picture and replays the log.

One PASS/FAIL line per step; exit code 0 only when every step passed. Every wait has a deadline,
every process is started and ended here.
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib

STEPS = ["content built", "mission loaded", "two clients joined", "units moved",
         "screenshot not empty", "log replayed to the same hash"]


class StepFailed(Exception):
    pass


class Check:
    def __init__(self, args):
        self.bin = pathlib.Path(args.bin)
        self.root = pathlib.Path(args.root)
        self.mission = args.mission
        self.out = pathlib.Path(args.out)
        self.deadline = time.monotonic() + args.seconds
        self.processes = []
        self.failed = 0
        self.done = 0

    def report(self, ok, step, detail):
        self.done += 1
        self.failed += not ok
        print(f"{'PASS' if ok else 'FAIL'}  {step}{': ' + detail if detail else ''}", flush=True)

    def step(self, name, action):
        try:
            self.report(True, name, action())
            return True
        except StepFailed as error:
            self.report(False, name, str(error))
        except subprocess.TimeoutExpired as error:
            self.report(False, name, f"no end within {error.timeout:.0f} s: {error.cmd}")
        except (OSError, ValueError, KeyError) as error:
            self.report(False, name, f"{type(error).__name__}: {error}")
        return False

    def left(self):
        return max(1.0, self.deadline - time.monotonic())

    def run(self, *command):
        result = subprocess.run([str(c) for c in command], capture_output=True, text=True,
                                timeout=self.left())
        if result.returncode != 0:
            raise StepFailed(f"{command[0]} ended with {result.returncode}: "
                             f"{(result.stderr or result.stdout).strip()[-400:]}")
        return result.stdout

    def start(self, *command, **options):
        process = subprocess.Popen([str(c) for c in command], **options)
        self.processes.append(process)
        return process

    # The steps -----------------------------------------------------------------------------

    def content(self):
        if not (self.root / "objects.rlb").exists():
            names = {p.name.lower() for p in self.root.iterdir()} if self.root.is_dir() else set()
            if "objects.rlb" not in names:
                raise StepFailed(f"no objects.rlb in {self.root}")
        files = [p for p in self.root.rglob("*") if p.is_file()]
        return f"{len(files)} files, {sum(p.stat().st_size for p in files)} bytes"

    def load(self):
        graph = json.loads(self.run(self.bin / "iron3d", "mission", "graph", "--root", self.root,
                                    "--mission", self.mission, "--json"))
        totals = graph["totals"]
        failures = totals.get("failures", len(graph.get("failures", [])))
        if failures:
            raise StepFailed(f"{failures} broken dependencies")
        return f"{self.mission}, {totals['objects']} objects, no broken dependency"

    def join(self):
        self.out.mkdir(parents=True, exist_ok=True)
        self.log = self.out / "check.i3dlog"
        self.picture = self.out / "screenshot.png"
        for old in (self.log, self.picture):
            old.unlink(missing_ok=True)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="iron3d-check-"))
        port_file = self.folder / "port"
        self.server = self.start(
            self.bin / "iron3d-server", "--root", self.root, "--mission", self.mission,
            "--address", "127.0.0.1", "--port", "0", "--port-file", port_file, "--record", self.log, "--record-objects",
            "--wait-players", "2", stdout=open(self.folder / "server.log", "wb"),
            stderr=subprocess.STDOUT)
        while not (port_file.exists() and port_file.read_text().strip()):
            if self.server.poll() is not None:
                raise StepFailed("the server ended: " +
                                 (self.folder / "server.log").read_text()[-400:].strip())
            if time.monotonic() > self.deadline:
                raise StepFailed("the server did not report its port")
            time.sleep(0.05)
        target = "127.0.0.1:" + port_file.read_text().strip()
        environment = dict(os.environ, SDL_VIDEODRIVER="offscreen", ALSOFT_DRIVERS="null")
        self.clients = []
        for index, name in enumerate(("first", "second")):
            command = [self.bin / "iron3d-client", "--root", self.root, "--connect", target,
                       "--name", name, "--offscreen", "--auto-move", "--after-ticks", "250"]
            if index == 0:
                command += ["--width", "1280", "--height", "720", "--screenshot", self.picture]
            else:
                command += ["--width", "320", "--height", "240"]
            self.clients.append(self.start(
                *command, env=environment, stdout=open(self.folder / f"{name}.json", "wb"),
                stderr=open(self.folder / f"{name}.err", "wb")))
        self.events = {}
        for name, client in zip(("first", "second"), self.clients):
            code = client.wait(timeout=self.left())
            lines = (self.folder / f"{name}.json").read_text().splitlines()
            self.events[name] = [json.loads(line) for line in lines if line.startswith("{")]
            if code != 0:
                raise StepFailed(f"client '{name}' ended with {code}: " +
                                 (self.folder / f"{name}.err").read_text()[-400:].strip())
        joined = {name: [e for e in events if e.get("event") == "joined"]
                  for name, events in self.events.items()}
        if not all(joined.values()):
            raise StepFailed(f"joined: {sorted(n for n, e in joined.items() if e)}")
        players = {events[0]["player"] for events in joined.values()}
        if len(players) != 2:
            raise StepFailed(f"both clients got the same player number {players}")
        return f"player numbers {sorted(players)}"

    def moved(self):
        text = []
        for name, events in self.events.items():
            moves = [e for e in events if e.get("event") == "units_moved"]
            if not moves:
                raise StepFailed(f"client '{name}' saw no unit move")
            distance = max(m["distance"] for m in moves)
            if distance < 2.0:
                raise StepFailed(f"client '{name}': the farthest unit moved {distance:.2f} wu")
            text.append(f"{name} {distance:.1f} wu")
        return ", ".join(text)

    def screenshot(self):
        width, height, rows = read_png(self.picture)
        colours = {rows[y][x * 3:x * 3 + 3] for y in range(0, height, 4) for x in range(0, width, 4)}
        if len(colours) < 200:
            raise StepFailed(f"only {len(colours)} colours in {self.picture}")
        return f"{width}x{height}, {len(colours)} colours in the sample, {self.picture}"

    def replay(self):
        self.server.send_signal(signal.SIGTERM)
        code = self.server.wait(timeout=self.left())
        if code != 0:
            raise StepFailed(f"the server ended with {code}")
        report = json.loads(self.run(self.bin / "iron3d", "replay", "verify", self.log, "--root",
                                     self.root, "--json"))
        if not report.get("verified"):
            raise StepFailed(json.dumps(report)[:400])
        return f"{report['ticks']} ticks, {report['final_hash'][:16]}..."

    def all(self):
        try:
            actions = [self.content, self.load, self.join, self.moved, self.screenshot, self.replay]
            for name, action in zip(STEPS, actions):
                if not self.step(name, action):
                    break
            for name in STEPS[self.done:]:
                self.report(False, name, "not reached")
        finally:
            for process in self.processes:
                if process.poll() is None:
                    process.kill()
                    process.wait()
            if hasattr(self, "folder"):
                shutil.rmtree(self.folder, ignore_errors=True)
        return 0 if self.failed == 0 else 1


def read_png(path):
    """Rows of RGB bytes of an 8-bit RGB or RGBA PNG (all our screenshots are)."""
    data = pathlib.Path(path).read_bytes()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise StepFailed(f"{path} is not a PNG")
    position, idat, width, height, channels = 8, b"", 0, 0, 0
    while position < len(data):
        length = int.from_bytes(data[position:position + 4], "big")
        kind, body = data[position + 4:position + 8], data[position + 8:position + 8 + length]
        if kind == b"IHDR":
            width, height = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big")
            channels = {2: 3, 6: 4}[body[9]]
        elif kind == b"IDAT":
            idat += body
        position += 12 + length
    raw, stride = zlib.decompress(idat), width * channels
    previous, rows = bytearray(stride), []
    for y in range(height):
        start = y * (stride + 1)
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        if kind in (1, 2, 3, 4):
            for i in range(stride):
                a = row[i - channels] if i >= channels else 0
                b, c = previous[i], previous[i - channels] if i >= channels else 0
                if kind == 1:
                    add = a
                elif kind == 2:
                    add = b
                elif kind == 3:
                    add = (a + b) // 2
                else:
                    p = a + b - c
                    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                    add = a if pa <= pb and pa <= pc else b if pb <= pc else c
                row[i] = (row[i] + add) & 255
        previous = row
        if channels == 4:
            row = bytearray(v for i, v in enumerate(row) if i % 4 != 3)
        rows.append(bytes(row))
    return width, height, rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--mission", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, default=110.0, help="time limit of the whole check")
    sys.exit(Check(parser.parse_args()).all())


if __name__ == "__main__":
    main()
