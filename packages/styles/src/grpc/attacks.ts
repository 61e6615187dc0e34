// gRPC messages that cost a server far more than their size, or that are malformed.
import { gzipSync } from "node:zlib";
import type { StyleAttack } from "../basics/attacks.ts";
import { noAnswer, rawAnswer, type MisuseTarget } from "../basics/misuse.ts";
import { deepMessage } from "../shared/deep-message.ts";
import { corrupted } from "./misuse.ts";
import { framed } from "./wire.ts";

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

export const attacks: readonly StyleAttack[] = [
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
