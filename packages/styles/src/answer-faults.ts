// What shows in the bytes of an answer that its server, and not its caller, did wrong: what fuzzers look for.

/** What `answer-faults.ts` of a style exports as `answerFaults`. */
export interface AnswerFaults {
  /** What a connection carries: what breaks one does not break the other. */
  readonly framing: "http/1.1" | "http/2";
  /** Whether nothing more is to come. */
  readonly isComplete: (answer: Buffer) => boolean;
  /** What shows the fault; undefined for an answer without one. */
  readonly faultIn: (answer: Buffer) => string | undefined;
}
