#!/usr/bin/env python3
"""Runs the benchmark programs and the cold start of the server, prints one table, writes bench.json."""
import json
import pathlib
import statistics
import subprocess
import sys
import time


def cold_starts(build, runs=9):
    """Milliseconds from process start of the server to the end of its first tick."""
    command = [str(build / "bin/iron3d-server"), "--root", str(build / "content"), "--mission", "missions/single.02",
               "--address", "127.0.0.1", "--port", "0", "--ticks", "1", "--wait-players", "0", "--quiet"]
    times = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append((time.perf_counter() - start) * 1000)
    return times[1:]  # the first run warms the page cache


def main():
    build = pathlib.Path(sys.argv[1])
    rows = []
    times = cold_starts(build)
    rows.append({"name": "cold start of the server to tick 1 (4-player mission)", "unit": "ms",
                 "value": statistics.median(times), "low": min(times), "high": max(times)})
    for program in sorted((build / "tests").glob("bench_*")):
        if program.suffix:
            continue
        out = build / (program.name + ".json")
        subprocess.run([str(program), f"--benchmark_out={out}", "--benchmark_out_format=json",
                        "--benchmark_repetitions=3", "--benchmark_min_time=0.2", "--benchmark_report_aggregates_only=true"],
                       check=True, stdout=subprocess.DEVNULL)
        for entry in json.loads(out.read_text())["benchmarks"]:
            if entry.get("aggregate_name") != "median":
                continue
            known = {"name", "run_name", "run_type", "repetitions", "threads", "aggregate_name", "aggregate_unit",
                     "family_index", "per_family_instance_index", "iterations", "real_time", "cpu_time", "time_unit"}
            rows.append({"name": entry["run_name"], "unit": entry["time_unit"], "value": entry["real_time"],
                         "counters": {k: v for k, v in entry.items() if k not in known}})
    (build / "bench.json").write_text(json.dumps({"rows": rows}, indent=1))
    width = max(len(r["name"]) for r in rows)
    for row in rows:
        extra = "".join(f"  {k}={v:.4g}" for k, v in row.get("counters", {}).items())
        if "low" in row:
            extra = f"  ({row['low']:.1f} .. {row['high']:.1f})"
        print(f"{row['name']:<{width}}  {row['value']:>10.2f} {row['unit']}{extra}")
    print(f"written: {build / 'bench.json'}")


if __name__ == "__main__":
    main()
