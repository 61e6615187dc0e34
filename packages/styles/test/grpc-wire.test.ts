// gRPC on the wire: messages in bodies, deadlines, and the end of a call.
import { CallError } from "@roundtrip/contract";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http2";
import { describe, expect, it } from "vitest";
import { statusOf } from "../src/grpc/errors.ts";
import {
  ofCaller,
  ofServer,
  packed,
  MessageReader,
  errorInTrailers,
  errorTrailers,
  statusMissing,
  framed,
  isGrpc,
} from "../src/grpc/wire.ts";
import { metadataHeaders, receivedMetadata, timeoutMsIn, timeoutText } from "../src/shared/call-headers.ts";
import { streamReset } from "../src/shared/client.ts";

const maxBytes = 1_000;
const messages = [new Uint8Array(0), Uint8Array.of(1), new Uint8Array(700).fill(2), Uint8Array.of(3, 4)];

/** The messages in a body that arrives in chunks of this size, and whether it ends inside one. */
function read(body: Buffer, { chunkBytes = body.length, encoding = "identity", sender = ofCaller } = {}) {
  const reader = new MessageReader({ sender, maxBytes });
  reader.encoding = encoding;
  const found: Uint8Array[] = [];
  for (let at = 0; at < body.length; at += chunkBytes) {
    reader.add(body.subarray(at, at + chunkBytes));
    for (let next = reader.next(); next !== undefined; next = reader.next()) found.push(next);
  }
  return { found, isCutShort: reader.isCutShort };
}

function codeOf(action: () => unknown): unknown {
  try {
    return action();
  } catch (thrown) {
    return CallError.from(thrown).code;
  }
}

describe("messages", () => {
  it.each([1, 2, 4, 5, 6, 7, 64, 711, 10_000])("are found in chunks of %i bytes", (chunkBytes) => {
    const body = Buffer.concat(messages.map((message) => framed(message)));
    expect(read(body, { chunkBytes })).toEqual({ found: messages, isCutShort: false });
    expect(read(body.subarray(0, -1), { chunkBytes })).toEqual({ found: messages.slice(0, -1), isCutShort: true });
  });

  it.each(["identity", "deflate", "gzip"])("are compressed each on its own: %s", (encoding) => {
    const body = Buffer.concat(messages.flatMap((message) => [packed(message, encoding), framed(message)]));
    const found = messages.flatMap((message) => [message, message]);
    expect(read(body, { encoding, chunkBytes: 3 })).toEqual({ found, isCutShort: false });
  });

  it("are RESOURCE_EXHAUSTED above the limit, by their length alone or once they are decompressed", () => {
    const most = new Uint8Array(maxBytes);
    const over = new Uint8Array(maxBytes + 1);
    expect(read(framed(most)).found).toEqual([most]);
    expect(read(packed(most, "gzip"), { encoding: "gzip" }).found).toEqual([most]);
    expect(codeOf(() => read(framed(over).subarray(0, 5)))).toBe("RESOURCE_EXHAUSTED");
    expect(codeOf(() => read(packed(over, "gzip"), { encoding: "gzip" }))).toBe("RESOURCE_EXHAUSTED");
  });

  it.each([
    ["gzip", framed(Buffer.from("no gzip")), "INVALID_ARGUMENT", "INTERNAL"],
    ["identity", framed(Uint8Array.of(1)), "INVALID_ARGUMENT", "INTERNAL"],
    ["zstd", framed(Uint8Array.of(1)), "UNIMPLEMENTED", "INTERNAL"],
    ["constructor", framed(Uint8Array.of(1)), "UNIMPLEMENTED", "INTERNAL"],
  ])("marked as compressed by %s that are not are refused", (encoding, frame, ofServers, ofClients) => {
    frame[0] = 1;
    expect(codeOf(() => read(frame, { encoding }))).toBe(ofServers);
    expect(codeOf(() => read(frame, { encoding, sender: ofServer }))).toBe(ofClients);
  });
});

describe("a deadline", () => {
  it.each([
    [0.2, "1m", 1],
    [1_500, "1500m", 1_500],
    [99_999_999, "99999999m", 99_999_999],
    [100_000_000.5, "100001S", 100_001_000],
  ])("of %d ms is written as %s", (timeoutMs, text, readMs) => {
    expect(timeoutText(timeoutMs)).toBe(text);
    expect(timeoutMsIn(text)).toBe(readMs);
  });

  it("is read in every unit, and in no other form", () => {
    expect(["2H", "2M", "2S", "2m", "2u", "2n"].map(timeoutMsIn)).toEqual([7_200_000, 120_000, 2_000, 2, 0.002, 2e-6]);
    expect(["", "soon", "5", "S", "1.5S", "-1S", "123456789S", "5 S", "5s", "5SS"].map(timeoutMsIn)).toEqual(
      Array.from({ length: 10 }, () => undefined),
    );
  });
});

/** The error of trailers that a peer receives. */
function received(trailers: OutgoingHttpHeaders): CallError | undefined {
  const { "grpc-status": status, ...others } = trailers as IncomingHttpHeaders;
  return errorInTrailers({ ...others, "grpc-status": String(status) }, 200);
}

describe("the end of a call", () => {
  it.each(["größer – 世界 👋", "100 % of a%20b", "a\nb\tc", "#?&=+/", ""])("carries the message %j", (message) => {
    const trailers = errorTrailers(statusOf(new CallError("ABORTED", message)), undefined);
    expect(trailers["grpc-message"]).toMatch(/^[\x21-\x7e]*$/);
    expect(received(trailers)).toMatchObject({ code: "ABORTED", message });
  });

  it("carries details and metadata", () => {
    const error = new CallError("ABORTED", "no", { reason: "WHY", domain: "test" });
    const trailers = errorTrailers(statusOf(error), new Map([["x-bin", "AAE="]]));
    expect(trailers["x-bin"]).toBe("AAE");
    expect(received(trailers)).toMatchObject({
      code: "ABORTED",
      details: { reason: "WHY" },
    });
  });

  it("is read from messages with malformed escapes, unknown numbers and other servers' HTTP statuses", () => {
    expect(errorInTrailers({ "grpc-status": "0" }, 200)).toBeUndefined();
    expect(errorInTrailers({ "grpc-status": "5", "grpc-message": "100%" }, 200)?.message).toBe("100%");
    expect(errorInTrailers({ "grpc-status": "5", "grpc-status-details-bin": "En8" }, 200)?.code).toBe("NOT_FOUND");
    expect(errorInTrailers({ "grpc-status": "99" }, 200)?.code).toBe("UNKNOWN");
    expect(errorInTrailers({}, 503)?.code).toBe("UNAVAILABLE");
    expect([200, 404, undefined].map((status) => statusMissing(status).code)).toEqual([
      "UNKNOWN",
      "UNIMPLEMENTED",
      "UNKNOWN",
    ]);
    expect([2, 7, 8, 11].map((code) => streamReset(code).code)).toEqual([
      "INTERNAL",
      "UNAVAILABLE",
      "CANCELLED",
      "RESOURCE_EXHAUSTED",
    ]);
  });
});

it("metadata is base64 without padding on the wire, and read with padding, several values and no pseudo-headers", () => {
  expect(metadataHeaders(new Map([["a-bin", "AAEC/w=="]]))).toEqual({ "a-bin": "AAEC/w" });
  const headers = { ":path": "/x", "a-bin": "AQ==,AgM=", b: "x, y", "set-cookie": ["c", "d"] };
  expect(receivedMetadata(headers)).toEqual({ "a-bin": "AQ, AgM", b: "x, y", "set-cookie": "c, d" });
});

it.each([
  ["application/grpc", true],
  ["application/grpc+proto", true],
  ["application/grpc;charset=utf-8", true],
  ["application/grpc+json", false],
  ["application/grpc-web", false],
  ["text/plain", false],
  [undefined, false],
])("the content type %s is gRPC's: %s", (contentType, expected) => {
  expect(isGrpc(contentType)).toBe(expected);
});
