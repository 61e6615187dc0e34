// Whose client spins while it waits for the moment to begin a task: its CPU time says nothing of what calls cost.
import type { Arm } from "./run-facts.ts";

/** True for open loops, and for closed ones with pauses. */
export function waitsByTurns({ load, factors }: Pick<Arm, "load" | "factors">): boolean {
  return load !== undefined && (load.loop === "open" || factors["thinkMs"] !== 0);
}
