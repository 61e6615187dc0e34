// What an instance of k6 tells of itself before its first call: when it began, which part of which plan it does.
import { K6Error } from "../k6-error.ts";
import type { K6Plan } from "../plan/k6-plan.ts";
import type { Point } from "./point.ts";

/** One process of k6, as it told of itself. */
export interface ToldInstance {
  readonly file: string;
  /** In milliseconds of the time of day. */
  readonly t0Ms: number;
  readonly segment: string;
  /** For example `v1.8.1`; undefined where whoever started it did not say. */
  readonly version: string | undefined;
}

const digitsShown = 12;

function short(hash: string): string {
  return /^[0-9a-f]+$/.test(hash) ? hash.slice(0, digitsShown) : JSON.stringify(hash.slice(0, digitsShown));
}

/** What of a plan an instance tells beside its hash, and what that is in a plan. */
const told: readonly (readonly [string, string, (plan: K6Plan) => string])[] = [
  ["contract", "the contract", ({ contractHash }) => short(contractHash)],
  ["studies", "the studies", ({ studies }) => studies.join(",")],
  ["seed", "the seed", ({ seed }) => String(seed)],
  ["round", "the round", ({ round }) => String(round)],
];

/** What keeps the results from being of this plan, as far as the instance told it. */
function difference(tags: Point["tags"], plan: K6Plan): string {
  const parts = told.flatMap(([tag, name, of]) => {
    const value = tags[tag];
    const theirs = value === undefined ? undefined : tag === "contract" ? short(value) : value;
    return theirs === undefined || theirs === of(plan) ? [] : [`${name} ${theirs} and not ${of(plan)}`];
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
  const { plan: hash = "", segment = "0:1", version } = tags;
  const plan = plans.find(({ planHash }) => planHash === hash);
  // Of an export with several rounds, the one that the same round is to be.
  const nearest = plans.find(({ round }) => String(round) === tags["round"]) ?? plans[0];
  if (plan === undefined) {
    const why = nearest === undefined ? "" : `, and not of ${short(nearest.planHash)}: ${difference(tags, nearest)}`;
    throw new K6Error("other-plan", `${file} holds results of the plan ${short(hash)}${why}`);
  }
  if (!Number.isFinite(value) || value <= 0) throw new SyntaxError(`an instance cannot have begun at ${value}`);
  return { instance: { file, t0Ms: value, segment, version: version === "" ? undefined : version }, plan };
}
