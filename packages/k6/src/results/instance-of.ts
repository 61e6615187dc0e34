// Reads what an instance of k6 reports before its first call: when it began, its segment and its plan.
import { K6Error } from "../basics/k6-error.ts";
import type { K6Plan } from "../plan/k6-plan.ts";
import { plainText, type Point } from "./points.ts";

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
    if (from > reached + tolerance) return `nothing covers ${shownShare(reached)} to the begin of segment ${text}`;
    if (from < reached - tolerance) return `segment ${text} overlaps another`;
    reached = to;
  }
  return reached < 1 - tolerance ? `nothing covers ${shownShare(reached)} to 1` : undefined;
}

function shownShare(share: number): string {
  return String(Number(share.toFixed(4)));
}

/** One process of k6, as it reported itself. */
export interface ReportedInstance {
  readonly file: string;
  /** In milliseconds since 1970. */
  readonly t0Ms: number;
  readonly segment: string;
  /** For example `v1.8.1`; undefined if it was started without K6_VERSION. */
  readonly version: string | undefined;
}

const digitsShown = 12;

/** The largest time value of a Date. */
const mostTimeMs = 8.64e15;

function short(hash: string): string {
  return plainText(hash.slice(0, digitsShown));
}

/** The instance of a point, and its plan. Throws a K6Error `other-plan` if no plan matches, and a SyntaxError for an invalid point. */
export function instanceOf(
  { value, tags }: Point,
  plans: readonly K6Plan[],
  file: string,
): { readonly instance: ReportedInstance; readonly plan: K6Plan } {
  const { plan: hash = "", segment = "0:1", version = "" } = tags;
  const plan = plans.find(({ planHash }) => planHash === hash);
  if (plan === undefined) {
    throw new K6Error("other-plan", `${file} contains results of the plan ${short(hash)}, which is not of this export`);
  }
  if (!(value > 0 && value <= mostTimeMs)) throw new SyntaxError(`an instance cannot have begun at ${value}`);
  if (segmentOf(segment) === undefined) throw new SyntaxError(`"${plainText(segment)}" is not an execution segment`);
  const instance = { file, t0Ms: value, segment, version: version === "" ? undefined : plainText(version) };
  return { instance, plan };
}
