// Warms up the pairs of one part of a round, until their times settle or the time is over, and estimates how long their tasks take.
import type { WarmUpTrend } from "@roundtrip/runs";
import type { PlannedArm } from "../study/planned-arm.ts";
import { shortWarmUp, smallCodeRule, togetherRule, warmUpRules, type WarmUpRule } from "../measure/warm-up.ts";
import { isUnderLoad, type ProcessPair } from "./process-pair.ts";
import type { WarmUpAnswer } from "../processes/messages.ts";
import type { RoundLog } from "../run-directory/round-log.ts";

export interface PartWarmUpOptions {
  /** How long all near pairs of a part call at once before each settles alone; longer for more pairs than usual. */
  readonly warmUpMs: number;
  /** False if the warm-up ends there, without waiting for any pair to settle. */
  readonly settles: boolean;
  readonly round: number;
}

/** How much longer than any warm one a task may take whose code is not compiled yet. */
const timesCold = 2;

export class PartWarmUp {
  readonly #options: PartWarmUpOptions;
  readonly #rules: ReturnType<typeof warmUpRules>;
  readonly #log: RoundLog;
  readonly #taskMs = new Map<string, number>();

  constructor(options: PartWarmUpOptions, log: RoundLog) {
    this.#options = options;
    this.#rules = warmUpRules(options.warmUpMs);
    this.#log = log;
  }

  /** Warms up pairs whose calls use the processor: all at once, then each alone until it settles, with the versions of a server in turn. */
  async near(pairs: readonly ProcessPair[]): Promise<void> {
    if (!this.#options.settles) {
      const versions = Map.groupBy(pairs, ({ configuration }) => configuration.versionlessId).values();
      await Promise.all([...versions].map((versionlessId) => this.#inTurn(versionlessId)));
      return;
    }
    const { alone, underLoad } = this.#rules;
    const { warmUpMs } = this.#options;
    const served = pairs.filter(({ isInProcess }) => !isInProcess);
    const rule = togetherRule(warmUpMs, served.length);
    await Promise.all(served.map((pair) => pair.ask<WarmUpAnswer>({ ask: "warmUp", rule })));
    for (const pair of pairs) {
      if (pair.isInProcess || pair.arms.every(({ role }) => role === "floor"))
        await this.#settle(pair, smallCodeRule(warmUpMs));
      else await this.#settle(pair, alone, ...(pair.arms.some(isUnderLoad) ? [underLoad] : []));
    }
  }

  /** Warms up a pair whose calls wait for the network: others may call meanwhile. */
  far(pair: ProcessPair): Promise<void> {
    return this.#settle(pair, this.#rules.far);
  }

  /** Warms up a pair beside others, without waiting for it to settle. */
  async together(pair: ProcessPair): Promise<void> {
    await pair.ask<WarmUpAnswer>({ ask: "warmUp", rule: this.#rules.together });
  }

  /** The estimated time of a task, by arm; undefined if it is unknown for any of these. */
  taskMs(arms: readonly PlannedArm[]): ((arm: PlannedArm) => number) | undefined {
    const ofConfiguration = Map.groupBy(arms, ({ configuration }) => configuration.id);
    const msOf = (arm: PlannedArm): number => {
      const known = this.#taskMs.get(arm.id);
      if (known !== undefined) return known;
      if (arm.configuration.warmUp === false) return timesCold * Math.max(...this.#taskMs.values());
      // A sequential arm that only another one warmed up, which makes the same calls at once: each takes as long as all of those.
      const others = ofConfiguration.get(arm.configuration.id) ?? [];
      const setMs = others.map(({ id, plan, callsPerTask }) => {
        const ms = this.#taskMs.get(id) ?? 0;
        return plan.order === "sequential" ? ms / callsPerTask : ms;
      });
      const slowestMs = Math.max(...setMs);
      return slowestMs === 0 ? Number.NaN : arm.callsPerTask * slowestMs;
    };
    // Under load, calls overlap.
    const isKnown = arms.every((arm) => !isUnderLoad(arm) && Number.isFinite(msOf(arm)));
    return isKnown ? msOf : undefined;
  }

  // One rule after the other; the last one decides whether the pair has settled.
  async #settle(pair: ProcessPair, ...rules: readonly WarmUpRule[]): Promise<void> {
    let [calls, elapsedMs] = [0, 0];
    let trend: WarmUpTrend = "hidden";
    for (const rule of rules) {
      const answered = await pair.ask<WarmUpAnswer>({ ask: "warmUp", rule });
      for (const [armId, ms] of Object.entries(answered.taskMs)) this.#taskMs.set(armId, ms);
      calls += answered.calls;
      elapsedMs += answered.elapsedMs;
      trend = answered.trend;
    }
    this.#record(pair, { calls, elapsedMs, trend });
  }

  async #inTurn(versions: readonly ProcessPair[]): Promise<void> {
    const [first, ...others] = versions;
    if (first === undefined) return;
    const hasLoad = versions.some((pair) => pair.arms.some(isUnderLoad));
    const rule = shortWarmUp(this.#options.warmUpMs, hasLoad);
    const inTurnWith = others.map(({ configuration }) => configuration.id);
    const answered = await first.ask<WarmUpAnswer>({ ask: "warmUp", rule, inTurnWith });
    for (const pair of versions) this.#record(pair, answered);
  }

  #record(pair: ProcessPair, { calls, elapsedMs, trend }: Omit<WarmUpAnswer, "taskMs">): void {
    const { stack, settings } = pair.configuration;
    const known = Object.keys(settings).length === 0 ? {} : { settings };
    this.#log.warmUps.push({ stack, ...known, round: this.#options.round, calls, elapsedMs, trend });
  }
}
