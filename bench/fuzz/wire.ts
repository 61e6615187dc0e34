// The two wires that fuzzing knows: how an exchange is broken, when its answer is complete, and what answer is the server's own fault.
import type { Stack } from "@roundtrip/stacks";
import { frameFlags, frameTypes } from "./http2-frames.ts";
import { mutatedHttp, mutatedHttp2 } from "./mutate.ts";
import type { Random } from "./random.ts";

export interface Wire {
  readonly mutated: (bytes: Buffer, others: readonly Buffer[], random: Random) => Buffer;
  readonly isComplete: (answer: Buffer) => boolean;
  /** What shows that the server, not the caller, did wrong. */
  readonly faultIn: (answer: Buffer) => string | undefined;
}

/** 501 and 504 are the caller's fault: an unknown operation, or a deadline of zero. */
const statusFault = /HTTP\/1\.1 (?!501|504)5\d\d/;
const codeFault = /"code":\s*"(?:INTERNAL|UNKNOWN|INTERNAL_SERVER_ERROR)"/;

const http: Wire = {
  mutated: mutatedHttp,
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

/** `grpc-status` as a new name in HPACK, in Huffman code (RFC 7541, appendix B), as a server sends it first on a connection. */
const statusName = Buffer.from([0x88, 0x9a, 0xca, 0xc8, 0xb2, 0x12, 0x34, 0xda, 0x8f]);
const faultyStatus: ReadonlySet<string> = new Set(["2", "13"]);

const http2: Wire = {
  mutated: mutatedHttp2,
  isComplete(answer) {
    for (let at = 0; at + 9 <= answer.length; at += 9 + answer.readUIntBE(at, 3)) {
      const [type, flags] = [answer[at + 3], answer[at + 4] ?? 0];
      if (type === frameTypes.goAway || type === frameTypes.reset) return true;
      if (type === frameTypes.headers && (flags & frameFlags.endStream) !== 0) return true;
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

/** The wire of a stack; undefined for one that has a protocol of its own. */
export function wireOf({ wire }: Stack): Wire | undefined {
  if (wire === "tcp") return undefined;
  return wire === "http/2" ? http2 : http;
}
