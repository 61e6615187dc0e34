// `roundtrip bench`: runs studies, writes a run directory, prints the verdict, tables and box plots.
import { loadStudy, studyNames } from "@roundtrip/bench";
import { loadFormat } from "@roundtrip/report";
import { measureRun, readRun, writeRunFile, type Progress } from "@roundtrip/runner";
import { loadStack, type Stack } from "@roundtrip/stacks";
import { loopbackCertificate } from "@roundtrip/stacks/certificate";
import { Argument, Command, Option } from "commander";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { chosenStacks } from "../chosen-stacks.ts";
import { CliError } from "../cli-error.ts";
import { loadContractFrom } from "../contract-source.ts";
import { exitStatus } from "../exit-status.ts";
import { Interruption } from "../interruption.ts";
import { requireKnown } from "../nearest-name.ts";
import {
  contractOption,
  duration,
  jsonOption,
  quietOption,
  seedOption,
  stackOption,
  tlsOption,
  wholeNumber,
} from "../options.ts";
import { ProgressLine } from "../progress-line.ts";
import { reportInput, runDocuments, writeDocuments } from "../write-report.ts";

interface BenchFlags {
  readonly contract?: string;
  readonly stack?: readonly string[];
  readonly out?: string;
  readonly seed?: number;
  readonly rounds?: number;
  readonly calls?: number;
  readonly budget: number;
  readonly tls: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

const defaultStudies = ["hello", "facade"];

/** Where a run goes unless the user says otherwise: one directory per run, in the order in which they ran. */
function defaultDirectory(): string {
  return join("runs", new Date().toISOString().slice(0, 19).replaceAll(":", "-"));
}

/** The named style stacks and the floor that they are held against. */
async function measuredStacks(names: readonly string[] | undefined): Promise<readonly Stack[]> {
  const chosen = await chosenStacks(names);
  return chosen.some((stack) => stack.role === "floor") ? chosen : [...chosen, await loadStack("floor")];
}

function seconds(ms: number): string {
  return ms < 90_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`;
}

function progressText({ round, rounds, remainingMs }: Progress): string {
  const left = remainingMs === undefined ? "" : `, ${seconds(Math.max(remainingMs, 0))} left`;
  return `round ${round + 1} of ${rounds}${left}`;
}

async function bench(names: readonly string[], flags: BenchFlags): Promise<void> {
  for (const name of names) requireKnown("study", name, studyNames());
  const studies = (await Promise.all([...new Set(names)].map((name) => loadStudy(name)))).map((study) =>
    flags.calls === undefined
      ? study
      : { ...study, tasks: study.tasks.map((task) => ({ ...task, tasksPerRound: flags.calls ?? task.tasksPerRound })) },
  );
  const stacks = await measuredStacks(flags.stack);
  const directory = flags.out ?? defaultDirectory();
  if (existsSync(join(directory, "run.json"))) {
    throw new CliError("usage", `${directory} holds a run already: choose another --out, or remove it.`);
  }
  await using loaded = await loadContractFrom(flags.contract);
  const seed = flags.seed ?? Math.floor(Math.random() * 2 ** 31);
  const progress = new ProgressLine(process.stderr, !flags.quiet && !flags.json);
  using interruption = new Interruption(() => {
    progress.clear();
    process.stderr.write("Stopping after this block; what was measured is kept. Ctrl-C again stops at once.\n");
  });

  try {
    await measureRun(
      {
        studies,
        stacks,
        contract: loaded.source,
        service: { module: import.meta.resolve("@roundtrip/service"), factory: "realService" },
        directory,
        seed,
        rounds: flags.rounds ?? Math.max(...studies.map((study) => study.rounds)),
        budgetMs: flags.budget,
        tls: flags.tls ? await loopbackCertificate() : undefined,
        command: `roundtrip ${process.argv.slice(2).join(" ")}`,
      },
      interruption.signal,
      (state) => progress.show(state.done, progressText(state)),
    );
  } finally {
    progress.clear();
  }

  const { facts, samples } = await readRun(directory);
  const files = runDocuments.map(({ path, holds }) => ({ path: join(relative(".", directory), path), holds }));
  const input = reportInput(facts, samples, { seed }, files);
  writeRunFile(join(directory, "run.json"), facts, input.analysis.summaries);
  await writeDocuments(directory, input);
  process.stdout.write(await (await loadFormat(flags.json ? "json" : "terminal")).render(input));
  if (facts.status === "interrupted") process.exitCode = exitStatus.interrupted;
}

/** Makes the command. */
export function makeCommand(): Command {
  return new Command("bench")
    .description("measure what the contract costs over each style, and report it")
    .addArgument(
      new Argument("[studies...]", `which studies: ${studyNames().join(", ")}`).default(
        defaultStudies,
        defaultStudies.join(" "),
      ),
    )
    .addOption(contractOption())
    .addOption(stackOption())
    .addOption(new Option("--out <directory>", "the run directory (default: runs/ and the time)"))
    .addOption(seedOption())
    .addOption(
      new Option("--rounds <number>", "fresh starts of every server and client (default: the study's)").argParser(
        wholeNumber(1, 1000),
      ),
    )
    .addOption(
      new Option("--calls <number>", "executions of each arm in a round (default: the study's)").argParser(
        wholeNumber(1, 1_000_000),
      ),
    )
    .addOption(
      new Option("--budget <duration>", "fewer rounds are done when this time does not suffice")
        .argParser(duration)
        .default(55_000, "55s"),
    )
    .addOption(tlsOption())
    .addOption(jsonOption())
    .addOption(quietOption())
    .addHelpText(
      "after",
      "\nExample:\n  $ roundtrip bench hello --stack grpc-js,rest-express --rounds 10\n  $ roundtrip bench facade --out before && roundtrip report before --format html",
    )
    .action(bench);
}
