// Connect: requests that cost a server far more than their size or are malformed, and faults in answers. It carries every value.
import { binaryClient, corrupted, noAnswer, rawAnswer, withBody, type MisuseTarget } from "@roundtrip/styles/fuzzing";
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import {
  deepMessage,
  httpAnswerFaults,
  type AnswerFaults,
  type FuzzedStyle,
  type StyleAttack,
} from "../fuzzed-style.ts";

/** The server may also close the connection. */
const refusals = [
  noAnswer,
  rawAnswer(400, "INVALID_ARGUMENT"),
  rawAnswer(429, "RESOURCE_EXHAUSTED"),
  rawAnswer(500, "INTERNAL"),
  rawAnswer(501, "UNIMPLEMENTED"),
];

function refuses(name: string, bodyOf: (target: MisuseTarget) => Buffer): StyleAttack {
  return { name, send: corrupted(binaryClient, (_call, target) => withBody(bodyOf(target))), answers: refusals };
}

function refusesCompressed(name: string, encoding: string, bodyOf: () => Buffer): StyleAttack {
  const send = corrupted(binaryClient, ({ headers }) => ({
    headers: { ...headers, "content-encoding": encoding },
    ...withBody(bodyOf()),
  }));
  return { name, send, answers: refusals };
}

const zeros = 64 * 1024 * 1024;

const attacks: readonly StyleAttack[] = [
  refuses("a message that is larger than allowed is refused", ({ maxRequestBytes }) =>
    Buffer.alloc(maxRequestBytes + 1),
  ),
  refusesCompressed("a message that grows a thousandfold when gzip unpacks it is refused", "gzip", () =>
    gzipSync(Buffer.alloc(zeros)),
  ),
  refusesCompressed("a message that grows a thousandfold when Brotli unpacks it is refused", "br", () =>
    // The usual quality would keep the attacker, and polite callers of its process, for half a second.
    brotliCompressSync(Buffer.alloc(zeros), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  ),
  refusesCompressed("a message that grows a thousandfold when zstd unpacks it is refused", "zstd", () =>
    zstdCompressSync(Buffer.alloc(zeros)),
  ),
  refusesCompressed("what is said to be packed and is not is refused", "gzip", () => Buffer.from("no gzip")),
  refusesCompressed("a packing that nobody knows is refused", "rot13", () => Buffer.from("x")),
  refuses("a message that goes ages deep is refused", () => deepMessage(20_000)),
  refuses("text that is no UTF-8 is refused", () =>
    // values.presence.text of two bytes.
    Buffer.of(0x0a, 0x06, 0x12, 0x04, 0x2a, 0x02, 0xc3, 0x28),
  ),
];

const codeFault = /"code":\s*"(?:internal|unknown|data_loss)"/;

const answerFaults: AnswerFaults = {
  ...httpAnswerFaults,
  faultIn: (answer) => codeFault.exec(answer.toString("latin1"))?.[0] ?? httpAnswerFaults.faultIn(answer),
};

export const fuzzed: FuzzedStyle = { notation: "protobuf", attacks, answerFaults, knownLimits: [] };
