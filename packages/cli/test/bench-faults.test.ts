// `bench` when something ends it early: one line, the right status, no process left, and what was measured can be read.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { childrenOf, hasLoaded, isRunning, mentioning, type ChildProcessSeen } from "./support/child-processes.ts";
import { emptyFolder, start, until, type Outcome, type Running } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { hasRound } from "./support/one-round.ts";
import { refusal } from "./support/outcomes.ts";

/** More rounds than anybody waits for, with every call. */
const endless = ["bench", "hello", "--rounds", "1000", "--out", "run"];

interface Bench extends Running {
  readonly cwd: string;
}

interface Measured {
  /** The floor is measured beside each. */
  readonly stack?: "rest-express" | "floor";
  readonly calls?: number;
}

function startBench({ stack = "rest-express", calls = 200 }: Measured = {}): Bench {
  const cwd = emptyFolder();
  return { ...start([...endless, "--stack", stack, "--calls", String(calls)], { cwd }), cwd };
}

/** A server and a client of the stack; where time is short, the floor is left out. */
const ofRound = 2;

const isServer = ({ commandLine }: ChildProcessSeen): boolean => commandLine.includes("server-process");

/** The processes of a round, as soon as there are so many and one is a server. */
async function processesOf({ pid }: Running, least: number): Promise<readonly ChildProcessSeen[]> {
  return until(() => {
    const seen = childrenOf(pid);
    return seen.length >= least && seen.some(isServer) ? seen : undefined;
  });
}

/** Waits until a first round was written: run.json then contains it. */
async function measuredSomething({ cwd }: Bench): Promise<void> {
  await until(() => (hasRound(join(cwd, "run")) ? true : undefined));
}

async function allGone(processes: readonly ChildProcessSeen[]): Promise<void> {
  await until(() => (processes.some(({ pid }) => isRunning(pid)) ? undefined : true));
}

async function reported(
  cwd: string,
): Promise<{ readonly outcome: Outcome; readonly calls: number; readonly state: string }> {
  const outcome = await run(["report", "run", "--json"], { cwd });
  if (outcome.status !== 0) return { outcome, calls: 0, state: "" };
  const { facts } = JSON.parse(outcome.stdout) as {
    readonly facts: { readonly status: string; readonly blocks: readonly { readonly calls: number }[] };
  };
  return { outcome, calls: facts.blocks.reduce((sum, { calls }) => sum + calls, 0), state: facts.status };
}

function serverAmong(processes: readonly ChildProcessSeen[]): number {
  const server = processes.find(isServer);
  if (server === undefined) throw new Error("there is no server process");
  return server.pid;
}

const stopping = "Stopping; what was measured is kept. Ctrl-C again stops at once.\n";

describe.concurrent("Ctrl-C", () => {
  it.each([0, 150])("before the program has loaded (%d ms) ends it", async (delayMs) => {
    const bench = startBench();
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    bench.signal("SIGINT");
    expect((await bench.ended).status).toBe(130);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGKILL", 137],
  ] as const)("or %s while a contract compiles leaves nothing of it behind", async (signal, status) => {
    const temporary = emptyFolder();
    const cwd = emptyFolder();
    // buf takes seconds for thousands of declarations on one line: it is seen at work on any machine.
    const values = Array.from({ length: 3_000 }, (_, value) => `VALUE_${value} = ${value};`).join(" ");
    writeFileSync(join(cwd, "shop.proto"), `syntax = "proto3"; package shop.v1; enum Many { ${values} }`);
    const describing = start(["describe", "--contract", "."], { cwd, env: { TMPDIR: temporary } });
    const leftovers = (): readonly string[] => readdirSync(temporary).filter((name) => name.startsWith("roundtrip-"));
    const [compiler] = await until(() => (mentioning(temporary).length > 0 ? mentioning(temporary) : undefined));
    expect(compiler?.commandLine).toContain(" build ");
    describing.signal(signal);
    expect((await describing.ended).status).toBe(status);
    await until(() => (mentioning(temporary).length === 0 ? true : undefined));
    // The kernel ends the program, and its guard cleans up.
    await until(() => (leftovers().length === 0 ? true : undefined));
  });

  it("while processes start ends the run at once, with nothing measured", async () => {
    const bench = startBench();
    const processes = await processesOf(bench, 1);
    bench.signal("SIGINT");
    const { status, stdout, stderr } = await bench.ended;
    expect({ status, stdout }).toEqual({ status: 130, stdout: "" });
    expect(stderr.split("into run\n")[1]).toBe(`${stopping}Nothing had been measured yet.\n`);
    await allGone(processes);
    const { outcome } = await reported(bench.cwd);
    expect(refusal(outcome)).toBe("the run in run holds no calls: nothing to report");
  });

  it.each([
    ["SIGINT", "rest-express"],
    ["SIGTERM", "floor"],
  ] as const)("or %s while measuring keeps and reports what was measured (%s)", async (signal, stack) => {
    const bench = startBench({ stack });
    await measuredSomething(bench);
    const processes = childrenOf(bench.pid);
    bench.signal(signal);
    const { status, stdout, stderr } = await bench.ended;
    expect(status).toBe(130);
    expect(stderr.endsWith(stopping)).toBe(true);
    expect(stdout).toContain("! This run was interrupted after");
    expect(existsSync(join(bench.cwd, "run", "report.html"))).toBe(true);
    await allGone(processes);
    const { calls, state } = await reported(bench.cwd);
    expect(state).toBe("interrupted");
    expect(calls).toBeGreaterThan(0);
  });
});

describe.concurrent("a server that is killed", () => {
  it("while it is measured is reported, after a report of what was measured before", async () => {
    const bench = startBench();
    await measuredSomething(bench);
    const processes = await processesOf(bench, ofRound);
    process.kill(serverAmong(processes), "SIGKILL");
    const { status, stdout, stderr } = await bench.ended;
    expect(status).toBe(69);
    expect(stderr).toMatch(
      /into run\nroundtrip: the (rest-express|floor) server process ended by itself \(SIGKILL\)\n$/,
    );
    expect(stdout).toContain("! This run failed after");
    await allGone(processes);
    const { calls, state } = await reported(bench.cwd);
    expect(state).toBe("failed");
    expect(calls).toBeGreaterThan(0);
  });
});

describe.concurrent("the program that is killed itself", () => {
  it("while measuring takes them with it; finished rounds can be read", async () => {
    const bench = startBench({ calls: 1_000 });
    await measuredSomething(bench);
    const processes = await processesOf(bench, ofRound);
    await until(() => (processes.every(({ pid }) => hasLoaded(pid)) ? true : undefined));
    process.kill(bench.pid, "SIGKILL");
    expect((await bench.ended).status).toBe(137);
    await allGone(processes);
    // One round of REST, and where there was time for it of calls in process and of the floor, which makes half as many.
    expect([1_000, 1_500, 2_000, 2_500]).toContain((await reported(bench.cwd)).calls);
  });
});
