// The interface of a third-party suite, how its findings are compared with the allowed ones, and checks of suites that are written here.
import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { matchesStars } from "../../packages/contract/src/basics/text.ts";
import type { Tool } from "./tools.ts";

export interface Finding {
  /** The same in every run, because allowances refer to it. */
  readonly id: string;
  readonly text: string;
}

/** A deviation that is accepted for a reason. */
export interface Allowance {
  /** The id of a finding; `*` matches any text. */
  readonly id: string;
  readonly reason: string;
  /** Whether an absent deviation is fixed; a suite with random cases may miss it. */
  readonly occurs: "in every run" | "by chance";
  /** The stacks that deviate, if the reason is a library's. */
  readonly stacks: "all" | readonly string[];
}

export interface SuiteEnvironment {
  /** The address of a style's server. Throws for a style that the suite does not declare. */
  readonly url: (style: string) => string;
  readonly stack: (style: string) => string;
  /** An empty directory, removed after the run. */
  readonly directory: string;
  readonly seed: number;
  /** Minimum number of requests of a suite that generates them; undefined for the number for continuous integration. */
  readonly requests: number | undefined;
}

export interface SuiteResult {
  readonly program: string;
  /** The unit of `checked`, in the plural. */
  readonly unit: string;
  readonly checked: number;
  readonly passed: number;
  /** The deviations behind failed checks, each kind once. */
  readonly findings: readonly Finding[];
}

export interface Suite {
  /** What the suite is and what it checks, in one sentence. */
  readonly about: string;
  readonly styles: readonly [string, ...string[]];
  /** Required tools that are not dependencies of this project. */
  readonly tools: readonly Tool[];
  readonly allowed: readonly Allowance[];
  /** The number of checks in every run; undefined if it is random. */
  readonly size: number | undefined;
  /** Runs the suite. Rejects if it cannot complete, which is not a finding. */
  run(environment: SuiteEnvironment): Promise<SuiteResult>;
}

/** The names of suites, in alphabetical order. */
export function suiteNames(): readonly string[] {
  return globSync("*/suite.ts", { cwd: import.meta.dirname })
    .map(dirname)
    .toSorted();
}

export async function loadSuite(name: string): Promise<Suite> {
  const { suite } = (await import(join(import.meta.dirname, name, "suite.ts"))) as { readonly suite: Suite };
  return suite;
}

export interface Judgement {
  readonly faults: readonly Finding[];
  /** The allowances that apply, with their number of kinds of deviation. */
  readonly allowed: readonly (Allowance & { readonly kinds: number })[];
  readonly obsolete: readonly Allowance[];
}

/** The allowances for a suite on these stacks. */
export function allowancesOn(stacks: readonly string[], allowances: readonly Allowance[]): readonly Allowance[] {
  return allowances.filter(({ stacks: own }) => own === "all" || own.some((stack) => stacks.includes(stack)));
}

/** Sorts findings into allowed ones and faults. */
export function judge(findings: readonly Finding[], allowances: readonly Allowance[]): Judgement {
  const allowed = allowances.map((allowance) => ({
    ...allowance,
    kinds: findings.filter((finding) => matchesStars(allowance.id, finding.id)).length,
  }));
  return {
    faults: findings.filter((finding) => !allowances.some((allowance) => matchesStars(allowance.id, finding.id))),
    allowed,
    obsolete: allowed.filter(({ occurs, kinds }) => occurs === "in every run" && kinds === 0),
  };
}

/** What each check demands, with the code that rejects if it is not so. */
export type Checks<Caller> = Readonly<Record<string, (caller: Caller) => Promise<void>>>;

export function demand(condition: boolean, value: unknown): void {
  if (!condition) throw new Error(`got ${JSON.stringify(value) ?? "nothing"}`);
}

/** Runs checks in their order. Resolves to a finding for each that fails. @param on what the findings are named after, if one caller of several */
export async function findingsOf<Caller>(
  checks: Checks<Caller>,
  caller: Caller,
  on?: string,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [about, check] of Object.entries(checks)) {
    const id = on === undefined ? about : `${about} (${on})`;
    try {
      // oxlint-disable-next-line no-await-in-loop -- later checks see what earlier ones changed
      await check(caller);
    } catch (thrown) {
      findings.push({ id, text: (thrown as Error).message });
    }
  }
  return findings;
}
