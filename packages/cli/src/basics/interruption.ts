// Ctrl-C, SIGTERM, a terminal that closes and a starter that is gone: work that can stop at a safe point is asked to, everything else ends at once.
import { onStarterGone } from "@roundtrip/runner/starter";
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

/** Nobody is there any more who could ask a second time, and a first time may have been what ended them. */
function onAlone(): void {
  if (current?.controller.signal.aborted !== true) onSignal();
}

/** Says why before it ends: whoever reads the log of a script has sent no signal. */
function onStarterEnded(): void {
  if (current?.controller.signal.aborted === true) return;
  process.stderr.write(
    "roundtrip: ending: the program that started it has ended; serve and fake go on with --detached\n",
  );
  onSignal();
}

let stopWatching = (): void => undefined;

/**
 * Handles signals from now on: they end the program with the status `interrupted`, unless it does {@link interruptible} work. So does the end of the
 * programs that started this one, until {@link detach}.
 */
export function handleSignals(): void {
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal).on("SIGHUP", onAlone);
  stopWatching = onStarterGone(onStarterEnded);
}

/** Goes on from now on when whoever started this program has ended, or the terminal has closed. */
export function detach(): void {
  stopWatching();
  process.off("SIGHUP", onAlone).on("SIGHUP", () => undefined);
}

/**
 * Does work whose abort signal fires on the first SIGINT or SIGTERM; the second ends the program at once. Not to be nested.
 * @param onFirst called on the first signal, for example to print a message.
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

/** Says on the first signal what becomes of a measurement. */
export function reportStop(): void {
  process.stderr.write("Stopping; what was measured is kept. Ctrl-C again stops at once.\n");
}
