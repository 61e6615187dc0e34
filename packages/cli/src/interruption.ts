// Ctrl-C: the first asks to stop at the next safe point, the second stops at once.
import { exitStatus } from "./exit-status.ts";

/** Turns SIGINT and SIGTERM into an abort signal while a piece of work runs. */
export class Interruption implements Disposable {
  readonly #controller = new AbortController();
  readonly #onSignal: () => void;

  /** @param notice what to tell the user when the first signal comes. */
  constructor(notice: () => void) {
    this.#onSignal = () => {
      // Child processes end by themselves when this one is gone.
      if (this.#controller.signal.aborted) process.exit(exitStatus.interrupted);
      this.#controller.abort();
      notice();
    };
    process.on("SIGINT", this.#onSignal);
    process.on("SIGTERM", this.#onSignal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    process.off("SIGINT", this.#onSignal);
    process.off("SIGTERM", this.#onSignal);
  }
}
