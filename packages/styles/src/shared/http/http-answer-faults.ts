// Signs of a server fault in an HTTP/1.1 answer.
import type { AnswerFaults } from "../../basics/answer-faults.ts";

/** 501 and 504 may be the caller's fault: an unknown operation, or a deadline of zero. */
const statusFault = /HTTP\/1\.1 (?!501|504)5\d\d/;
const codeFault = /"code":\s*"(?:INTERNAL|UNKNOWN|INTERNAL_SERVER_ERROR)"/;

/** For styles that send JSON with the canonical code as `code`. */
export const httpAnswerFaults: AnswerFaults = {
  framing: "http/1.1",
  isComplete(answer) {
    const text = answer.toString("latin1");
    const head = text.indexOf("\r\n\r\n");
    const length = /^content-length: (\d+)/im.exec(text.slice(0, Math.max(0, head)))?.[1];
    return head !== -1 && text.length >= head + 4 + Number(length ?? 0);
  },
  faultIn(answer) {
    const text = answer.toString("latin1");
    return (statusFault.exec(text) ?? codeFault.exec(text))?.[0];
  },
};
