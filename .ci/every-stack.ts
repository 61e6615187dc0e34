// Runs on all stacks what the tests run on default stacks: all conformance cases in plain text on every other one; over TLS on the default ones and on
// one of each other library; and the tests of their style, and those of every stack, on the fewest that have every server and every client.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { allStacks, coveringStacks, libraryStacks } from "../packages/stacks/src/index.ts";
import { availableParallelism } from "node:os";

// Which stacks one process tests, and how many processes run at once.

/** A process computes most of its time, because it runs cases that wait beside others. One more than there are processors covers its first and last moments. */
const processesAtOnce = availableParallelism() + 1;

/** Twice as many shares as run at once: the last ones to end differ little. */
function conformanceShares(names: readonly string[]): readonly (readonly string[])[] {
  const shares = 2 * processesAtOnce;
  return Array.from({ length: shares }, (_, share) => names.filter((_name, index) => index % shares === share)).filter(
    ({ length }) => length > 0,
  );
}

interface Job {
  readonly name: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const stacks = allStacks().filter(({ isDefault }) => !isDefault);

const names = stacks.map(({ name }) => name);

function conformance(of: readonly string[], flags: readonly string[]): readonly Job[] {
  return conformanceShares(of).map((share) => ({
    name: ["conformance", ...flags, "of", share.join(", ")].join(" "),
    args: ["packages/cli/bin/roundtrip.js", "conform", ...share, "--quiet", ...flags],
    environment: {},
  }));
}

const testFiles = globSync("packages/stacks/test/*.test.ts").toSorted();

/** `json-rpc` as `jsonRpcStack`. */
function variableOf(style: string): string {
  return `${style.replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())}Stack`;
}

/** Whether a test runs on every server and client, with `ROUNDTRIP_STACKS=all`. */
const coversAll = (file: string): boolean =>
  /\b(?:stacksUnderTest|endsUnderTest|coversAll)\b/.test(readFileSync(file, "utf8"));

/** The tests that run on the stack in `REST_STACK`, `JSON_RPC_STACK` and so on, and do not run on every stack anyway. */
function testsOf(style: string): readonly string[] {
  return testFiles.filter((file) => {
    const text = readFileSync(file, "utf8");
    return text.includes(variableOf(style)) && !text.includes("stacksUnderTest()");
  });
}

function testJob(name: string, files: Iterable<string>, environment: Readonly<Record<string, string>>): Job {
  return {
    name,
    // Other steps of CI take the processors too.
    args: [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--reporter=minimal",
      "--maxWorkers=2",
      "--testTimeout=300000",
      ...files,
    ],
    environment,
  };
}

const others = Map.groupBy(
  coveringStacks().filter(({ style, isDefault }) => !isDefault && testsOf(style).length > 0),
  ({ style }) => style,
);

/** Each run has one stack of every style that has another one left: many files test several styles. */
const testJobs: readonly Job[] = Array.from(
  { length: Math.max(...[...others.values()].map(({ length }) => length)) },
  (_, round) => {
    const stacksOfRun = [...others.values()].flatMap((ofStyle) => ofStyle.slice(round, round + 1));
    return testJob(
      `tests on ${stacksOfRun.map(({ name }) => name).join(", ")}`,
      new Set(stacksOfRun.flatMap(({ style }) => testsOf(style))),
      Object.fromEntries(
        stacksOfRun.map(({ style, name }) => [`${style.toUpperCase().replaceAll("-", "_")}_STACK`, name]),
      ),
    );
  },
);

/** Printed last, where a long log is read. */
const failures: string[] = [];

async function run({ name, args, environment }: Job): Promise<void> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment },
  });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => printed.push(bytes));
  const [status] = (await once(child, "close")) as [number | null];
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const report = `${Buffer.concat(printed).toString()}${status === 0 ? "ok" : "FAILED"}: ${name}, ${seconds} s`;
  if (status === 0) console.log(report);
  else failures.push(report);
}

/** Runs jobs in their order, as many at once as processes should run. */
async function inProcesses(jobs: readonly Job[]): Promise<void> {
  const waiting = jobs.values();
  const work = async (): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop -- the other workers' jobs run meanwhile
    for (const job of waiting) await run(job);
  };
  await Promise.all(Array.from({ length: processesAtOnce }, work));
}

const overTls = (await libraryStacks()).map(({ name }) => name);
const everyStack = testJob("tests of every stack", testFiles.filter(coversAll), { ROUNDTRIP_STACKS: "all" });

// Tests take longest.
await inProcesses([everyStack, ...testJobs, ...conformance(names, []), ...conformance(overTls, ["--tls"])]);
for (const report of failures) console.log(report);
if (failures.length > 0) process.exitCode = 1;
