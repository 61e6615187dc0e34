// Ctrl-C and SIGTERM: work that can stop at a safe point is asked to, everything else ends at once.
import { exitStatus } from "./exit-status.ts";

interface Interruptible {
  readonly controller: AbortController;
  readonly onFirst: () => void;
}

let current: Interruptible | undefined;

function onSignal(): void {
  // Child processes end by themselves when this one is gone.
  if (current === undefined || current.controller.signal.aborted) process.exit(exitStatus.interrupted);
  current.onFirst();
  current.controller.abort();
}

/** Handles signals from now on: they end the program with the status `interrupted`, unless it does {@link interruptible} work. */
export function handleSignals(): void {
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
}

/**
 * Does work that hears of the first signal through its abort signal; a second one ends the program at once. Not to be nested.
 * @param onFirst what to tell the user when the first signal comes.
 */
export async function interruptible<T>(onFirst: () => void, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  current = { controller, onFirst };
  try {
    return await work(controller.signal);
  } finally {
    current = undefined;
  }
}
