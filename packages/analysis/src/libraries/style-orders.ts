// Whether one style is faster than another whatever their libraries: the order in each pair of their stacks.
import { randomFrom } from "../statistics/random.ts";
import { simultaneousIntervals } from "../statistics/simultaneous-intervals.ts";

/** The order of two styles over all pairs of their stacks: the same in `every` pair, it `depends` on the libraries, or is `unclear` in some pairs. */
export interface StyleOrder {
  /** The style that is faster, or where the order depends on libraries in most pairs. */
  readonly faster: string;
  readonly slower: string;
  readonly order: "every" | "depends" | "unclear";
  readonly pairs: number;
  /** The pairs in which `faster` is clearly faster, and those in which it is clearly slower. */
  readonly fasterIn: number;
  readonly slowerIn: number;
}

/** The logarithms of one stack by round; only of rounds that all stacks have. */
export type Logs = readonly number[];

/** A style with the logarithms of each of its stacks. */
export interface StyleLogs {
  readonly style: string;
  readonly logs: readonly Logs[];
}

/** A critical value from fewer draws than usual: there are many pairs of stacks, and only signs are read. */
const drawsOfOrders = 40_000;

/** The orders of all styles, except of two that have one stack each: they are compared already. */
export function ordersOf(styles: readonly StyleLogs[], stream: string, seed: number): readonly StyleOrder[] {
  const pairs = styles
    .flatMap((one, index) => styles.slice(index + 1).map((other) => ({ one, other })))
    .filter(({ one, other }) => one.logs.length * other.logs.length > 1);
  const rows = pairs.flatMap(({ one, other }, pair) =>
    one.logs.flatMap((slow) =>
      other.logs.map((fast) => ({ pair, logRatios: slow.map((value, round) => value - (fast[round] as number)) })),
    ),
  );
  const intervals = simultaneousIntervals(
    rows.map(({ logRatios }) => logRatios),
    randomFrom(seed, stream),
    drawsOfOrders,
  );
  return pairs.map(({ one, other }, pair) => {
    const ofPair = intervals.filter((_, index) => rows[index]?.pair === pair);
    const slower = ofPair.filter((interval) => interval !== null && interval.low > 0).length;
    const faster = ofPair.filter((interval) => interval !== null && interval.high < 0).length;
    const [first, second] = slower > faster ? [other, one] : [one, other];
    const same = Math.max(slower, faster) === ofPair.length ? "every" : "unclear";
    const order = slower > 0 && faster > 0 ? "depends" : same;
    return {
      faster: first.style,
      slower: second.style,
      order,
      pairs: ofPair.length,
      fasterIn: Math.max(slower, faster),
      slowerIn: Math.min(slower, faster),
    };
  });
}
