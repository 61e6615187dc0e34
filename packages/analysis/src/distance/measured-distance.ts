// How far apart client and server of an arm really were: the round-trip time that its link was measured to have, not the one asked for.
import type { Arm, Environment } from "../run/run-facts.ts";

/** The factor that says which round-trip time was asked for. */
export const distanceFactor = "rttMs";

/** Gives the measured round-trip time of an arm's link in ms; what was asked for where the run says no more, null without a distance. */
export function distanceIn({ links = [] }: Pick<Environment, "links">): (arm: Arm) => number | null {
  return ({ factors }) => {
    const asked = factors[distanceFactor];
    if (typeof asked !== "number") return null;
    const fitting = links.filter((one) => Object.entries(one.asked).every(([name, value]) => factors[name] === value));
    // What a link has as usual is not among what was asked of it: of several that fit, the one of which most was asked.
    const [link] = fitting.toSorted((one, other) => Object.keys(other.asked).length - Object.keys(one.asked).length);
    return link?.rttMs ?? asked;
  };
}
