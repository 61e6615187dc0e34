// `pnpm bench:self`: measures this project itself and compares the figures with their targets.
import { InvalidArgumentError } from "commander";
import { readdirSync } from "node:fs";
import { join, parse } from "node:path";
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
import { figureTable, targetResult, type Figure, type Measure } from "./measure.ts";

interface Options {
  readonly rounds?: number;
  readonly seed?: number;
  readonly only?: readonly string[];
  readonly reference?: string;
  readonly share?: number;
  readonly json?: true;
}

interface Result {
  readonly measure: Measure;
  readonly rounds: number;
  readonly figures: readonly Figure[];
}

const known = readdirSync(join(import.meta.dirname, "measures")).map((file) => parse(file).name);

function shareOf(text: string): number {
  const share = Number(text);
  if (share > 0 && share <= 1) return share;
  throw new InvalidArgumentError("It has to be a number above 0, and at most 1.");
}

async function measureOf(name: string): Promise<Measure> {
  const { measure } = (await import(`./measures/${name}.ts`)) as { readonly measure: Measure };
  return measure;
}

async function resultOf(
  measure: Measure,
  { rounds, only = [], reference, share = 1 }: Options,
  seed: number,
): Promise<Result> {
  const showsProgress = process.stderr.isTTY;
  const { name } = measure;
  const done = rounds ?? measure.rounds;
  const onProgress = (text: string): void => {
    if (showsProgress) process.stderr.write(`\r\u001B[K${name}: ${text}`);
  };
  const figures = await measure.run({ rounds: done, seed, only, reference, share, onProgress });
  if (showsProgress) process.stderr.write("\r\u001B[K");
  return { measure, rounds: done, figures };
}

async function measureAll(given: readonly string[], options: Options): Promise<void> {
  const { seed: asked, json } = options;
  const seed = seedFrom(asked);
  const measures = await Promise.all((given.length > 0 ? given : known).map(measureOf));
  const wanted = measures.filter(({ onlyWhenNamed }) => given.length > 0 || onlyWhenNamed !== true);
  const results: Result[] = [];
  for (const measure of wanted) results.push(await resultOf(measure, options, seed));
  if (json === true) {
    const figures = results.flatMap(({ measure, rounds: done, figures: some }) =>
      some.map((figure) => ({ measure: measure.name, rounds: done, ...figure, standing: targetResult(figure) })),
    );
    printJson({ seed, figures });
  } else {
    for (const { measure, rounds: done, figures } of results) {
      const lines = figureTable(measure, done, figures, {
        columns: process.stdout.columns ?? 120,
        colour: process.stdout.isTTY,
      });
      process.stdout.write(`${lines.join("\n")}\n\n`);
    }
  }
  const isMissed = results.some(({ figures }) => figures.some((figure) => targetResult(figure) === "missed"));
  if (isMissed) process.exitCode = exitStatus.found;
}

await run(
  programNamed(
    "bench:self",
    "Measures this project itself. A measure's own number of rounds is taken unless --rounds gives another; intervals need at least " +
      "six. Run it on a quiet machine. Ends with 1 when a target is missed.",
  )
    .addArgument(namesArgument("[name...]", "which measures; unless named, all but those that take hours", known))
    .option("--rounds <n>", "fresh starts of everything that is measured", count)
    .option(
      "--only <names>",
      "conditions of other-machines, stacks of interpreter-tax, contracts of fake-start, with commas (default: all)",
      (names: string) => names.split(","),
    )
    .option(
      "--reference <directory>",
      "a long quiet run that other-machines holds others against (default: it makes one)",
    )
    .option(
      "--share <number>",
      "share of the simulated jobs of gate-null and gate-power, above 0 (default: 1)",
      shareOf,
    )
    .addOption(seedOption())
    .addOption(jsonOption())
    .action(measureAll),
);
