// What an instance of k6 tells of itself before its first call: when it began, which part of which plan it does.
import { K6Error } from "../k6-error.ts";
import type { K6Plan } from "../plan/k6-plan.ts";
import { plainText } from "./plain-text.ts";
import type { Point } from "./point.ts";
import { segmentOf } from "./segments.ts";

/** One process of k6, as it told of itself. */
export interface ToldInstance {
  readonly file: string;
  /** In milliseconds of the time of day. */
  readonly t0Ms: number;
  readonly segment: string;
  /** For example `v1.8.1`; undefined where whoever started it did not say. */
  readonly version: string | undefined;
  /** How far its clock was ahead of a server's, which all instances asked; NaN where none told its time. */
  readonly clockMs: number;
}

const digitsShown = 12;

/** The last moment that a Date can hold. */
const mostTimeMs = 8.64e15;

function short(hash: string): string {
  return plainText(hash.slice(0, digitsShown));
}

/** What of a plan an instance tells beside its hash, and what that is in a plan. */
const told: readonly (readonly [string, string, (plan: K6Plan) => string])[] = [
  ["contract", "the contract", ({ contractHash }) => contractHash],
  ["studies", "the studies", ({ studies }) => studies.join(",")],
  ["seed", "the seed", ({ seed }) => String(seed)],
  ["round", "the round", ({ round }) => String(round)],
];

/** What keeps the results from being of this plan, as far as the instance told it. */
function difference(tags: Point["tags"], plan: K6Plan): string {
  const parts = told.flatMap(([tag, name, of]) => {
    const [theirs, ours] = [tags[tag], of(plan)];
    const shown = tag === "contract" ? short : plainText;
    return theirs === undefined || theirs === ours ? [] : [`${name} ${shown(theirs)} and not ${shown(ours)}`];
  });
  return parts.length === 0 ? "the schedule or the requests are others" : parts.join(", ");
}

/**
 * The instance that a point tells of, and its plan. Throws a K6Error `other-plan` where that is none of these, with the difference from the first of
 * them, and a SyntaxError for a point that tells no instance.
 */
export function instanceOf(
  { value, tags }: Point,
  plans: readonly K6Plan[],
  file: string,
): { readonly instance: ToldInstance; readonly plan: K6Plan } {
  const { plan: hash = "", segment = "0:1", version = "", clock_ms: clock = "" } = tags;
  const plan = plans.find(({ planHash }) => planHash === hash);
  // Of an export with several rounds, the one that the same round is to be.
  const nearest = plans.find(({ round }) => String(round) === tags["round"]) ?? plans[0];
  if (plan === undefined) {
    const why = nearest === undefined ? "" : `, and not of ${short(nearest.planHash)}: ${difference(tags, nearest)}`;
    throw new K6Error("other-plan", `${file} holds results of the plan ${short(hash)}${why}`);
  }
  if (!(value > 0 && value <= mostTimeMs)) throw new SyntaxError(`an instance cannot have begun at ${value}`);
  if (segmentOf(segment) === undefined) throw new SyntaxError(`"${plainText(segment)}" is no execution segment`);
  const clockMs = clock === "" ? Number.NaN : Number(clock);
  if (clock !== "" && !Number.isFinite(clockMs)) throw new SyntaxError(`"${plainText(clock)}" is no time of a clock`);
  const instance = { file, t0Ms: value, segment, version: version === "" ? undefined : plainText(version), clockMs };
  return { instance, plan };
}
