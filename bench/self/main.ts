// `pnpm bench:self`: measures this project itself and holds the figures against their targets.
import { randomInt } from "node:crypto";
import { readdirSync } from "node:fs";
import { join, parse } from "node:path";
import { parseArgs } from "node:util";
import { figureTable } from "./figure-table.ts";
import { standingOf, type Figure, type Measure } from "./measure.ts";

const usage = `Usage: pnpm bench:self [NAME…] [--rounds N] [--seed N] [--json]

Measures this project itself: all measures, or the named ones. A measure's own number of rounds is taken unless --rounds gives
another; intervals need at least six. Run it on a quiet machine.
`;

const folder = join(import.meta.dirname, "measures");
const known = readdirSync(folder).map((file) => parse(file).name);

function fail(message: string): never {
  process.stderr.write(`${message}\n\n${usage}\nMeasures: ${known.join(", ")}\n`);
  process.exit(64);
}

function argumentsGiven() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: "string" },
        seed: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (thrown) {
    return fail((thrown as Error).message);
  }
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) fail(`--${name} takes a whole number above 0, not ${text}`);
  return value;
}

const { values, positionals } = argumentsGiven();
if (values.help) {
  process.stdout.write(`${usage}\nMeasures: ${known.join(", ")}\n`);
  process.exit(0);
}
for (const name of positionals) if (!known.includes(name)) fail(`there is no measure "${name}"`);
const rounds = values.rounds === undefined ? undefined : wholeNumber("rounds", values.rounds);
const seed = values.seed === undefined ? randomInt(2 ** 31) : wholeNumber("seed", values.seed);
const showsProgress = process.stderr.isTTY;

interface Result {
  readonly measure: Measure;
  readonly rounds: number;
  readonly figures: readonly Figure[];
}

const results: Result[] = [];
for (const name of positionals.length > 0 ? positionals : known) {
  const { measure } = (await import(`./measures/${name}.ts`)) as { readonly measure: Measure };
  const done = rounds ?? measure.rounds;
  const onProgress = (text: string): void => {
    if (showsProgress) process.stderr.write(`\r\u001B[K${name}: ${text}`);
  };
  const figures = await measure.run({ rounds: done, seed, onProgress });
  if (showsProgress) process.stderr.write("\r\u001B[K");
  results.push({ measure, rounds: done, figures });
}

if (values.json) {
  const figures = results.flatMap(({ measure, rounds: done, figures: some }) =>
    some.map((figure) => ({ measure: measure.name, rounds: done, ...figure, standing: standingOf(figure) })),
  );
  process.stdout.write(`${JSON.stringify({ seed, figures }, null, 1)}\n`);
} else {
  for (const { measure, rounds: done, figures } of results) {
    const lines = figureTable(measure, done, figures, process.stdout.columns ?? 120, process.stdout.isTTY);
    process.stdout.write(`${lines.join("\n")}\n\n`);
  }
}
process.exitCode = results.some(({ figures }) => figures.some((figure) => standingOf(figure) === "missed")) ? 1 : 0;
