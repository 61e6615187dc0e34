// The real distance of an arm: the measured round-trip time of its link, not the requested one.
import type { Arm, Environment } from "../run/run-facts.ts";

export const distanceFactor = "rttMs";

/** Returns the measured round-trip time of an arm's link in milliseconds; the requested one if not measured, null without a distance. */
export function distanceOfArm({ links = [] }: Pick<Environment, "links">): (arm: Arm) => number | null {
  return ({ factors }) => {
    const asked = factors[distanceFactor];
    if (typeof asked !== "number") return null;
    const fitting = links.filter((one) => Object.entries(one.asked).every(([name, value]) => factors[name] === value));
    // Links omit requests that are defaults: of several that fit, the one with the most requests applies.
    const [link] = fitting.toSorted((one, other) => Object.keys(other.asked).length - Object.keys(one.asked).length);
    return link?.rttMs ?? asked;
  };
}
