// The files of an exported directory that plain k6 runs: the script, the plan, the contract, and a README.
import { readFileSync } from "node:fs";
import type { K6Plan } from "../plan/k6-plan.ts";
import { planFile, planText } from "../plan/plan-file.ts";
import { exportReadme } from "./export-readme.ts";

/** A file of the directory. */
export interface ExportFile {
  /** Relative to the directory, with forward slashes. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

export interface ExportOptions {
  /** One for each round, with the same arms. */
  readonly plans: readonly K6Plan[];
  /** The contract's descriptor set, which the script loads. The plans contain its hash. */
  readonly contract: Uint8Array;
  /** The contract's .proto files and their imports, for people; empty if unknown. */
  readonly protoFiles: readonly { readonly name: string; readonly text: string }[];
}

const scripts = ["script.js", "calls.js", "server-clock.js"] as const;

function scriptText(name: (typeof scripts)[number]): string {
  return readFileSync(new URL(`../script/${name}`, import.meta.url), "utf8");
}

export function exportFiles({ plans, contract, protoFiles }: ExportOptions): readonly ExportFile[] {
  return [
    { path: "README.md", content: exportReadme(plans, protoFiles.length > 0) },
    ...scripts.map((name) => ({ path: name, content: scriptText(name) })),
    { path: planFile, content: planText(plans) },
    { path: "contract.binpb", content: contract },
    ...protoFiles.map(({ name, text }) => ({ path: `proto/${name}`, content: text })),
  ];
}
