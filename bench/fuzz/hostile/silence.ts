// Connections on which nothing comes: whatever would be spoken on them, each costs a place.
import type { Attack } from "./attack.ts";
import { expectDropped } from "./dropped.ts";

/** The attack on these styles. */
export function silence(styles: readonly string[]): Attack {
  return {
    name: "connections that say nothing are hung up on",
    styles,
    waits: true,
    run: ({ url }) => expectDropped(url, () => []),
  };
}
