// Bytes that no gRPC client sends, and the answers to them: HTTP/2 requests with corrupted headers or frames.
import { toBinary } from "@bufbuild/protobuf";
import { codeFromGrpc } from "@roundtrip/contract";
import { connect, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http2";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import {
  misuseAnswerLimitMs,
  noAnswer,
  oddHeaders,
  oversizedHeader,
  rawAnswer,
  tooLargeHeader,
  type MisuseAttempt,
  type MisuseTarget,
  type ProtocolMisuse,
  type RawAnswer,
} from "../basics/misuse.ts";
import { framed, requestHeaders } from "./wire.ts";

interface RawCall {
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

function answerOf(received: IncomingHttpHeaders): RawAnswer {
  const httpStatus = received[":status"] === undefined ? undefined : Number(received[":status"]);
  const status = received["grpc-status"];
  if (status === undefined) return { httpStatus, code: undefined };
  return { httpStatus, code: status === "0" ? "OK" : codeFromGrpc(Number(status)) };
}

/** Makes a call on its own session, and returns the answer from headers and trailers. */
async function rawCall({ url, ca }: MisuseTarget, { headers, body }: RawCall): Promise<RawAnswer> {
  const session = connect(url, ca === undefined ? {} : { ca });
  // An error of the session ends the call too, which is handled there.
  session.on("error", () => undefined);
  try {
    return await new Promise<RawAnswer>((resolve, reject) => {
      let received: IncomingHttpHeaders = {};
      const receive = (more: IncomingHttpHeaders): void => void (received = { ...received, ...more });
      const stream = session.request(headers);
      stream.setTimeout(misuseAnswerLimitMs, () =>
        reject(new Error("the server neither answers nor closes the connection")),
      );
      stream
        .on("response", receive)
        .on("trailers", receive)
        .on("error", () => undefined);
      stream.on("close", () => resolve(received[":status"] === undefined ? noAnswer : answerOf(received)));
      stream.resume();
      stream.end(body);
    });
  } finally {
    session.destroy();
  }
}

type Corrupt = (call: RawCall, target: MisuseTarget) => Partial<RawCall>;

export function corrupted(corrupt: Corrupt): MisuseAttempt["send"] {
  return (target) => {
    const { operation, request } = target;
    const good = { headers: requestHeaders(operation), body: framed(toBinary(operation.input, request)) };
    return rawCall(target, { ...good, ...corrupt(good, target) });
  };
}

function withHeader(name: string, value: string | string[]): Corrupt {
  return ({ headers }) => ({ headers: { ...headers, [name]: value } });
}

/** Sends HTTP/1.1 to an HTTP/2 server; resolves when the server closes the connection. */
async function anotherProtocol({ url, ca }: MisuseTarget): Promise<RawAnswer> {
  const { protocol, hostname, port } = new URL(url);
  const where = { host: hostname, port: Number(port) };
  const socket = protocol === "https:" ? connectTls({ ...where, ca, ALPNProtocols: ["h2"] }) : connectTcp(where);
  socket.on("error", () => undefined).resume();
  let isLate = false;
  socket.setTimeout(misuseAnswerLimitMs, () => {
    isLate = true;
    socket.destroy();
  });
  socket.write("GET / HTTP/1.1\r\nhost: nonsense\r\n\r\n");
  await new Promise<void>((resolve) => socket.once("close", () => resolve()));
  if (isLate) throw new Error("the server neither answers nor closes the connection");
  return noAnswer;
}

const answered = [rawAnswer(200, "OK")];
const unreadable = [rawAnswer(200, "INVALID_ARGUMENT")];
const unimplemented = [rawAnswer(200, "UNIMPLEMENTED")];

function attempt(answers: readonly RawAnswer[], corrupt: Corrupt): MisuseAttempt {
  return { answers, send: corrupted(corrupt) };
}

export const misuses: ProtocolMisuse = {
  attempts: {
    unknownMethod: attempt(unimplemented, ({ headers }) => ({
      headers: { ...headers, ":path": `${String(headers[":path"])}Nonsense` },
    })),
    wrongContentType: attempt([rawAnswer(415, undefined)], withHeader("content-type", "text/plain")),
    // The frame is marked as compressed; the header names the encoding.
    unknownEncoding: attempt(unimplemented, ({ headers, body }) => ({
      headers: { ...headers, "grpc-encoding": "nonsense" },
      body: Buffer.concat([Buffer.of(1), body.subarray(1)]),
    })),
    // Field 1 declares bytes that are missing.
    malformedBody: attempt(unreadable, () => ({ body: framed(Buffer.of(0x0a, 0x7f)) })),
    emptyBody: attempt(unimplemented, () => ({ body: Buffer.alloc(0) })),
    invalidUtf8: attempt(unreadable, ({ body }) => ({
      body: Buffer.from(body.toString("latin1").replace("text", "te\xFFt"), "latin1"),
    })),
    // Field 99 with the varint 1.
    unknownField: attempt(answered, ({ body }) => ({
      body: framed(Buffer.concat([body.subarray(5), Buffer.of(0x98, 0x06, 0x01)])),
    })),
    oversizedBody: attempt([rawAnswer(200, "RESOURCE_EXHAUSTED")], (_call, { maxRequestBytes }) => ({
      body: framed(Buffer.alloc(maxRequestBytes + 1)),
    })),
    oversizedHeader: attempt(tooLargeHeader, withHeader("x-large", oversizedHeader)),
    malformedDeadline: attempt(unreadable, withHeader("grpc-timeout", "soon")),
    // Libraries see no request, or one that is malformed; gRPC does not say which.
    truncatedBody: attempt([noAnswer, ...unimplemented, ...unreadable], ({ body }) => ({
      body: framed(body.subarray(5), body.length + 100),
    })),
    anotherProtocol: { answers: [noAnswer], send: anotherProtocol },
    repeatedHeader: attempt(answered, withHeader(oddHeaders.repeated.name, [...oddHeaders.repeated.values])),
  },
  spellings: undefined,
  readDocument: undefined,
  sendsBody: () => true,
};
