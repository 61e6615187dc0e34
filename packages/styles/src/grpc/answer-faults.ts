// Signs of a server fault in an HTTP/2 answer.
import type { AnswerFaults } from "../basics/answer-faults.ts";

/** RFC 9113, section 6. */
const frameHeaderBytes = 9;
const headersFrame = 0x1;
const resetFrame = 0x3;
const goAwayFrame = 0x7;
const endStreamFlag = 0x1;

/** The header `grpc-status` as a new name in HPACK with Huffman code (RFC 7541, appendix B): its first form on a connection. */
const statusName = Buffer.from([0x88, 0x9a, 0xca, 0xc8, 0xb2, 0x12, 0x34, 0xda, 0x8f]);
/** UNKNOWN and INTERNAL. */
const faultyStatus: ReadonlySet<string> = new Set(["2", "13"]);

export const answerFaults: AnswerFaults = {
  framing: "http/2",
  isComplete(answer) {
    const headerIn = (at: number): boolean => at + frameHeaderBytes <= answer.length;
    for (let at = 0; headerIn(at); at += frameHeaderBytes + answer.readUIntBE(at, 3)) {
      const [type, flags] = [answer[at + 3], answer[at + 4] ?? 0];
      if (type === goAwayFrame || type === resetFrame) return true;
      if (type === headersFrame && (flags & endStreamFlag) !== 0) return true;
    }
    return false;
  },
  faultIn(answer) {
    const at = answer.indexOf(statusName);
    if (at === -1) return undefined;
    const start = at + statusName.length + 1;
    const status = answer.toString("latin1", start, start + (answer[start - 1] ?? 0));
    return faultyStatus.has(status) ? `grpc-status ${status}` : undefined;
  },
};
