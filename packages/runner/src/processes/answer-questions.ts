// The child's side of the conversation: answers questions in order, and ends when the runner is gone.
import type { Envelope, NumberedMessage } from "./messages.ts";
import { newResolutions } from "./module-resolutions.ts";

function envelopeOf(thrown: unknown, number: number): Envelope {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = (thrown as { readonly code?: unknown } | undefined)?.code;
  return { ok: false, message, code: typeof code === "string" ? code : "", number };
}

function send(envelope: Envelope): void {
  process.send?.(envelope);
}

/** Answers questions of the parent process until it disconnects. The two agree on the kinds of questions. */
export function answerQuestions(answer: (question: never) => unknown): void {
  // A terminal or a service manager may signal every process of a run; only the runner decides when its processes end.
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => undefined);
  process.on("disconnect", () => process.exit(0));
  // If the runner ended before this process loaded, the event has passed, and a pending question would be answered.
  if (!process.connected) process.exit(0);
  process.on("message", ({ number, ...question }: NumberedMessage) => {
    void (async () => answer(question as never))().then(
      (value) => send({ ok: true, value, resolutions: newResolutions(), number }),
      (thrown: unknown) => send(envelopeOf(thrown, number)),
    );
  });
}
