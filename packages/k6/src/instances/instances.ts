// Several processes of k6 that do one test together, each its segment of it: ready all, they begin at once.
import { setTimeout as sleep } from "node:timers/promises";
import { equalSegments } from "../results/segments.ts";
import { Instance, type InstanceEnd, type InstanceOptions } from "./instance.ts";
import { join } from "node:path";

export interface InstancesOptions extends Pick<InstanceOptions, "k6" | "script" | "env" | "home" | "core"> {
  readonly count: number;
  /** Where their results go. */
  readonly folder: string;
  /** How long each may take to be ready. */
  readonly readyLimitMs: number;
}

/** T0 is a multiple of so many milliseconds of the time of day, the next that is no nearer than the lead: none has to be told to the others. */
const steps = { everyMs: 1_000, leadMs: 400 } as const;

/** Behind a multiple, so that all that are resumed then have the same before them. */
const behindMs = 15;

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

  /** The first that has failed. */
  get failed(): { readonly instance: Instance; readonly end: InstanceEnd } | undefined {
    for (const instance of this.all) {
      const { failure: end } = instance;
      if (end !== undefined) return { instance, end };
    }
    return undefined;
  }

  /** True where one of them goes on and has written nothing for so long; it has failed then. */
  noteSilence(limitMs: number): boolean {
    return this.all.some((instance) => instance.noteSilence(limitMs));
  }

  /** Resolves when one of them fails, or all have ended. */
  async settled(): Promise<void> {
    const failure = this.all.map(async ({ ended }) => {
      if ((await ended).isWell) await new Promise(() => undefined);
    });
    await Promise.race([Promise.all(this.all.map(({ ended }) => ended)), ...failure]);
  }

  /** Starts all and waits until all wait; stops those that do when one does not, and rejects with its K6Error `instance-failed`. */
  async start(): Promise<void> {
    try {
      await Promise.all(this.all.map((instance) => instance.start(this.#readyLimitMs)));
    } catch (thrown) {
      await this.stop(0);
      throw thrown;
    }
  }

  /** Lets all begin at the same moment. Gives T0 in milliseconds of the time of day, as they will find it themselves. */
  async resume(): Promise<number> {
    const { everyMs } = steps;
    await sleep(everyMs - (Date.now() % everyMs) + behindMs);
    const t0Ms = (Math.floor(Date.now() / everyMs) + 1) * everyMs;
    await Promise.all(this.all.map((instance) => instance.resume()));
    return t0Ms;
  }

  /** Ends all; see {@link Instance.stop}. */
  async stop(graceMs?: number): Promise<void> {
    await Promise.all(this.all.map((instance) => instance.stop(graceMs)));
  }
}
