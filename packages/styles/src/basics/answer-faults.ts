// Signs of a server's fault in the bytes of an answer, for fuzzers.

/** What `answer-faults.ts` of a style exports as `answerFaults`. */
export interface AnswerFaults {
  /** The framing of a connection. Malformed bytes differ between the two. */
  readonly framing: "http/1.1" | "http/2";
  readonly isComplete: (answer: Buffer) => boolean;
  /** The sign of a fault; undefined for an answer without one. */
  readonly faultIn: (answer: Buffer) => string | undefined;
}
