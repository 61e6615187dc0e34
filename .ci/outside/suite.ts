// What a suite from outside is to the command that runs it: where it runs, what it asks of the machine, what it found, and which
// of that is allowed.
import type { Tool } from "./tools.ts";

/** One kind of deviation that a suite saw. */
export interface Finding {
  /** The same in every run: what an allowance names. */
  readonly id: string;
  /** What happened, for people. */
  readonly text: string;
}

/** A deviation that stays, because this project has a reason for it. */
export interface Allowance {
  /** The id of a finding; `*` stands for any text. */
  readonly id: string;
  readonly reason: string;
  /** Whether its absence from a run means that it is gone; what draws at random may miss it. */
  readonly occurs: "in every run" | "by chance";
}

/** Where a suite runs. */
export interface Stand {
  /** Where the server of a style listens; throws for a style that the suite did not ask for. */
  readonly url: (style: string) => string;
  /** The stack that serves a style. */
  readonly stack: (style: string) => string;
  /** An empty directory, gone after the run. */
  readonly directory: string;
  /** What a suite that draws at random starts from. */
  readonly seed: number;
  /** How many requests a suite that makes them up sends at least; undefined for the number that suits continuous integration. */
  readonly requests: number | undefined;
}

/** What a suite said. */
export interface SuiteResult {
  /** The suite's program and its version. */
  readonly program: string;
  /** What `checked` counts, in the plural. */
  readonly unit: string;
  readonly checked: number;
  readonly passed: number;
  /** The deviations of what did not pass, each kind once. */
  readonly findings: readonly Finding[];
}

export interface Suite {
  /** What the suite is and what it looks at, in one sentence. */
  readonly about: string;
  /** The styles that are served while it runs. */
  readonly styles: readonly [string, ...string[]];
  /** What it needs that is no dependency of this project. */
  readonly tools: readonly Tool[];
  readonly allowed: readonly Allowance[];
  /** What it checks in every run, counted before it runs; undefined where chance decides. */
  readonly size: number | undefined;
  /** Runs it to its end. Rejects when it broke, which is no finding. */
  run(stand: Stand): Promise<SuiteResult>;
}
