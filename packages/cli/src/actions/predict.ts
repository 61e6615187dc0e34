// The action of `roundtrip predict`: computes a model, prints its tables, and writes plots on request.
import { renderChart } from "@roundtrip/report/predictions";
import { inks, textTable } from "@roundtrip/report/text-table";
import type { Command } from "commander";
import { join } from "node:path";
import { requireKnown } from "../basics/require-known.ts";
import { writeOutput, requireNoInput } from "../output/output-file.ts";
import { page } from "../output/page.ts";
import { predictClosedNetwork } from "../predict/closed-network.ts";
import { checkFlags, modelNames, type ModelName } from "../predict/model-flags.ts";
import { predictOpenQueue } from "../predict/open-queue.ts";
import type { Prediction, PredictFlags } from "../predict/prediction.ts";

const figuresFile = "prediction.json";

async function asked(model: ModelName, flags: PredictFlags): Promise<Prediction> {
  return model === "mva" ? predictClosedNetwork(flags) : predictOpenQueue(model, flags);
}

async function writeAll(directory: string, { charts, document }: Prediction): Promise<readonly string[]> {
  const files = [
    { path: join(directory, figuresFile), text: `${JSON.stringify(document, null, 2)}\n` },
    ...charts.map(renderChart).map(({ name, svg }) => ({ path: join(directory, `${name}.svg`), text: svg })),
  ];
  await Promise.all(files.map(async ({ path, text }) => writeOutput(path, text)));
  return files.map(({ path }) => path);
}

/** Runs the command. Rejects with an error that states what to do. */
export async function predict(typed: string, flags: PredictFlags, command: Command): Promise<void> {
  requireKnown("model", typed, modelNames);
  const model = typed as ModelName;
  checkFlags(model, flags, (flag) => command.getOptionValueSource(flag) === "cli");
  if (flags.out !== undefined)
    requireNoInput([join(flags.out, figuresFile)], flags.file === undefined ? [] : [flags.file]);
  const prediction = await asked(model, flags);
  const written = flags.out === undefined ? [] : await writeAll(flags.out, prediction);
  if (flags.json) {
    const document = flags.out === undefined ? prediction.document : { ...prediction.document, written };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return;
  }
  const { columns, colour } = page();
  const tables = prediction.tables.map((table) => textTable(table, columns, inks(colour)).join("\n"));
  const paths = written.length === 0 ? [] : [written.join("\n")];
  process.stdout.write(`${[...tables, ...paths].join("\n\n")}\n`);
}
