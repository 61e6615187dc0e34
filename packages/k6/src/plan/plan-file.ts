// Plans as a file: the rounds of one export, which share servers and requests. Each has its own hash, so that results are only read against the plan
// that they were made with.
import { readText } from "@roundtrip/contract/text";
import { fileFault } from "@roundtrip/runs/files";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { K6Error } from "../basics/k6-error.ts";
import type { K6Plan } from "./k6-plan.ts";

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Members sorted by the UTF-16 code units of their names, without white space. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, inOrder);
}

export const planFile = "plan.json";

/** Most of a plan is requests. */
const mostPlanBytes = 256 * 2 ** 20;

function hashOf(plan: Omit<K6Plan, "planHash">): string {
  return createHash("sha256").update(canonicalJson(plan)).digest("hex");
}

/** A plan with its hash. */
export function sealed(plan: Omit<K6Plan, "planHash">): K6Plan {
  return { ...plan, planHash: hashOf(plan) };
}

/** The members that differ between rounds. */
type RoundOfFile = Pick<K6Plan, "round" | "planHash" | "cells">;

/** The members that rounds share are written once, because most of a plan is requests. */
type PlanFile = Omit<K6Plan, keyof RoundOfFile> & { readonly rounds: readonly RoundOfFile[] };

/** The file's text for the rounds of one export: the shared members, then the rounds, then the requests. */
export function planText(plans: readonly K6Plan[]): string {
  const [{ round: _round, planHash: _hash, cells: _cells, requests, ...shared }] = plans as readonly [K6Plan];
  const rounds = plans.map(({ round, planHash, cells }) => ({ round, planHash, cells }));
  return `${JSON.stringify({ ...shared, rounds, requests } satisfies PlanFile)}
`;
}

/** The plans of all rounds. Throws a K6Error `unreadable` for invalid or edited text. @param path the file's name for messages. */
export function plansFrom(text: string, path: string): readonly K6Plan[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new K6Error("unreadable", `${path} is not JSON: ${(cause as Error).message}`, { cause });
  }
  const { formatVersion, rounds, ...shared } = (value ?? {}) as Partial<PlanFile>;
  if (formatVersion !== 1 || !Array.isArray(rounds) || rounds.length === 0) {
    const isOther = formatVersion !== undefined && formatVersion !== 1;
    const what = isOther ? `a plan of version ${String(formatVersion)}, not 1` : "not a plan";
    throw new K6Error("unreadable", `${path} is ${what}; roundtrip export k6 writes one`);
  }
  return rounds.map((round: RoundOfFile) => {
    const { planHash, ...rest } = { formatVersion, ...shared, ...round } as K6Plan;
    if (hashOf(rest) !== planHash) {
      throw new K6Error("unreadable", `${path} was changed after it was written: export it again`);
    }
    return { ...rest, planHash };
  });
}

/** Reads the plans of an exported directory, one for each round. Rejects with a K6Error `unreadable`. */
export async function readPlans(directory: string): Promise<readonly K6Plan[]> {
  const path = join(directory, planFile);
  try {
    return plansFrom(readText(path, mostPlanBytes), path);
  } catch (cause) {
    if (cause instanceof K6Error) throw cause;
    throw new K6Error("unreadable", `cannot read the plan ${path}: ${fileFault(cause)}`, { cause });
  }
}
