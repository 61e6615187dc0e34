// Warms up the pairs of one part of a round, until their numbers settle or for as long as there is, and keeps what their calls took.
import type { PlannedArm } from "../study/planned-arm.ts";
import { shortWarmUp, warmUpRules, type WarmUpRule } from "../measure/warm-up.ts";
import { isUnderLoad, type ProcessPair } from "../pair/process-pair.ts";
import type { WarmUpAnswer } from "../processes/messages.ts";
import type { RoundLog } from "../run-directory/round-log.ts";

export interface PartWarmUpOptions {
  /** How long all near pairs of a part call at once before each settles alone. */
  readonly warmUpMs: number;
  /** False where that is all, and no pair is waited for to settle. */
  readonly settles: boolean;
  /** Whether time is short, so that cells or calls are left out. */
  readonly isShort: boolean;
  readonly round: number;
}

export class PartWarmUp {
  readonly #options: PartWarmUpOptions;
  readonly #rules: ReturnType<typeof warmUpRules>;
  readonly #log: RoundLog;
  /** The time of a call of a pair that was warmed up alone, by configuration. */
  readonly #aloneMs = new Map<string, number>();

  constructor(options: PartWarmUpOptions, log: RoundLog) {
    this.#options = options;
    this.#rules = warmUpRules(options.warmUpMs, options.isShort);
    this.#log = log;
  }

  /** Pairs whose calls take the processor: all at once, and then each alone until it settles; versions of a server in turn with each other. */
  async near(pairs: readonly ProcessPair[]): Promise<void> {
    if (!this.#options.settles) {
      const versions = Map.groupBy(pairs, ({ configuration }) => configuration.versionlessId).values();
      await Promise.all([...versions].map((versionlessId) => this.#inTurn(versionlessId)));
      return;
    }
    await Promise.all(pairs.map((pair) => this.together(pair)));
    const { alone, underLoad } = this.#rules;
    for (const pair of pairs) await this.#settle(pair, alone, ...(pair.arms.some(isUnderLoad) ? [underLoad] : []));
  }

  /** A pair whose calls wait for the network: others may call meanwhile. */
  far(pair: ProcessPair): Promise<void> {
    return this.#settle(pair, this.#rules.far);
  }

  /** A pair that calls at once with others, and is not waited for to settle. */
  async together(pair: ProcessPair): Promise<void> {
    await pair.ask<WarmUpAnswer>({ ask: "warmUp", rule: this.#rules.together });
  }

  /** The time of a call while its processes were warmed up alone, by arm; undefined if it is unknown for any of these. */
  msPerCall(arms: readonly PlannedArm[]): ((arm: PlannedArm) => number) | undefined {
    const msOf = ({ configuration: { id } }: PlannedArm): number => this.#aloneMs.get(id) ?? Number.NaN;
    // Under a load calls do not follow each other.
    const isKnown = arms.every((arm) => !isUnderLoad(arm) && Number.isFinite(msOf(arm)));
    return isKnown ? msOf : undefined;
  }

  // One rule after the other: a pair has settled where the last of them says so.
  async #settle(pair: ProcessPair, ...rules: readonly WarmUpRule[]): Promise<void> {
    let [calls, elapsedMs, settled] = [0, 0, false];
    for (const rule of rules) {
      const answered = await pair.ask<WarmUpAnswer>({ ask: "warmUp", rule });
      if (rule === this.#rules.alone) this.#aloneMs.set(pair.configuration.id, answered.msPerCall);
      calls += answered.calls;
      elapsedMs += answered.elapsedMs;
      settled = answered.settled;
    }
    this.#note(pair, { calls, elapsedMs, settled });
  }

  async #inTurn(versions: readonly ProcessPair[]): Promise<void> {
    const [first, ...others] = versions;
    if (first === undefined) return;
    const hasLoad = versions.some((pair) => pair.arms.some(isUnderLoad));
    const rule = shortWarmUp(this.#options.warmUpMs, hasLoad);
    const inTurnWith = others.map(({ configuration }) => configuration.id);
    const answered = await first.ask<WarmUpAnswer>({ ask: "warmUp", rule, inTurnWith });
    for (const pair of versions) this.#note(pair, answered);
  }

  #note(pair: ProcessPair, { calls, elapsedMs, settled }: Omit<WarmUpAnswer, "msPerCall">): void {
    const { stack, settings: given } = pair.configuration;
    const held = Object.keys(given).length === 0 ? {} : { settings: given };
    this.#log.warmUps.push({ stack, ...held, round: this.#options.round, calls, elapsedMs, settled });
  }
}
