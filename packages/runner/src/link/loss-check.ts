// Checks the loss of a link: datagrams at a pace that causes no other loss, counted at the other end and
// again when they are back, and tested against the binomial distribution.
import type { LinkSettings } from "../study/link-settings.ts";

/** How many datagrams to send, and how many a second. */
export interface DatagramPlan {
  readonly count: number;
  readonly paceHz: number;
}

/** Those that were sent there, those of them that came there, and those of them that came back. */
export interface DatagramFacts {
  readonly sent: number;
  readonly arrived: number;
  readonly returned: number;
}

export const noDatagrams: DatagramPlan = { count: 0, paceHz: 1 };

/** What each carries; with the headers of Ethernet, IP and UDP. */
export const datagramBytes = 64;
const onLineBytes = datagramBytes + 42;

/** Receivers hold some hundred: half a second of a busy machine loses none. */
const mostHz = 1_000;
/** With more on the line they would wait for it. */
const shareOfLine = 0.5;
const longestSeconds = 2.5;
/** That a link without loss loses something shows soon; a link with loss is to lose some thirty. */
const [leastCount, lostToCount] = [100, 30];

/** A correct link fails the check once in a thousand times. */
const leastProbability = 0.001 / 2;

/** What to send over a link with these settings: two and a half seconds of it at most. */
export function datagramsFor({ loss, bandwidthMbps = Infinity }: LinkSettings): DatagramPlan {
  const paceHz = Math.min(mostHz, (shareOfLine * bandwidthMbps * 1e6) / (8 * onLineBytes));
  const wanted = loss === 0 ? leastCount : Math.max(Math.ceil(lostToCount / loss), leastCount);
  return { count: Math.floor(Math.min(wanted, longestSeconds * paceHz)), paceHz };
}

/** The probabilities, 0 to 1, that of so many packets as few or fewer are lost, and as many or more, where each is with probability `loss`. */
export function tailsOfLoss(
  sent: number,
  lost: number,
  loss: number,
): { readonly asFew: number; readonly asMany: number } {
  if (loss === 0) return { asFew: 1, asMany: lost === 0 ? 1 : 0 };
  let logarithm = sent * Math.log1p(-loss);
  let asFew = 0;
  let asMany = 0;
  for (let count = 0; count <= sent; count += 1) {
    const probability = Math.exp(logarithm);
    if (count <= lost) asFew += probability;
    if (count >= lost) asMany += probability;
    logarithm += Math.log((sent - count) / (count + 1)) + Math.log(loss) - Math.log1p(-loss);
  }
  return { asFew, asMany };
}

function faultOneWay(sent: number, came: number, { loss }: LinkSettings, way: string): string | undefined {
  const { asFew, asMany } = tailsOfLoss(sent, sent - came, loss);
  if (asFew >= leastProbability && asMany >= leastProbability) return undefined;
  const asked = loss === 0 ? "none" : `${Number((100 * loss).toPrecision(3))} %`;
  return `${sent - came} of ${sent} packets were lost on the way ${way}, where ${asked} is to be`;
}

/** How the loss differs from the requested one; undefined if it does not, in both directions, or if nothing was sent. */
export function lossFault(settings: LinkSettings, { sent, arrived, returned }: DatagramFacts): string | undefined {
  return (
    faultOneWay(sent, arrived, settings, "to the server") ?? faultOneWay(arrived, returned, settings, "to the client")
  );
}
