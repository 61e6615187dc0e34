// Ctrl-C, SIGTERM, a closed terminal and the end of the parent process. Interruptible work stops at a safe point; everything else ends at once.
import { onStarterGone } from "@roundtrip/runner/starter";
import { exitStatus } from "./cli-error.ts";

interface Interruptible {
  readonly controller: AbortController;
  readonly onFirst: () => void;
}

let current: Interruptible | undefined;

function onSignal(): void {
  // Child processes end when this one does.
  if (current === undefined || current.controller.signal.aborted) process.exit(exitStatus.interrupted);
  current.onFirst();
  current.controller.abort();
}

/** A closed terminal cannot send a second signal, and the first may have been sent with it. */
function onAlone(): void {
  if (current?.controller.signal.aborted !== true) onSignal();
}

/** Prints a reason before it stops: readers of a script's log have sent no signal. */
function onStarterEnded(): void {
  if (current?.controller.signal.aborted === true) return;
  process.stderr.write(
    "roundtrip: ending: the program that started it has ended; serve and fake go on with --detached\n",
  );
  onSignal();
}

let stopWatching = (): void => undefined;

/** Ends the program on signals with status `interrupted`, except during {@link interruptible} work; also with its parents, until {@link detach}. */
export function handleSignals(): void {
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal).on("SIGHUP", onAlone);
  stopWatching = onStarterGone(onStarterEnded);
}

/** Continues after the parent process has ended, or the terminal has closed. */
export function detach(): void {
  stopWatching();
  process.off("SIGHUP", onAlone).on("SIGHUP", () => undefined);
}

/** Aborts work on the first SIGINT or SIGTERM, after calling `onFirst`; the second ends the program at once. Do not nest. */
export async function interruptible<T>(onFirst: () => void, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  current = { controller, onFirst };
  try {
    return await work(controller.signal);
  } finally {
    current = undefined;
  }
}

export function reportStop(): void {
  process.stderr.write("Stopping; what was measured is kept. Ctrl-C again stops at once.\n");
}
