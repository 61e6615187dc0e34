// A request whose answer does not depend on its body.
import type { HttpAnswer, WholeAnswer } from "./http-answer.ts";
import type { ServedExchange } from "./http-service.ts";

/** For exchanges that end by themselves. */
export const neverAborted: AbortSignal = new AbortController().signal;

export class SettledExchange implements ServedExchange {
  readonly takes = "nothing";
  readonly signal: AbortSignal = neverAborted;
  readonly #answer: WholeAnswer | Promise<HttpAnswer>;

  /** @param answer never rejects */
  constructor(answer: WholeAnswer | Promise<HttpAnswer>) {
    this.#answer = answer;
  }

  answer(): WholeAnswer | Promise<HttpAnswer> {
    return this.#answer;
  }

  // oxlint-disable-next-line require-await -- the same answer for every method
  async answerPieces(): Promise<HttpAnswer> {
    return this.#answer;
  }

  refuse(): WholeAnswer | Promise<HttpAnswer> {
    return this.#answer;
  }

  cancel(): void {
    // No work is left to cancel.
  }
}
