// The files of an export: the script, the plans, the contract, and a README.
import { fileFault, makeDirectory, writeWholeFile } from "@roundtrip/runs/files";
import { existsSync, readFileSync } from "node:fs";
import { K6Error } from "../basics/k6-error.ts";
import { calledTypes, contractFile, typesFile } from "../plan/contract-image.ts";
import type { K6Plan } from "../plan/k6-plan.ts";
import { planFile, planText } from "../plan/plan-file.ts";
import { exportReadme, type ServedBy } from "./export-readme.ts";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface ExportFile {
  /** Relative to the directory, with forward slashes. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

export interface ExportOptions {
  /** One for each round, with the same arms. */
  readonly plans: readonly K6Plan[];
  /** The contract's descriptor set. The plans contain its hash. */
  readonly contract: Uint8Array;
  /** What answers where no server runs already; by default Roundtrip's own contract. */
  readonly servedBy?: ServedBy;
}

const ownServers: ServedBy = { command: "serve", isForeign: false };

const scripts = ["script.js", "calls.js"] as const;

function scriptText(name: (typeof scripts)[number]): string {
  return readFileSync(new URL(`../script/${name}`, import.meta.url), "utf8");
}

/** The types of gRPC messages, which the script loads; nothing without calls over gRPC. */
function grpcFiles([plan]: ExportOptions["plans"], contract: Uint8Array): readonly ExportFile[] {
  const methods = (plan?.requests ?? []).flatMap((request) => ("message" in request ? [request.method] : []));
  return methods.length === 0 ? [] : [{ path: typesFile, content: calledTypes(contract, new Set(methods)) }];
}

export function exportFiles(options: ExportOptions): readonly ExportFile[] {
  const { plans, contract, servedBy = ownServers } = options;
  return [
    { path: "README.md", content: exportReadme(plans, servedBy) },
    ...scripts.map((name) => ({ path: name, content: scriptText(name) })),
    { path: planFile, content: planText(plans) },
    ...grpcFiles(plans, contract),
    ...(servedBy.isForeign ? [{ path: contractFile, content: contract }] : []),
  ];
}

/** Rejects with a K6Error `unwritable`, also for a directory that is not empty. */
export async function writeExport(directory: string, files: readonly ExportFile[]): Promise<void> {
  try {
    if (existsSync(directory) && (await readdir(directory)).length > 0) {
      throw new K6Error("unwritable", `${directory} is not empty; choose an empty or new directory`);
    }
    for (const { path, content } of files) {
      const file = join(directory, path);
      makeDirectory(dirname(file));
      // oxlint-disable-next-line no-await-in-loop -- few, and in an order that a reader of an error expects
      await writeWholeFile(file, content);
    }
  } catch (cause) {
    if (cause instanceof K6Error) throw cause;
    throw new K6Error("unwritable", `cannot write to ${directory}: ${fileFault(cause)}`, { cause });
  }
}
