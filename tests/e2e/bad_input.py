#!/usr/bin/env python3
"""Wrong input to the real programs: one clear sentence with its chain, the documented exit code, no crash,
nothing half-written. Ends with a count of the cases."""
import argparse
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

DATA, USAGE, ENVIRONMENT, REFUSED, MISMATCH, INCOMPATIBLE = 3, 2, 4, 5, 6, 7


class Cases:
    def __init__(self, bin_folder, root):
        self.bin, self.root = pathlib.Path(bin_folder), pathlib.Path(root)
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="iron3d-bad-"))
        self.failed = self.passed = 0
        self.processes = []

    def expect(self, name, command, code, *words, absent=()):
        """Runs a program that must end with `code` and say all `words` in one line of stderr."""
        try:
            done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=60,
                                  env=dict(os.environ, SDL_VIDEODRIVER="offscreen"))
        except subprocess.TimeoutExpired:
            return self.verdict(False, name, "no end within 60 s")
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        said = [line for line in lines if all(w.lower() in line.lower() for w in words)]
        problems = []
        if done.returncode != code:
            problems.append(f"exit code {done.returncode}, want {code}")
        if not said:
            problems.append(f"no line with {words}")
        for path in absent:
            if pathlib.Path(path).exists():
                problems.append(f"left {path} behind")
        self.verdict(not problems, name, "; ".join(problems) + (" | " + done.stderr[-300:].strip() if problems else ""))

    def verdict(self, ok, name, detail=""):
        self.passed += ok
        self.failed += not ok
        print(f"{'PASS' if ok else 'FAIL'}  {name}{': ' + detail if detail else ''}", flush=True)

    def copy_root(self, name):
        target = self.work / name
        shutil.copytree(self.root, target)
        return target

    def find(self, root, name):
        return next(p for p in root.rglob("*") if p.name.lower() == name)

    # The cases ------------------------------------------------------------------------------

    def server(self, root=None, mission="missions/single.01", *more):
        return [self.bin / "iron3d-server", "--root", root or self.root, "--mission", mission, "--address", "127.0.0.1",
                "--port", "0", "--ticks", "1", *more]

    def missing_root(self):
        missing = self.work / "nowhere"
        self.expect("missing root (server)", self.server(missing), DATA, "nowhere")
        self.expect("missing root (client)", [self.bin / "iron3d-client", "--root", missing, "--offscreen", "--frames", "1"], DATA, "nowhere")
        self.expect("missing root (tool)", [self.bin / "iron3d", "mission", "graph", "--root", missing, "--mission", "x"],
                    DATA, "nowhere")

    def missing_mission(self):
        self.expect("missing mission", self.server(None, "missions/single.77"), DATA, "single.77")

    def outside_root(self):
        for key in ("../../etc/passwd", "/etc/passwd", "missions/../../x", "c:\\windows\\x"):
            self.expect(f"mission key outside the root: {key}", self.server(None, key), DATA, key.split("/")[-1].split("\\")[-1])

    def truncated_archive(self):
        root = self.copy_root("truncated")
        archive = self.find(root, "objects.rlb")
        archive.write_bytes(archive.read_bytes()[:-7])
        self.expect("truncated archive", self.server(root), DATA, "objects.rlb", "[nres_size_mismatch]")

    def cyclic_prototype(self):
        root = self.copy_root("cyclic")
        archive = self.find(root, "objects.rlb")
        data = bytearray(archive.read_bytes())
        count, total = struct.unpack_from("<iI", data, 8)
        changed = False
        used = self.used_keys(root)
        for i in range(count):
            record = total - 64 * count + 64 * i
            name = bytes(data[record + 20:record + 56]).split(b"\0")[0]
            size, offset = struct.unpack_from("<I", data, record + 12)[0], struct.unpack_from("<I", data, record + 56)[0]
            if size >= 64 and name.lower() in used:
                data[offset:offset + 64] = b"objects.rlb".ljust(32, b"\0") + name.ljust(32, b"\0")
                changed = True
        archive.write_bytes(data)
        if not changed:
            return self.verdict(False, "cyclic prototype", "no used prototype found to damage")
        self.expect("cyclic prototype", self.server(root), DATA, "inheritance_cycle", "objects.rlb")

    def used_keys(self, root):
        keys = set()
        for scheme in root.rglob("*"):
            if scheme.suffix.lower() == ".dat" and scheme.is_file():
                raw = scheme.read_bytes()
                for at in range(8, len(raw) - 111, 112):
                    keys.add(raw[at + 32:at + 64].split(b"\0")[0].lower())
        return keys

    def unknown_key(self):
        root = self.copy_root("unknown")
        for scheme in root.rglob("*"):
            if scheme.suffix.lower() == ".dat" and scheme.is_file():
                raw = bytearray(scheme.read_bytes())
                if len(raw) >= 120:
                    raw[8 + 32:8 + 64] = b"no_such_key".ljust(32, b"\0")
                    scheme.write_bytes(raw)
        self.expect("unit DAT naming an unknown key", self.server(root), DATA, "no_such_key", "missing_component")

    def port_in_use(self):
        holder = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        holder.bind(("127.0.0.1", 0))
        port = holder.getsockname()[1]
        command = [str(c) for c in self.server()]
        command[command.index("--port") + 1] = str(port)
        self.expect("port in use", command, ENVIRONMENT, str(port), "in use")
        holder.close()

    def wrong_usage(self):
        self.expect("unknown option", [self.bin / "iron3d-server", "--no-such-option"], USAGE, "no-such-option")

    def content_failure_leaves_nothing(self):
        blocked = self.work / "file"
        blocked.write_text("not a folder")
        self.expect("content into a file", [self.bin / "iron3d", "content", "build", "--out", blocked / "x"], ENVIRONMENT,
                    "file", absent=[blocked / "x"])

    def start_server(self, root, log):
        port_file = self.work / f"port{len(self.processes)}"
        process = subprocess.Popen([str(c) for c in (
            self.bin / "iron3d-server", "--root", root, "--mission", "missions/single.01", "--address", "127.0.0.1", "--port", "0", "--wait-players", "0",
            "--port-file", port_file, "--record", log)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.processes.append(process)
        deadline = time.monotonic() + 30
        while not (port_file.exists() and port_file.read_text().strip()) and time.monotonic() < deadline:
            time.sleep(0.05)
        return process, port_file.read_text().strip()

    def other_content(self):
        process, port = self.start_server(self.root, self.work / "a.log")
        root = self.copy_root("other")
        scheme = self.find(root, "builddat.lst")
        scheme.write_bytes(b"// changed\r\n" + scheme.read_bytes())
        self.expect("client with other content", [self.bin / "iron3d-client", "--root", root, "--connect", f"127.0.0.1:{port}",
                                                  "--offscreen", "--after-ticks", "5"], REFUSED, "builddat.lst")
        process.terminate()
        process.wait(timeout=30)

    def server_gone(self):
        probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        self.expect("no server there", [self.bin / "iron3d-client", "--root", self.root, "--connect", f"127.0.0.1:{port}", "--offscreen",
                                        "--after-ticks", "5"], ENVIRONMENT, str(port))

    def logs(self):
        log = self.work / "match.log"
        process, _ = self.start_server(self.root, log)
        time.sleep(1.0)  # some ticks; the number does not matter
        process.terminate()
        process.wait(timeout=30)
        verify = [self.bin / "iron3d", "replay", "verify", log, "--root", self.root]
        done = subprocess.run([str(c) for c in verify], capture_output=True, text=True, timeout=60)
        self.verdict(done.returncode == 0, "the untouched log verifies", done.stderr[-200:])
        garbage = self.work / "garbage.log"
        garbage.write_bytes(b"not a log at all")
        self.expect("garbage log", [self.bin / "iron3d", "replay", "verify", garbage, "--root", self.root], DATA, "garbage.log")
        self.expect("log on other content", [self.bin / "iron3d", "replay", "verify", log, "--root", self.work / "other"], DATA,
                    "builddat.lst")

    def all(self):
        try:
            for case in (self.missing_root, self.missing_mission, self.outside_root, self.truncated_archive, self.cyclic_prototype,
                         self.unknown_key, self.port_in_use, self.wrong_usage, self.content_failure_leaves_nothing,
                         self.other_content, self.server_gone, self.logs):
                try:
                    case()
                except Exception as error:  # a broken case must not hide the others
                    self.verdict(False, case.__name__, f"{type(error).__name__}: {error}")
        finally:
            for process in self.processes:
                if process.poll() is None:
                    process.kill()
                    process.wait()
            shutil.rmtree(self.work, ignore_errors=True)
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--root", required=True)
    arguments = parser.parse_args()
    sys.exit(Cases(arguments.bin, arguments.root).all())
