// `pnpm mutants`: changes one site of the code at a time, in a copy of the project, and lists the changes that no test notices.
import { globSync } from "node:fs";
import { join } from "node:path";
import {
  count,
  exitStatus,
  jsonOption,
  printJson,
  programNamed,
  run,
  seedFrom,
  seedOption,
} from "../programs/program.ts";
import { draw, mutantsOf, type Mutant } from "./draw.ts";
import { changed } from "./sites.ts";
import { ProjectCopy, type TrialOutcome } from "./trial.ts";

const project = join(import.meta.dirname, "../..");

/** The code that produces figures: the runner, the analysis and the gate. */
const usualFolders = ["packages/runner/src", "packages/analysis/src", "packages/analysis/src/gate"];

/** Files that only define names, contain texts or re-export. */
const notComputing = /(?:^|\/)(?:index|words|.*-error|.*-words|.*-text|phrases)\.ts$/;

interface Options {
  readonly count: number;
  readonly seed?: number;
  readonly list?: true;
  readonly json?: true;
}

function mutantsIn(folder: string): readonly Mutant[] {
  const pattern = folder.endsWith(".ts") ? folder : `${folder}/**/*.ts`;
  const paths = globSync(pattern, { cwd: project }).filter((path) => !notComputing.test(path));
  return paths.flatMap((path) => mutantsOf(project, path));
}

const packageOf = (path: string): string => path.split("/").slice(0, 2).join("/");

const sentence = ({ path, line, was, becomes }: Mutant): string =>
  `${path}:${line}: ${JSON.stringify(was)} → ${JSON.stringify(becomes)}`;

async function outcomesOf(mutants: readonly Mutant[]): Promise<readonly TrialOutcome[]> {
  using copy = await ProjectCopy.of(project);
  const outcomes: TrialOutcome[] = [];
  for (const folder of new Set(mutants.map(({ path }) => packageOf(path)))) {
    const failing = await copy.failingTest(folder);
    if (failing === undefined) continue;
    throw new Error(`the tests of ${folder} must pass without a change: ${failing}`);
  }
  for (const [index, mutant] of mutants.entries()) {
    const { path, text, site } = mutant;
    const outcome = await copy.outcomeOf(packageOf(path), path, { was: text, is: changed(text, site) });
    outcomes.push(outcome);
    process.stderr.write(`${index + 1} of ${mutants.length}, ${outcome.padEnd(9)}  ${sentence(mutant)}\n`);
  }
  return outcomes;
}

async function main(folders: readonly string[], { count: most, seed: asked, list, json }: Options): Promise<void> {
  const seed = seedFrom(asked);
  const from = folders.length > 0 ? folders : usualFolders;
  const mutants = draw(from.map(mutantsIn), most, seed);
  if (list === true) {
    process.stdout.write(mutants.map((mutant) => `${sentence(mutant)}\n`).join(""));
    return;
  }
  const outcomes = await outcomesOf(mutants);
  const survivors = mutants.filter((_, index) => outcomes[index] === "survived");
  const killed = mutants.length - survivors.length;
  if (json === true) {
    const shown = survivors.map(({ path, line, was, becomes }) => ({ path, line, was, becomes }));
    printJson({ seed, mutants: mutants.length, killed, survivors: shown });
  } else {
    const share = ((100 * killed) / mutants.length).toFixed(1);
    const lines = survivors.map((mutant) => `survived  ${sentence(mutant)}\n`);
    process.stdout.write(`${lines.join("")}${killed} of ${mutants.length} mutants killed (${share} %), seed ${seed}\n`);
  }
  if (survivors.length > 0) process.exitCode = exitStatus.found;
}

await run(
  programNamed(
    "mutants",
    "Changes one place of the code at a time, in a copy of the project, and lists the changes that neither a test of the package nor the compiler notices. " +
      `Without folders, or files: ${usualFolders.join(", ")}. Ends with 1 when a change survived.`,
  )
    .argument("[folders...]", "folders or files whose code is changed")
    .option("--count <n>", "how many places", count, 150)
    .option("--list", "print the places and try nothing")
    .addOption(seedOption())
    .addOption(jsonOption())
    .action(main),
);
