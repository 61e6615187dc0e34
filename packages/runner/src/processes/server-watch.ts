// Watches a server process while a block runs. It is asked before and after a block, never during one. Missing evidence does not fail a run.
import type { ProcessEvidence } from "@roundtrip/analysis";
import { setTimeout } from "node:timers/promises";
import type { Child } from "./child.ts";
import type { AskWatch, AskWatched } from "./messages.ts";

type Asked = Pick<Child, "ask">;

export class ServerWatch {
  readonly #server: Asked;
  readonly #limitMs: number;
  #isMute = false;

  /** @param limitMs a server that does not answer within this time is not asked again. */
  constructor(server: Asked, limitMs: number) {
    this.#server = server;
    this.#limitMs = limitMs;
  }

  async begin(): Promise<void> {
    await this.#ask<undefined>({ ask: "watch" });
  }

  /** The evidence since {@link begin}; undefined if the process does not report it. */
  end(): Promise<ProcessEvidence | undefined> {
    return this.#ask<ProcessEvidence>({ ask: "watched" });
  }

  async #ask<A>(question: AskWatch | AskWatched): Promise<A | undefined> {
    if (this.#isMute) return undefined;
    const answered = new AbortController();
    const waited = setTimeout(this.#limitMs, undefined, { signal: answered.signal, ref: false }).then(
      () => {
        // A second question would get the answer to the first.
        this.#isMute = true;
        return undefined;
      },
      () => undefined,
    );
    try {
      return await Promise.race([this.#server.ask<A>(question), waited]);
    } catch {
      return undefined;
    } finally {
      answered.abort();
    }
  }
}
