// `bench` over networks of its own: what a user sees of them, and that nothing is left of them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { isRunning, bookOf } from "./support/child-processes.ts";
import { emptyFolder, run as runAlone, start, until } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

const kernelLink = await needing("kernel-link");
const linux = await needing("linux");

const short = ["bench", "hello", "--stack", "rest-express", "--rounds", "1", "--calls", "10", "--out", "run"];

/** All processes that a program has started, and those have. */
function descendantsOf(pid: number): readonly number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const children = tasks.flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
    return children.flatMap((child) => [child, ...descendantsOf(child)]);
  } catch {
    return [];
  }
}

describe("bench over the kernel link", kernelLink, () => {
  it("says which network was taken, why no better one, and how far it was measured to be", async () => {
    const cwd = emptyFolder();
    const outcome = await run([...short, "--link", "rtt=5"], { cwd });
    expect(outcome.status).toBe(0);
    const report = readFileSync(join(cwd, "run", "report.md"), "utf8").replaceAll(/\s+/g, " ");
    const said = /kernel \((?:netem|rattan)\), measured round trip (\d+(?:\.\d+)?) ms/.exec(report);
    // A busy machine adds to it.
    expect(Number(said?.[1])).toBeGreaterThan(4.5);
    expect(report).toContain(
      "--link auto takes kernel: not loopback (no distance can be set on the machine's own network)",
    );
  });

  it.each([
    ["SIGINT", "a link is looked at", "echo-process"],
    ["SIGINT", "it measures", "client-process"],
    ["SIGKILL", "it measures", "client-process"],
  ] as const)("leaves nothing behind after %s while %s", async (signal, _when, file) => {
    const bench = start([...short, "--link", "rtt=5", "--rounds", "1000"]);
    const processes = await until(() => {
      const seen = descendantsOf(bench.pid);
      return seen.some((pid) => bookOf(pid, "cmdline").includes(file)) ? seen : undefined;
    });
    bench.signal(signal);
    const { status } = await bench.ended;
    expect(status).toBe(signal === "SIGINT" ? 130 : 137);
    await until(() => (processes.some((pid) => isRunning(pid)) ? undefined : true));
  });
});

it("bench over a relay says in its report what the distance is not", async () => {
  const cwd = emptyFolder();
  // So far that what a busy machine adds to a round trip is within the tolerance of the relay's own check.
  const outcome = await run([...short, "--calls", "2", "--link", "relay,rtt=500"], { cwd });
  expect(outcome.status).toBe(0);
  expect(outcome.stdout.replaceAll(/\s+/g, " ")).toContain("the distance is that of a relay");
  for (const name of ["report.md", "report.html"]) {
    expect(readFileSync(join(cwd, "run", name), "utf8").replaceAll(/\s+/g, " ")).toContain(
      "the distance is that of a relay",
    );
  }
});

it("a machine without what the kernel link is made of is refused in one line, with how to get it", linux, async () => {
  const outcome = await runAlone([...short, "--link", "kernel,rtt=5"], { env: { PATH: "/nonexistent" } });
  expect(outcome.status).toBe(69);
  // Programs for administrators are found where no path leads, where there are any.
  expect(outcome.stderr.trim().split("\n").at(-1)).toMatch(
    /^roundtrip: the kernel link cannot be used: there is no (ip and no tc and no )?unshare and no nsenter \(apt-get install iproute2 util-linux perl\)$/,
  );
});
