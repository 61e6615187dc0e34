// `pnpm contracts`: takes public contracts that nobody here wrote through the commands, and calls every operation of their fakes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { exitStatus, jsonOption, namesArgument, printJson, programNamed, run } from "../../bench/programs/program.ts";
import { atExit } from "../../packages/runner/src/lifetime/ends-with-us.ts";
import { codeCacheEnvironment } from "../../packages/runner/src/processes/child.ts";
import { judge } from "../outside/judge.ts";
import { withBlock } from "../page-block.ts";
import { allowed } from "./allowed.ts";
import type { ContractOutcome, MissingContract } from "./check-contract.ts";
import { outcomeTable, totalShare } from "./outcome-table.ts";
import { publicContracts } from "./public-contracts.ts";

/** The share of example requests that fakes answer, at least. */
const leastShare = 0.98;
/** Without a network or a registry's client there are fewer, and nothing is known of the others. */
const leastContracts = 20;
/** Larger machines finish sooner, and need memory for each. */
const mostAtOnce = 4;

interface Options {
  readonly json?: true;
  readonly keep?: true;
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
    return { name, operations: 0, tried: 0, commands: {}, ready: undefined, fake: undefined, findings };
  }
}

/** Prints deviations. Returns whether all are allowed. */
function isFine({ name, findings }: ContractOutcome, say: (line: string) => void): boolean {
  const own = allowed.filter(({ contract }) => contract === name);
  const judgement = judge(
    findings,
    own.map((one) => ({ ...one, stacks: "all" as const })),
  );
  for (const { id, text } of judgement.faults) say(`${name}: FAILED    ${id}: ${text}`);
  for (const { id } of judgement.obsolete) {
    say(`${name}: FAILED    ${id} is allowed, and no longer occurs: take it off the list`);
  }
  return judgement.faults.length + judgement.obsolete.length === 0;
}

/** Figures of this machine, which the table does not keep. */
function sayReady({ name, ready }: ContractOutcome, say: (line: string) => void): void {
  if (ready === undefined) return;
  const { seconds, cpuS, memoryMB } = ready;
  const cost = `${cpuS?.toFixed(1) ?? "unknown"} s of processor time, ${memoryMB?.toFixed(0) ?? "unknown"} MB`;
  say(`${name}: fake ready after ${seconds.toFixed(1)} s (${cost})`);
}

function keepTable(outcomes: readonly ContractOutcome[]): void {
  const path = join(import.meta.dirname, "../../docs/outside-suites.md");
  writeFileSync(path, withBlock(readFileSync(path, "utf8"), "contracts", outcomeTable(outcomes)));
}

async function runAll(given: readonly string[], { json, keep }: Options): Promise<void> {
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
        isAllFine = isFine(outcome, say) && isAllFine;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, availableParallelism()) }, work));
  const outcomes = names.flatMap((name) => found.get(name) ?? []);
  const { called, answered } = totalShare(outcomes);
  // A single contract may be hard for a fake.
  const isEnough = given.length > 0 || answered >= leastShare * called;
  if (json === true) printJson({ called, answered, contracts: outcomes });
  else say(`${outcomeTable(outcomes)}contracts: ${answered} of ${called}`);
  if (!isEnough) say(`FAILED: fewer than ${100 * leastShare} % of example requests are answered`);
  const areEnough = outcomes.length >= Math.min(leastContracts, names.length);
  if (!areEnough) {
    say(`FAILED: only ${outcomes.length} of ${names.length} contracts could be had; missing: ${missing.join(", ")}`);
  }
  if (keep === true) keepTable(outcomes);
  if (!isAllFine || !isEnough || !areEnough) process.exitCode = exitStatus.found;
}

await run(
  programNamed(
    "contracts",
    "Takes public contracts through the commands, and calls every operation of their fakes over each style.",
  )
    .addArgument(
      namesArgument(
        "[name...]",
        "which contracts; all unless named",
        publicContracts.map(({ name }) => name),
      ),
    )
    .addOption(jsonOption())
    .option("--keep", "write the table into docs/outside-suites.md")
    .action(runAll),
);
