// `pnpm contracts`: takes public contracts that nobody here wrote through the commands.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { exitStatus, jsonOption, namesArgument, printJson, programNamed, run } from "../../bench/program.ts";
import { atExit } from "../../packages/runner/src/lifetime/ends-with-us.ts";
import { codeCacheEnvironment } from "../../packages/runner/src/processes/child.ts";
import type { ContractOutcome, MissingContract } from "./check-contract.ts";
import { publicContracts } from "./public-contracts.ts";

/** Without a network or a registry's client there are fewer, and nothing is known of the others. */
const leastContracts = 20;
/** Larger machines finish sooner, and need memory for each. */
const mostAtOnce = 4;

const commands = ["describe", "types", "fake", "conform", "export k6"] as const;

interface Options {
  readonly json?: true;
}

async function outcomeOf(name: string): Promise<ContractOutcome | MissingContract> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "check-contract.ts"), name], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...codeCacheEnvironment() },
  });
  const running = atExit(() => child.kill("SIGTERM"));
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (bytes: Buffer) => out.push(bytes));
  child.stderr.on("data", (bytes: Buffer) => err.push(bytes));
  const [status] = (await once(child, "close")) as [number | null];
  running[Symbol.dispose]();
  try {
    return JSON.parse(Buffer.concat(out).toString()) as ContractOutcome | MissingContract;
  } catch {
    const text = Buffer.concat(err).toString().trim().slice(-600);
    const findings = [{ id: `the check ended with ${status}`, text }];
    return { name, operations: 0, commands: {}, ready: undefined, findings };
  }
}

/** Figures of this machine. */
function sayReady({ name, ready }: ContractOutcome, say: (line: string) => void): void {
  if (ready === undefined) return;
  const { seconds, cpuS, memoryMB } = ready;
  const cost = `${cpuS?.toFixed(1) ?? "unknown"} s of processor time, ${memoryMB?.toFixed(0) ?? "unknown"} MB`;
  say(`${name}: fake ready after ${seconds.toFixed(1)} s (${cost})`);
}

/** `firestore: 20 operations, describe ok, types ok, fake ok, conform 61 pass, 0 fail, export k6 ok`. */
function outcomeLine({ name, operations, commands: done }: ContractOutcome): string {
  const figures = commands.map((command) => `${command} ${done[command]?.figure ?? "–"}`);
  return `${name}: ${operations} operations, ${figures.join(", ")}`;
}

async function runAll(given: readonly string[], { json }: Options): Promise<void> {
  const say = (line: string): void => void (json === true ? process.stderr : process.stdout).write(`${line}\n`);
  const names = given.length > 0 ? given : publicContracts.map(({ name }) => name);
  const found = new Map<string, ContractOutcome>();
  // The longest first, so that no processor waits for them in the end.
  const waiting = names.toReversed();
  const missing: string[] = [];
  let isAllFine = true;
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      // oxlint-disable-next-line no-await-in-loop -- a few at once
      const outcome = await outcomeOf(name);
      if ("missing" in outcome) {
        missing.push(name);
        say(`note: ${name} is left out, because its packages cannot be had: ${outcome.missing}`);
      } else {
        found.set(name, outcome);
        sayReady(outcome, say);
        for (const { id, text } of outcome.findings) say(`${name}: FAILED    ${id}: ${text}`);
        isAllFine = isAllFine && outcome.findings.length === 0;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, availableParallelism()) }, work));
  const outcomes = names.flatMap((name) => found.get(name) ?? []);
  if (json === true) printJson({ contracts: outcomes });
  else for (const outcome of outcomes) say(outcomeLine(outcome));
  const areEnough = outcomes.length >= Math.min(leastContracts, names.length);
  if (!areEnough) {
    say(`FAILED: only ${outcomes.length} of ${names.length} contracts could be had; missing: ${missing.join(", ")}`);
  }
  if (!isAllFine || !areEnough) process.exitCode = exitStatus.found;
}

await run(
  programNamed("contracts", "Takes public contracts through the commands.")
    .addArgument(
      namesArgument(
        "[name...]",
        "which contracts; all unless named",
        publicContracts.map(({ name }) => name),
      ),
    )
    .addOption(jsonOption())
    .action(runAll),
);
