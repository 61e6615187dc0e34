// The interface of a third-party suite: its servers, its tools, its findings, and the allowed ones.
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
