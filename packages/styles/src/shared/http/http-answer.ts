// An HTTP answer as a value: the style makes it, the server binding writes it.

/** Names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | number>>;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /**
   * Text (sent in UTF-8), bytes, or an iteration of either. Each piece is requested after the connection has accepted the one before. If a piece
   * throws, the connection closes before the end of the body.
   */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | undefined;
  /** Closes the connection on purpose: before the answer, or in the middle of the body. */
  readonly cut: "before" | "inside" | undefined;
}

/** An answer without later pieces. */
export interface WholeAnswer extends HttpAnswer {
  readonly body: string | Uint8Array | undefined;
}

/** No answer: the connection is closed. */
export const droppedAnswer: WholeAnswer = { status: 0, headers: {}, body: undefined, cut: "before" };
