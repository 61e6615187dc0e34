// The files of an exported directory that plain k6 runs: the script, the plan, the types of gRPC messages, and a README; and the contract, to serve it.
import { readFileSync } from "node:fs";
import type { K6Plan } from "../plan/k6-plan.ts";
import { planFile, planText } from "../plan/plan-file.ts";
import { calledTypes, typesFile } from "../plan/called-types.ts";
import { contractFile } from "../plan/contract-image.ts";
import { exportReadme, type ServedBy } from "./export-readme.ts";

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
  /** The contract's .proto files and their imports, for people; empty if unknown. */
  readonly protoFiles: readonly { readonly name: string; readonly text: string }[];
  /** What answers where no server runs already; by default Roundtrip's own contract. */
  readonly servedBy?: ServedBy;
}

const ownServers: ServedBy = { command: "serve", isForeign: false };

const scripts = ["script.js", "calls.js", "server-clock.js"] as const;

function scriptText(name: (typeof scripts)[number]): string {
  return readFileSync(new URL(`../script/${name}`, import.meta.url), "utf8");
}

/** The types of gRPC messages, which the script loads; nothing without calls over gRPC. */
function grpcFiles([plan]: ExportOptions["plans"], contract: Uint8Array): readonly ExportFile[] {
  const methods = (plan?.requests ?? []).flatMap((request) => ("message" in request ? [request.method] : []));
  return methods.length === 0 ? [] : [{ path: typesFile, content: calledTypes(contract, new Set(methods)) }];
}

export function exportFiles(options: ExportOptions): readonly ExportFile[] {
  const { plans, contract, protoFiles, servedBy = ownServers } = options;
  return [
    { path: "README.md", content: exportReadme({ plans, hasProtoFiles: protoFiles.length > 0, servedBy }) },
    ...scripts.map((name) => ({ path: name, content: scriptText(name) })),
    { path: planFile, content: planText(plans) },
    ...grpcFiles(plans, contract),
    ...(servedBy.isForeign ? [{ path: contractFile, content: contract }] : []),
    ...protoFiles.map(({ name, text }) => ({ path: `proto/${name}`, content: text })),
  ];
}
