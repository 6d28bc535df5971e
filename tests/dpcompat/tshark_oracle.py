#!/usr/bin/env python3
"""TShark as an independent reader of the packets this project makes (label "oracle").

usage: tshark_oracle.py PATH_OF_dplay_oracle_packets FOLDER_OF_FIXTURES
Exit code 77 = skipped, because tshark is not installed.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
# Kinds TShark marks malformed although they are right: messages without a body (directplay.md 18.1).
FIELDS = ("dplay.size dplay.token dplay.saddr.port dplay.command dplay.dialect.version dplay.type02.flags "
          "dplay.type_05.flags dplay.type_07.dpid dplay.multi.player_id dplay.multi.group_id "
          "dplay.type_0f.player_id dplay.type_0f.player_data dplay.type_13.player_id dplay.type_13.tick_count "
          "dplay.pp.id dplay.pp.short_name dplay.type_29.player_count dplay.spp.id dplay.spp.pim "
          "dplay.spp.short_name dplay.sess_desc.curr_players dplay.ping.id_from dplay.ping.tick_count "
          "dplay.type_15.packet_idx dplay.player_msg").split()
READ_BODIES = {0x01, 0x02, 0x05, 0x07, 0x08, 0x0B, 0x0D, 0x0F, 0x13, 0x15, 0x16, 0x17, 0x1A, 0x29, 0x2E, 0x2F}


def read(tshark, capture):
    """The rows TShark sees. On 127.0.0.1 another heuristic would claim the packets, so it is switched off."""
    command = [tshark, "-n", "-r", str(capture), "--disable-heuristic", "lbmsrs_tcp", "-Y", "dplay", "-T", "fields",
               "-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=,"]
    for field in FIELDS:
        command += ["-e", field]
    env = dict(os.environ, LC_ALL="C.UTF-8")
    out = subprocess.run(command, check=True, capture_output=True, env=env, timeout=300)
    return [line.split("\t") for line in out.stdout.decode("utf-8").splitlines()]


def compare(name, expected, seen):
    wrong = 0
    if len(expected) != len(seen):
        print(f"FAIL  {name}: {len(expected)} messages were written, TShark sees {len(seen)}")
        wrong += 1
    for number, (want, got) in enumerate(zip(expected, seen), 1):
        command = int(want[3], 16) if want[3] else None
        columns = range(len(FIELDS)) if command is None or command in READ_BODIES else range(5)
        for column in columns:
            if want[column] != got[column]:
                print(f"FAIL  {name}: message {number} (command {want[3]}): {FIELDS[column]} is {got[column]!r}, expected {want[column]!r}")
                wrong += 1
    print(f"{'FAIL' if wrong else 'PASS'}  {name}: {len(seen)} messages, {len(FIELDS)} fields each")
    return wrong


def main():
    tshark = shutil.which("tshark")
    if tshark is None:
        print("=" * 78)
        print("SKIPPED: tshark is not installed, so no independent reader has looked at our packets.")
        print("Install the package `tshark` and run `ctest -L oracle` again.")
        print("=" * 78)
        sys.exit(SKIPPED)
    program, fixtures = sys.argv[1], pathlib.Path(sys.argv[2])
    wrong = 0
    # First the worked session, to see that this TShark reads as the one of the reference.
    table = (fixtures / "session.fields.tsv").read_text(encoding="utf-8").splitlines()
    wrong += compare("worked session", [line.split("\t")[1:] for line in table[1:]], read(tshark, fixtures / "session.pcap"))
    with tempfile.TemporaryDirectory() as folder:
        capture, expected = pathlib.Path(folder) / "ours.pcap", pathlib.Path(folder) / "ours.tsv"
        subprocess.run([program, str(capture), str(expected)], check=True)
        rows = [line.split("\t") for line in expected.read_text(encoding="utf-8").splitlines()]
        wrong += compare("our packets", rows, read(tshark, capture))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
