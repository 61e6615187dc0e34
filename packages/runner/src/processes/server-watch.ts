// Has a server process watched while a block runs. It is asked before and after, never during one; and evidence is no reason for a run to fail.
import type { ProcessEvidence } from "@roundtrip/analysis";
import { setTimeout } from "node:timers/promises";
import type { Child } from "./child.ts";
import type { AskWatch, AskWatched } from "./messages.ts";

/** What is asked of a server process beside its calls. */
type Asked = Pick<Child, "ask">;

export class ServerWatch {
  readonly #server: Asked;
  readonly #limitMs: number;
  #isMute = false;

  /** @param limitMs a server that says nothing for as long is not asked again. */
  constructor(server: Asked, limitMs: number) {
    this.#server = server;
    this.#limitMs = limitMs;
  }

  async begin(): Promise<void> {
    await this.#ask<undefined>({ ask: "watch" });
  }

  /** How the process fared since; undefined when it does not say. */
  end(): Promise<ProcessEvidence | undefined> {
    return this.#ask<ProcessEvidence>({ ask: "watched" });
  }

  async #ask<A>(question: AskWatch | AskWatched): Promise<A | undefined> {
    if (this.#isMute) return undefined;
    const answered = new AbortController();
    const waited = setTimeout(this.#limitMs, undefined, { signal: answered.signal, ref: false }).then(
      () => {
        // A second question would be given the answer to the first.
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
