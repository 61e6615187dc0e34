// Several processes of k6 that share one test, each with its segment. They begin together when all are ready.
import { setTimeout as sleep } from "node:timers/promises";
import { equalSegments } from "../results/instance-of.ts";
import { Instance, type InstanceEnd, type InstanceOptions } from "./instance.ts";
import { join } from "node:path";

export interface InstancesOptions extends Pick<InstanceOptions, "k6" | "script" | "env" | "secrets" | "home" | "core"> {
  readonly count: number;
  /** The folder for their results. */
  readonly folder: string;
  /** How long each may take to become ready. */
  readonly readyLimitMs: number;
}

/** T0 is the next multiple of `everyMs` that is at least `leadMs` away, so instances choose the same one without communicating. */
const steps = { everyMs: 1_000, leadMs: 400 } as const;

/** Resumes shortly after a multiple, so that all instances choose the same next one. */
const behindMs = 15;

/** How long an instance may take to choose T0, on a busy machine. One that takes longer hangs. */
const choiceLimitMs = 10_000;

export class Instances {
  readonly all: readonly Instance[];
  readonly #readyLimitMs: number;

  constructor({ count, folder, readyLimitMs, ...common }: InstancesOptions) {
    const { segments, sequence } = equalSegments(count);
    this.#readyLimitMs = readyLimitMs;
    const env = { ...common.env, T0_STEP_MS: String(steps.everyMs), T0_LEAD_MS: String(steps.leadMs) };
    this.all = segments.map(
      (own, index) =>
        new Instance({
          ...common,
          env,
          label: count === 1 ? "the k6 process" : `k6 instance ${index + 1} of ${count}`,
          results: join(folder, `results-${index + 1}.json`),
          segment: count === 1 ? undefined : { own, sequence },
        }),
    );
  }

  get files(): readonly string[] {
    return this.all.map(({ results }) => results);
  }

  get pids(): readonly number[] {
    return this.all.flatMap(({ pid }) => pid ?? []);
  }

  get failed(): InstanceEnd | undefined {
    return this.all.map(({ failure }) => failure).find((failure) => failure !== undefined);
  }

  /** Resolves when one of them fails, or all have ended. */
  async settled(): Promise<void> {
    const failure = this.all.map(async ({ ended }) => {
      if ((await ended).isWell) await new Promise(() => undefined);
    });
    await Promise.race([Promise.all(this.all.map(({ ended }) => ended)), ...failure]);
  }

  /** Starts all and waits until all are paused. If one fails, stops the others and rejects with its K6Error `instance-failed`. */
  async start(): Promise<void> {
    try {
      await Promise.all(this.all.map((instance) => instance.start(this.#readyLimitMs)));
    } catch (thrown) {
      await this.stop(0);
      throw thrown;
    }
  }

  /** Resumes all at the same time. Resolves to the T0 that they have chosen, in milliseconds since 1970: the last one, if a busy machine kept them apart. */
  async resume(): Promise<number> {
    const { everyMs } = steps;
    await sleep(everyMs - (Date.now() % everyMs) + behindMs);
    await Promise.all(this.all.map((instance) => instance.resume()));
    const chosen = Promise.all(this.all.map(({ t0Ms }) => t0Ms)).then((all) => Math.max(...all));
    const noChoice = Promise.race([this.settled(), sleep(choiceLimitMs, undefined, { ref: false })]);
    return Promise.race([chosen, noChoice.then(() => Date.now())]);
  }

  /** Stops all; see {@link Instance.stop}. */
  async stop(graceMs?: number): Promise<void> {
    await Promise.all(this.all.map((instance) => instance.stop(graceMs)));
  }
}
