// What a request over HTTP is answered with, as a value: a style makes it, and whatever library serves the style writes it.

/** Names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | number>>;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /**
   * Text, which is sent in UTF-8; bytes; or the pieces of either, the next of which is asked for once the connection has taken the one before.
   * When a piece throws, the connection ends without the body's end.
   */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | undefined;
  /** Where the connection is closed on purpose: before anything is sent, or half-way through the body. */
  readonly cut: "before" | "inside" | undefined;
}

/** An answer that is there at once. */
export interface WholeAnswer extends HttpAnswer {
  readonly body: string | Uint8Array | undefined;
}

/** No answer: the connection is closed. */
export const droppedAnswer: WholeAnswer = { status: 0, headers: {}, body: undefined, cut: "before" };
