// Checks the loss of a link: datagrams at a pace that causes no other loss are counted at the other end and again on their return, and tested against
// the binomial distribution.
import type { LinkSettings } from "../study/link-settings.ts";

/** The number of datagrams to send, and how many a second. */
export interface DatagramPlan {
  readonly count: number;
  readonly paceHz: number;
}

/** How many were sent, how many of them arrived, and how many of those returned. */
export interface DatagramFacts {
  readonly sent: number;
  readonly arrived: number;
  readonly returned: number;
}

export const noDatagrams: DatagramPlan = { count: 0, paceHz: 1 };

/** The payload of each; on the line with the headers of Ethernet, IP and UDP. */
export const datagramBytes = 64;
const onLineBytes = datagramBytes + 42;

/** Receivers buffer some hundred: half a second without a processor loses none. */
const mostHz = 1_000;
/** At a higher share of the bandwidth, datagrams would queue. */
const shareOfLine = 0.5;
const longestSeconds = 2.5;
/** An unexpected loss shows after few datagrams; a link with loss should lose about thirty. */
const [leastCount, lostToCount] = [100, 30];

/** A correct link fails the check once in a thousand times. */
const leastProbability = 0.001 / 2;

/** The datagrams to send over a link with these settings: at most two and a half seconds of them. */
export function datagramsFor({ loss, bandwidthMbps = Infinity }: LinkSettings): DatagramPlan {
  const paceHz = Math.min(mostHz, (shareOfLine * bandwidthMbps * 1e6) / (8 * onLineBytes));
  const wanted = loss === 0 ? leastCount : Math.max(Math.ceil(lostToCount / loss), leastCount);
  return { count: Math.floor(Math.min(wanted, longestSeconds * paceHz)), paceHz };
}

/** The probabilities, 0 to 1, that at most and at least `lost` of `sent` packets are lost, if each is lost with probability `loss`. */
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

function faultInDirection(sent: number, came: number, { loss }: LinkSettings, direction: string): string | undefined {
  const { asFew, asMany } = tailsOfLoss(sent, sent - came, loss);
  if (asFew >= leastProbability && asMany >= leastProbability) return undefined;
  const asked = loss === 0 ? "none" : `${Number((100 * loss).toPrecision(3))} %`;
  return `${sent - came} of ${sent} packets were lost on the path ${direction}, expected ${asked}`;
}

/** How the loss differs from the requested one in either direction; undefined if it does not, or if nothing was sent. */
export function lossFault(settings: LinkSettings, { sent, arrived, returned }: DatagramFacts): string | undefined {
  return (
    faultInDirection(sent, arrived, settings, "to the server") ??
    faultInDirection(arrived, returned, settings, "to the client")
  );
}
