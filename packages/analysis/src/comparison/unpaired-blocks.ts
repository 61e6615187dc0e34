// A block that has nothing to stand against is left out of comparisons: how many there are, and whose fault it is.
import type { Pairing } from "../statistics/paired-log-ratio.ts";
import type { Warning } from "../run/run-facts.ts";
import { counted, listed } from "../basics/words.ts";

/** Two arms and how their blocks were paired. */
export interface PairedArms {
  readonly numeratorId: string;
  readonly denominatorId: string;
  readonly pairing: Pairing;
}

/** So many arms are named; the others are counted. */
const armsNamed = 3;

function namesText(armIds: readonly string[]): string {
  const others = armIds.length - armsNamed;
  return listed([...armIds.slice(0, armsNamed), ...(others > 0 ? [counted(others, "other arm")] : [])]);
}

/** One warning for the pairs that were dropped for one reason; none without any. */
function warningFor(
  code: string,
  why: string,
  rows: readonly PairedArms[],
  dropped: (pairing: Pairing) => { readonly numerator: number; readonly denominator: number },
): readonly Warning[] {
  const perArm = new Map<string, number>();
  for (const { numeratorId, denominatorId, pairing } of rows) {
    const { numerator, denominator } = dropped(pairing);
    perArm.set(numeratorId, (perArm.get(numeratorId) ?? 0) + numerator);
    perArm.set(denominatorId, (perArm.get(denominatorId) ?? 0) + denominator);
  }
  const concerned = [...perArm].filter(([, count]) => count > 0).toSorted(([, one], [, other]) => other - one);
  if (concerned.length === 0) return [];
  const pairs = concerned.reduce((sum, [, count]) => sum + count, 0);
  const message = `${counted(pairs, "pair")} of blocks left out of comparisons: ${why}`;
  const [[first] = [""], ...others] = concerned;
  if (others.length === 0) return [{ code, message, armId: first }];
  return [{ code, message: `${message}, in ${namesText(concerned.map(([id]) => id))}` }];
}

/** At most two warnings for a whole run, whatever its size: blocks without a latency, and blocks whose mean is 0. */
export function unpairedBlocks(rows: readonly PairedArms[]): readonly Warning[] {
  return [
    ...warningFor("unpaired-blocks", "one of the two has no answered task", rows, ({ missing }) => missing),
    ...warningFor(
      "zero-blocks",
      "one of the two has a mean of 0, to which there is no ratio",
      rows,
      ({ zero }) => zero,
    ),
  ];
}
