// `pnpm fuzz`: broken bytes, random calls and attacks, for the servers of this project.
import type { Command } from "commander";
import {
  count,
  exitStatus,
  jsonOption,
  namesArgument,
  printJson,
  programNamed,
  run,
  seedFrom,
  seedOption,
} from "../program.ts";
import { everyOption, stacksAsked, styleStacks } from "./style-stacks.ts";

interface Options {
  readonly seed?: number;
  readonly every?: true;
  readonly json?: true;
}

/** One line on a terminal that is overwritten; prints nothing elsewhere. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`.slice(0, process.stderr.columns));
}

/** Prints a line beside the figures. */
function say({ json }: Options, text: string): void {
  showProgress("");
  (json === true ? process.stderr : process.stdout).write(`${text}\n`);
}

interface BytesOptions extends Options {
  readonly seconds: number;
  readonly first?: readonly string[];
}

async function bytes(names: readonly string[], options: BytesOptions): Promise<void> {
  const { fuzzBytes } = await import("./bytes.ts");
  const { seconds, first = [] } = options;
  const seed = seedFrom(options.seed);
  const stacks: object[] = [];
  for (const stack of stacksAsked(names, options)) {
    say(options, `${stack}: seed ${seed}`);
    const limitMs = seconds * 1_000;
    const { exchanges, failure } = await fuzzBytes({ stackName: stack, seed, limitMs, exchanges: Infinity, first });
    if (failure === undefined) say(options, `${stack}: ${exchanges} exchanges, no failure`);
    else say(options, `${stack}: after ${exchanges} exchanges ${failure.what}\n  --first ${failure.files.join(" ")}`);
    if (failure !== undefined) process.exitCode = exitStatus.found;
    stacks.push({ stack, exchanges, failure: failure ?? null });
  }
  if (options.json === true) printJson({ seed, stacks });
}

interface DifferentialOptions extends Options {
  readonly requests: number;
  readonly minutes: number;
}

async function differential(names: readonly string[], options: DifferentialOptions): Promise<void> {
  const { compareStacks } = await import("./differential/differential.ts");
  const { requests: wanted, minutes, json } = options;
  const seed = seedFrom(options.seed);
  const startedAt = performance.now();
  let perSecond = 0;
  say(options, `seed ${seed}`);
  const { requests, difference } = await compareStacks({
    stacks: stacksAsked(names, options),
    requests: wanted,
    seed,
    limitMs: minutes * 60_000,
    onProgress(done) {
      perSecond = Math.round((1_000 * done) / (performance.now() - startedAt));
      showProgress(`${done} of ${wanted} requests, ${perSecond} per second`);
    },
    onShrink: (tried) => showProgress(`answers differ; looking for a smaller request: ${tried} tried`),
  });
  say(options, `${requests} of ${wanted} requests to every stack, ${perSecond} per second`);
  if (difference === undefined) say(options, "no difference");
  else say(options, `\nThey differ (again: --seed ${seed} --requests ${wanted}):\n\n${difference}`);
  if (json === true) printJson({ seed, requests, perSecond, difference: difference ?? null });
  if (difference !== undefined) process.exitCode = exitStatus.found;
}

interface HostileOptions extends Options {
  readonly only?: string;
}

async function hostile(names: readonly string[], options: HostileOptions, command: Command): Promise<void> {
  const { attacksOn, costAttacksOn, usuallyAttacked } = await import("./hostile/hostile.ts");
  const { costText, isTooCostly, measureCost } = await import("./hostile/cost.ts");
  const { isLeak, measureMemory, memoryText } = await import("./hostile/memory.ts");
  const { only = "" } = options;
  const attacked = names.length > 0 ? names : usuallyAttacked;
  const attacks = await Promise.all(
    attacked.map(async (name) => [...(await attacksOn(name, only)), await costAttacksOn(name, only)]),
  );
  if (attacks.flat(2).length === 0) command.error(`error: no attack has "${only}" in its name`);
  const stacks: object[] = [];
  for (const stack of attacked) {
    const cost = await measureCost(stack, only, showProgress);
    say(options, `${stack}: ${costText(cost)}`);
    const memory = await measureMemory(stack, only, showProgress);
    say(options, `${stack}: ${memoryText(memory)}`);
    const isMet = !isLeak(memory) && !isTooCostly(cost);
    if (!isMet) process.exitCode = exitStatus.found;
    stacks.push({ stack, ...memory, ...cost, verdict: isMet ? "met" : "missed" });
  }
  if (options.json === true) printJson({ stacks });
}

interface ContractsOptions extends Options {
  readonly only?: string;
  readonly commands?: readonly string[];
  readonly trials?: number;
}

async function contracts(options: ContractsOptions, command: Command): Promise<void> {
  const { commandNames, hostileTrials, runTrials } = await import("./contracts/trials.ts");
  const unknown = options.commands?.find((name) => !commandNames.includes(name));
  if (unknown !== undefined) command.error(`error: unknown command "${unknown}" (valid: ${commandNames.join(", ")})`);
  const seed = seedFrom(options.seed);
  const chosen = hostileTrials({ ...options, seed });
  if (chosen.length === 0) command.error(`error: no contract has "${options.only ?? ""}" in its name`);
  say(options, `seed ${seed}: ${chosen.length} commands on hostile contracts`);
  const trials = await runTrials(chosen, (trial, done) => {
    showProgress(`${done} of ${chosen.length}`);
    if (trial.fault === undefined) return;
    say(
      options,
      `${trial.contract} ${trial.command}: ${trial.fault} (${trial.ms} ms, ${trial.megabytes} MB) ${trial.line}`,
    );
    process.exitCode = exitStatus.found;
  });
  const faults = trials.filter(({ fault }) => fault !== undefined);
  say(options, `${trials.length} commands, ${faults.length === 0 ? "no failure" : `${faults.length} failed`}`);
  if (options.json === true) printJson({ seed, trials });
}

const stackNames = styleStacks.map(({ name }) => name);
const program = programNamed("fuzz", "Sends broken bytes, random calls and attacks to the servers of this project.");

program
  .command("bytes")
  .description(
    "Broken bytes of real calls, over real sockets. Exits with 1 when the server stops answering a polite caller, blames itself (5xx, INTERNAL, " +
      "UNKNOWN) or crashes, and writes the bytes that caused it to files.",
  )
  .addArgument(namesArgument("[stack...]", "whose server (default: the default stack of each style)", stackNames))
  .addOption(everyOption())
  .option("--seconds <n>", "time for each stack", count, 30)
  .option("--first <files...>", "files with bytes to send first: those of an earlier failure")
  .addOption(seedOption())
  .addOption(jsonOption())
  .action(bytes);

program
  .command("differential")
  .description(
    "The same random calls to every stack, for the contracts of this project and for random contracts. Exits with 1 if an answer differs, " +
      "after printing the smallest contract and call that it found.",
  )
  .addArgument(namesArgument("[stack...]", "which stacks (default: the default stack of each style)", stackNames))
  .addOption(everyOption())
  .option("--requests <n>", "requests to every stack", count, 10_000)
  .option("--minutes <n>", "time limit", count, 30)
  .addOption(seedOption())
  .addOption(jsonOption())
  .action(differential);

program
  .command("hostile")
  .description(
    "Every attack on a server beside a polite caller. Exits with 1 if the server makes others wait too long, or holds much more memory afterwards, " +
      "and fails if it does not withstand an attack.",
  )
  .addArgument(namesArgument("[stack...]", "whose server (default: each server)", stackNames))
  .option("--only <words>", "only attacks with these words in their name")
  .addOption(jsonOption())
  .action(hostile);

program
  .command("contracts")
  .description(
    "Commands of the program on large, deep, entangled and contradictory contracts. Exits with 1 if one ends with neither a result nor one " +
      "clear line within 20 seconds and a gigabyte.",
  )
  .option("--only <words>", "only contracts with these words in their name")
  .option("--commands <names...>", "which commands (default: all)")
  .option("--trials <n>", "so many of them, by the seed", count)
  .addOption(seedOption())
  .addOption(jsonOption())
  .action(contracts);

await run(program);
