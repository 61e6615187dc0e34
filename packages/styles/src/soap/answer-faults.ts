// Signs of a server fault in SOAP's answers: the canonical code. The status is 500 for faults of callers, too.
import type { AnswerFaults } from "../basics/answer-faults.ts";
import { httpAnswerFaults } from "../shared/http/http-answer-faults.ts";

const codeFault = /<code>(?:INTERNAL|UNKNOWN)<\/code>/;
/** A fault of SOAP has a detail; other 5xx answers are HTTP's own. */
const bareFault = /^HTTP\/1\.1 5\d\d(?![\s\S]*<code>)/;

export const answerFaults: AnswerFaults = {
  framing: httpAnswerFaults.framing,
  isComplete: httpAnswerFaults.isComplete,
  faultIn(answer) {
    const text = answer.toString("latin1");
    return (codeFault.exec(text) ?? bareFault.exec(text))?.[0];
  },
};
