// A request whose answer depends on nothing that is still to come.
import type { HttpAnswer, WholeAnswer } from "./http-answer.ts";
import type { ServedExchange } from "./http-service.ts";

const neverAborted = new AbortController().signal;

export class SettledExchange implements ServedExchange {
  readonly takes = "nothing";
  readonly signal: AbortSignal = neverAborted;
  readonly #answer: WholeAnswer | Promise<HttpAnswer>;

  /** @param answer resolves, whatever happens */
  constructor(answer: WholeAnswer | Promise<HttpAnswer>) {
    this.#answer = answer;
  }

  answer(): WholeAnswer | Promise<HttpAnswer> {
    return this.#answer;
  }

  // oxlint-disable-next-line require-await -- one answer, however it is asked for
  async answerPieces(): Promise<HttpAnswer> {
    return this.#answer;
  }

  refuse(): WholeAnswer | Promise<HttpAnswer> {
    return this.#answer;
  }

  cancel(): void {
    // Nobody works on it any more.
  }
}
