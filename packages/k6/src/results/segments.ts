// Execution segments, as k6 writes them: which part of a test an instance does. Those of one round have to be the whole, once.

/** A part of the whole, from 0 to 1. */
export interface Segment {
  readonly from: number;
  readonly to: number;
}

/** Fractions of k6 are exact; sums of floats are nearly so. */
const tolerance = 1e-9;

const fraction = String.raw`(?:\d{1,9}(?:\.\d{1,9})?)(?:\/\d{1,9})?`;
const form = new RegExp(`^(${fraction}):(${fraction})$`);

function numberOf(text: string): number {
  const [above = "", below = "1"] = text.split("/");
  return Number(above) / Number(below);
}

/** The segment of `1/3:2/3` and its like; undefined for what is none. */
export function segmentOf(text: string): Segment | undefined {
  const [, first = "", last = ""] = form.exec(text) ?? [];
  const [from, to] = [numberOf(first), numberOf(last)];
  return first !== "" && from >= 0 && to <= 1 && from < to ? { from, to } : undefined;
}

/** The segments of so many equal instances, as k6 takes them: each, and the sequence of all. */
export function equalSegments(count: number): { readonly segments: readonly string[]; readonly sequence: string } {
  const ends = Array.from({ length: count + 1 }, (_, index) =>
    index === 0 ? "0" : index === count ? "1" : `${index}/${count}`,
  );
  return { segments: ends.slice(1).map((end, index) => `${ends[index]}:${end}`), sequence: ends.join(",") };
}

/** What keeps these from being the whole: the first gap or overlap, in words; undefined where they are. */
export function faultOfSegments(texts: readonly string[]): string | undefined {
  const known = texts.map((text) => ({ text, segment: segmentOf(text) }));
  const strange = known.find(({ segment }) => segment === undefined);
  if (strange !== undefined) return `"${strange.text.slice(0, 40)}" is no execution segment`;
  const ordered = known.toSorted((one, other) => (one.segment?.from ?? 0) - (other.segment?.from ?? 0));
  let reached = 0;
  for (const { text, segment } of ordered) {
    const { from, to } = segment ?? { from: 0, to: 0 };
    if (from > reached + tolerance) return `nothing stands before segment ${text}, from ${shown(reached)}`;
    if (from < reached - tolerance) return `segment ${text} is done twice, in whole or in part`;
    reached = to;
  }
  return reached < 1 - tolerance ? `nothing stands behind ${shown(reached)}` : undefined;
}

function shown(share: number): string {
  return String(Number(share.toFixed(4)));
}
