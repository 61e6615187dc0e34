// Ctrl-C, SIGTERM, a closed terminal and the end of the parent process. Interruptible work stops at a safe point, and files are written whole. Everything
// else ends at once, by the kernel, however busy or blocked it is; the guard of `@roundtrip/runner/lifetime` then ends and removes what it started and made.
import { onStarterGone } from "@roundtrip/runner/starter";
import { platform } from "node:os";
import { exitStatus } from "./cli-error.ts";

type Listener = () => void;

function end(): void {
  process.exit(exitStatus.interrupted);
}

const ignore: Listener = () => undefined;

/** Undefined for the kernel's own action. It ignores signals to the first process of a container, and Windows has no guard. */
let atOnce: Listener | undefined = process.pid === 1 || platform() === "win32" ? end : undefined;

const listeners = new Map<NodeJS.Signals, Listener>();

function listen(name: NodeJS.Signals, listener: Listener | undefined): void {
  const earlier = listeners.get(name);
  if (listener !== undefined) process.on(name, listener);
  if (earlier !== undefined) process.off(name, earlier);
  if (listener === undefined) listeners.delete(name);
  else listeners.set(name, listener);
}

/** What happens when the terminal is closed outside of interruptible work. */
let onClosed = atOnce;
/** What happens when the parent process has ended. */
let onGone: Listener = end;

function listenWith(onSignal: Listener | undefined, onHangUp: Listener | undefined): void {
  listen("SIGINT", onSignal);
  listen("SIGTERM", onSignal);
  listen("SIGHUP", onHangUp);
}

/** Prints a reason before it stops: readers of a script's log have sent no signal. */
function onStarterEnded(): void {
  if (onGone === ignore) return;
  process.stderr.write(
    "roundtrip: ending: the program that started it has ended; serve and fake go on with --detached\n",
  );
  onGone();
}

let stopWatching: Listener = ignore;

/** Ends the program on signals, except during {@link interruptible} work; also with its parents, until {@link detach}. */
export function handleSignals(): void {
  // A script's `command &` ignores SIGINT. A listener that is removed leaves the kernel's usual action.
  for (const name of ["SIGINT", "SIGTERM"] as const) listen(name, ignore);
  listenWith(atOnce, onClosed);
  stopWatching = onStarterGone(onStarterEnded);
}

/** Continues after the parent process has ended, or the terminal has closed. */
export function detach(): void {
  stopWatching();
  onClosed = ignore;
  listen("SIGHUP", ignore);
}

/** Whether {@link interruptible} work is going on. */
let isInterruptible = false;

/** Aborts work on the first SIGINT or SIGTERM, after calling `onFirst`; the second ends the program at once. Do not nest. */
export async function interruptible<T>(onFirst: () => void, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => {
    // A closed terminal cannot send a second signal, and the first may have been sent with it.
    listenWith(atOnce, ignore);
    onGone = ignore;
    onFirst();
    controller.abort();
  };
  listenWith(stop, onClosed === ignore ? ignore : stop);
  onGone = stop;
  isInterruptible = true;
  try {
    return await work(controller.signal);
  } finally {
    isInterruptible = false;
    listenWith(atOnce, onClosed);
    onGone = end;
  }
}

/** Ends the program by itself from now on, not by the kernel: something has to be printed at its end. */
export function endByItself(): void {
  atOnce = end;
  onClosed ??= end;
  if (!isInterruptible) listenWith(atOnce, onClosed);
}

/** A disk that does not answer must not keep the program. */
const writingMs = 1_000;
let isWriting = false;
let endsAfterWriting = false;

/** Ends the program, after what is {@link unbroken} or a second. */
export function endWhole(): void {
  if (!isWriting) end();
  endsAfterWriting = true;
  setTimeout(end, writingMs);
}

/** Does work that writes files: the first signal does not end the program in the middle of it, unless it takes longer than a second. */
export async function unbroken<T>(work: () => Promise<T>): Promise<T> {
  if (isWriting) return work();
  const whole = async (): Promise<T> => {
    isWriting = true;
    try {
      return await work();
    } finally {
      isWriting = false;
      if (endsAfterWriting) end();
    }
  };
  return isInterruptible ? whole() : interruptible(endWhole, whole);
}

export function reportStop(): void {
  process.stderr.write("Stopping; what was measured is kept. Ctrl-C again stops at once.\n");
}

// Ends the program although a thread of Node.js is blocked by the system, such as by a name server that does not answer or a file system that is gone:
// `process.exit` would wait for the thread.

const blocking = /^(?:FSReq|GetAddrInfo|GetNameInfo)/;

/** Call this before anything else. */
export function endWithBlockedThreads(): void {
  const leave = (status: number): void => {
    if (!process.getActiveResourcesInfo().some((name) => blocking.test(name))) return;
    for (const listener of process.listeners("exit")) if (listener !== leave) listener.call(process, status);
    // The kernel ends all threads of a process that becomes another program. Windows has no such call.
    process.execve?.("/bin/sh", ["sh", "-c", `exit ${status}`]);
  };
  process.on("exit", leave);
}
