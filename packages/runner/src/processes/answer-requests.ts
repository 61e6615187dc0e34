// The child's side of the conversation: answers requests in order, and ends when the runner is gone.
import type { Envelope, NumberedMessage } from "./messages.ts";
import { endResolutions, newResolutions } from "./module-resolutions.ts";
import { flushCompileCache } from "node:module";

function envelopeOf(thrown: unknown, number: number): Envelope {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = (thrown as { readonly code?: unknown } | undefined)?.code;
  return { ok: false, message, code: typeof code === "string" ? code : "", number };
}

function send(envelope: Envelope): void {
  process.send?.(envelope);
}

/** Answers requests of the parent process until it disconnects. The two agree on the kinds of requests. */
export function answerRequests(answer: (request: never) => unknown): void {
  // A terminal or a service manager may signal every process of a run; only the runner decides when its processes end.
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => undefined);
  process.on("disconnect", () => process.exit(0));
  // If the runner ended before this process loaded, the event has passed, and a pending request would be answered.
  if (!process.connected) process.exit(0);
  process.on("message", ({ number, ...request }: NumberedMessage) => {
    void (async () => answer(request as never))().then(
      (value) => send({ ok: true, value, resolutions: newResolutions(), number }),
      (thrown: unknown) => send(envelopeOf(thrown, number)),
    );
  });
}

/**
 * Saves what has been compiled so far, and ends the recording of module paths. Called when a process has loaded, before its first call. Code that
 * calls load and compile later is never cached, so that the first call of a process finds it as cold as without a cache.
 */
export function keepLoadedModules(): void {
  flushCompileCache();
  endResolutions();
}
