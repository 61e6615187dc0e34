// The processes of a search: prepared as for a round, and replaced if one of them ends under load.
import type { PlannedArm } from "../study/planned-arm.ts";
import { ProcessPair } from "../pair/process-pair.ts";
import type { Placement } from "../processes/cores.ts";
import { preparePart } from "../rounds/prepare-part.ts";
import type { RoundSettings } from "../rounds/round.ts";
import { RoundLog } from "../run-directory/round-log.ts";

export interface SearchPairSettings extends RoundSettings {
  readonly placement: Placement;
}

/** The end of a process is noticed after a delay. */
const lossNoticeMs = 250;

/** A pair per configuration. A pair is replaced once one of its processes has ended. */
export class SearchPairs {
  readonly #settings: SearchPairSettings;
  readonly pairs: ProcessPair[] = [];

  constructor(settings: SearchPairSettings) {
    this.#settings = settings;
  }

  async start(arms: readonly PlannedArm[]): Promise<readonly ProcessPair[]> {
    const pairs = [...Map.groupBy(arms, ({ configuration }) => configuration.id).values()].flatMap((own) => {
      const [first] = own;
      return first === undefined ? [] : [new ProcessPair(first.configuration, own, this.#settings)];
    });
    this.pairs.push(...pairs);
    const { placement } = this.#settings;
    await preparePart(pairs, this.#settings, { round: 0, arms, placement }, new RoundLog(0, 0));
    return pairs;
  }

  /** The pair, or a new one if one of its processes has ended. */
  async alive(pair: ProcessPair): Promise<ProcessPair> {
    if ((await pair.endedProcess(lossNoticeMs)) === undefined) return pair;
    await pair.stop(true);
    return (await this.start(pair.arms))[0] ?? pair;
  }
}
