// The action of `roundtrip predict`: computes a model, prints its tables, and writes plots on request.
import { renderChart } from "@roundtrip/report/predictions";
import { inks, textTable } from "@roundtrip/report/text-table";
import type { Command } from "commander";
import { join } from "node:path";
import { CliError, requireKnown } from "../basics/cli-error.ts";
import { writeOutput, requireNoInput } from "../output/output-file.ts";
import { page } from "../output/page.ts";
import { predictClosedNetwork } from "../predict/closed-network.ts";
import { predictOpenQueue } from "../predict/open-queue.ts";
import {
  checkFlags,
  checkFromFlags,
  modelNames,
  type ModelName,
  type Prediction,
  type PredictFlags,
} from "../predict/prediction.ts";

const figuresFile = "prediction.json";

async function fromModel(typed: string | undefined, flags: PredictFlags, command: Command): Promise<Prediction> {
  if (typed === undefined) {
    throw new CliError("usage", `give a model (${modelNames.join(", ")}), or a run with --from`);
  }
  requireKnown("model", typed, modelNames);
  const model = typed as ModelName;
  checkFlags(model, flags, (flag) => command.getOptionValueSource(flag) === "cli");
  return model === "mva" ? predictClosedNetwork(flags) : predictOpenQueue(model, flags);
}

async function fromRun(
  typed: string | undefined,
  from: string,
  flags: PredictFlags,
  command: Command,
): Promise<Prediction> {
  const isTyped = (flag: keyof PredictFlags): boolean => command.getOptionValueSource(flag) === "cli";
  checkFromFlags(typed, flags, isTyped);
  // Settings select stacks for measuring, of which the run may have others.
  const { stack, ...others } = flags;
  const asked = stack !== undefined && isTyped("stack") ? flags : others;
  return (await import("../predict/from-run.ts")).predictFromRun(from, asked);
}

async function writeAll(directory: string, { charts, document }: Prediction): Promise<readonly string[]> {
  const files = [
    { path: join(directory, figuresFile), text: `${JSON.stringify(document, null, 2)}\n` },
    ...charts.map(renderChart).map(({ name, svg }) => ({ path: join(directory, `${name}.svg`), text: svg })),
  ];
  await Promise.all(files.map(async ({ path, text }) => writeOutput(path, text)));
  return files.map(({ path }) => path);
}

export async function predict(typed: string | undefined, flags: PredictFlags, command: Command): Promise<void> {
  const { from, file, out } = flags;
  if (out !== undefined) requireNoInput([join(out, figuresFile)], file === undefined ? [] : [file]);
  const prediction = await (from === undefined
    ? fromModel(typed, flags, command)
    : fromRun(typed, from, flags, command));
  const written = flags.out === undefined ? [] : await writeAll(flags.out, prediction);
  if (flags.json) {
    const document = flags.out === undefined ? prediction.document : { ...prediction.document, written };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return;
  }
  const { columns, introducer } = page();
  const tables = prediction.tables.map((table) => textTable(table, columns, inks(introducer)).join("\n"));
  const paths = written.length === 0 ? [] : [written.join("\n")];
  process.stdout.write(`${[...tables, ...paths].join("\n\n")}\n`);
}
