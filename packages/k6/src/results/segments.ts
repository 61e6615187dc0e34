// Execution segments in k6's notation: the part of a test that an instance runs. Those of one round must cover the whole once.

/** A part of the whole, from 0 to 1. */
export interface Segment {
  readonly from: number;
  readonly to: number;
}

/** For rounding errors: k6 uses exact fractions. */
const tolerance = 1e-9;

const fraction = String.raw`(?:\d{1,9}(?:\.\d{1,9})?)(?:\/\d{1,9})?`;
const form = new RegExp(`^(${fraction}):(${fraction})$`);

function numberOf(text: string): number {
  const [above = "", below = "1"] = text.split("/");
  return Number(above) / Number(below);
}

/** Parses a segment such as `1/3:2/3`; undefined for an invalid one. */
export function segmentOf(text: string): Segment | undefined {
  const [, first = "", last = ""] = form.exec(text) ?? [];
  const [from, to] = [numberOf(first), numberOf(last)];
  return first !== "" && from >= 0 && to <= 1 && from < to ? { from, to } : undefined;
}

/** The segments of equal instances in k6's notation: each segment, and the sequence of all. */
export function equalSegments(count: number): { readonly segments: readonly string[]; readonly sequence: string } {
  const ends = Array.from({ length: count + 1 }, (_, index) =>
    index === 0 ? "0" : index === count ? "1" : `${index}/${count}`,
  );
  return { segments: ends.slice(1).map((end, index) => `${ends[index]}:${end}`), sequence: ends.join(",") };
}

/** The first gap or overlap of these segments, in words; undefined if they cover the whole once. */
export function segmentsError(texts: readonly string[]): string | undefined {
  const known = texts.map((text) => ({ text, segment: segmentOf(text) }));
  const strange = known.find(({ segment }) => segment === undefined);
  if (strange !== undefined) return `"${strange.text.slice(0, 40)}" is not an execution segment`;
  const ordered = known.toSorted((one, other) => (one.segment?.from ?? 0) - (other.segment?.from ?? 0));
  let reached = 0;
  for (const { text, segment } of ordered) {
    const { from, to } = segment ?? { from: 0, to: 0 };
    if (from > reached + tolerance) return `nothing covers ${shown(reached)} to the begin of segment ${text}`;
    if (from < reached - tolerance) return `segment ${text} overlaps another`;
    reached = to;
  }
  return reached < 1 - tolerance ? `nothing covers ${shown(reached)} to 1` : undefined;
}

function shown(share: number): string {
  return String(Number(share.toFixed(4)));
}
