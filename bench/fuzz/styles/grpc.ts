// gRPC: messages that cost a server far more than their size or are malformed, and faults in answers. It carries every value.
import { framed, grpcCorrupted as corrupted, noAnswer, rawAnswer, type MisuseTarget } from "@roundtrip/styles/fuzzing";
import { gzipSync } from "node:zlib";
import { deepMessage, type AnswerFaults, type FuzzedStyle, type StyleAttack } from "../fuzzed-style.ts";

/** The server may also close the stream or the connection. */
const refusals = [
  noAnswer,
  ...(["INVALID_ARGUMENT", "RESOURCE_EXHAUSTED", "UNIMPLEMENTED", "INTERNAL"] as const).map((code) =>
    rawAnswer(200, code),
  ),
];

function refuses(name: string, bodyOf: (target: MisuseTarget) => Buffer): StyleAttack {
  return { name, send: corrupted((_call, target) => ({ body: bodyOf(target) })), answers: refusals };
}

/** A message marked as compressed. */
function refusesCompressed(name: string, encoding: string, messageOf: () => Buffer): StyleAttack {
  const send = corrupted(({ headers }) => {
    const body = framed(messageOf());
    body.writeUInt8(1, 0);
    return { headers: { ...headers, "grpc-encoding": encoding }, body };
  });
  return { name, send, answers: refusals };
}

const attacks: readonly StyleAttack[] = [
  refuses("a message that is larger than allowed is refused", ({ maxRequestBytes }) =>
    framed(Buffer.alloc(maxRequestBytes + 1)),
  ),
  refuses("a length of four gigabytes is not believed", () => framed(Buffer.of(1, 2, 3), 0xff_ff_ff_ff)),
  refusesCompressed("a message that grows a thousandfold when it is unpacked is refused", "gzip", () =>
    gzipSync(Buffer.alloc(64 * 1024 * 1024)),
  ),
  refusesCompressed("what is said to be packed and is not is refused", "gzip", () => Buffer.from("no gzip")),
  refusesCompressed("a packing that nobody knows is refused", "rot13", () => Buffer.from("x")),
  refuses("a message that goes ages deep is refused", () => framed(deepMessage(20_000))),
  refuses("text that is no UTF-8 is refused", () =>
    // values.presence.text of two bytes.
    framed(Buffer.of(0x0a, 0x06, 0x12, 0x04, 0x2a, 0x02, 0xc3, 0x28)),
  ),
  refuses("a message cut short is refused", () => framed(Buffer.of(0x0a, 0x20, 0x12)).subarray(0, 7)),
  refuses("two messages for a call that takes one are refused", () =>
    Buffer.concat([framed(Buffer.alloc(0)), framed(Buffer.alloc(0))]),
  ),
];

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

const answerFaults: AnswerFaults = {
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

export const fuzzed: FuzzedStyle = { notation: "protobuf", attacks, answerFaults, knownLimits: [] };
