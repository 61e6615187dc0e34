// A plan as a file: sealed by its own hash, so that results and what they are read against cannot be of two minds.
import { fileFault } from "@roundtrip/runner";
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { K6Error } from "../k6-error.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { K6Plan } from "./k6-plan.ts";

/** The file's name in an exported directory. */
export const planFile = "plan.json";

const mostBytes = 256 * 1024 * 1024;

function hashOf(plan: Omit<K6Plan, "planHash">): string {
  return createHash("sha256").update(canonicalJson(plan)).digest("hex");
}

/** A plan with its hash. */
export function sealed(plan: Omit<K6Plan, "planHash">): K6Plan {
  return { ...plan, planHash: hashOf(plan) };
}

/** Lists one element a line. */
function listed(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value);
  return `[\n    ${value.map((one) => JSON.stringify(one)).join(",\n    ")}\n  ]`;
}

/** The file's text: the facts before the requests, as a reader looks for them. */
export function planText({ formatVersion, planHash, ...plan }: K6Plan): string {
  const members = Object.entries({ formatVersion, planHash, ...plan });
  return `{\n${members.map(([name, value]) => `  ${JSON.stringify(name)}: ${listed(value)}`).join(",\n")}\n}\n`;
}

/** Throws a K6Error `unreadable` for text that is no plan, or one that somebody has edited. @param path what to call it. */
export function planFrom(text: string, path: string): K6Plan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new K6Error("unreadable", `${path} is no JSON: ${(cause as Error).message}`, { cause });
  }
  const { formatVersion } = (value ?? {}) as Partial<K6Plan>;
  if (formatVersion !== 1) {
    const what = formatVersion === undefined ? "no plan" : `a plan of version ${String(formatVersion)}, not 1`;
    throw new K6Error("unreadable", `${path} is ${what}; roundtrip export k6 writes one`);
  }
  const { planHash, ...rest } = value as K6Plan;
  if (hashOf(rest) !== planHash) {
    throw new K6Error("unreadable", `${path} was changed after it was written: export it again`);
  }
  return value as K6Plan;
}

/** Reads the plan of an exported directory. Rejects with a K6Error `unreadable`. */
export async function readPlan(directory: string): Promise<K6Plan> {
  const path = join(directory, planFile);
  try {
    const { size } = await stat(path);
    if (size > mostBytes) throw new K6Error("unreadable", `${path} is larger than any plan`);
    return planFrom(await readFile(path, "utf8"), path);
  } catch (cause) {
    if (cause instanceof K6Error) throw cause;
    throw new K6Error("unreadable", `cannot read the plan ${path}: ${fileFault(cause)}`, { cause });
  }
}
