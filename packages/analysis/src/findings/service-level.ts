// What is set on the services behind an arm, which are the same behind every stack.
import type { Arm } from "../run/run-facts.ts";

function isOfService(name: string): boolean {
  // A service's settings are named with their service.
  return name.includes(".");
}

/** `matrix.threads=4`; empty where everything is as usual. */
export function serviceLevel({ factors }: Pick<Arm, "factors">): string {
  const set = Object.entries(factors).filter(([name]) => isOfService(name));
  return set.map(([name, value]) => `${name}=${String(value)}`).join(", ");
}

/** The arm's factors without them. */
export function withoutServiceLevel({ factors }: Pick<Arm, "factors">): Arm["factors"] {
  return Object.fromEntries(Object.entries(factors).filter(([name]) => !isOfService(name)));
}
