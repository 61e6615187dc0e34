// Bytes that no gRPC client sends: requests of HTTP/2 whose headers or frames are spoilt.
import { toBinary } from "@bufbuild/protobuf";
import { codeFromGrpc } from "@roundtrip/contract";
import { misuseAnswerLimitMs, oddHeaders } from "@roundtrip/contract/conformance";
import type { ProtocolMisuse, MisuseTarget, RawAnswer, RawExchange } from "@roundtrip/contract/conformance";
import { connect, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http2";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import { framed, requestHeaders } from "./wire-form.ts";

const noAnswer: RawAnswer = { httpStatus: undefined, code: undefined };

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

/** Makes a call of its own, and gives what headers and trailers said. */
async function rawCall({ url, ca }: MisuseTarget, { headers, body }: RawCall): Promise<RawAnswer> {
  const session = connect(url, ca === undefined ? {} : { ca });
  // What ends the session ends the call too, which is handled there.
  session.on("error", () => undefined);
  try {
    return await new Promise<RawAnswer>((resolve, reject) => {
      let received: IncomingHttpHeaders = {};
      const receive = (more: IncomingHttpHeaders): void => void (received = { ...received, ...more });
      const stream = session.request(headers);
      stream.setTimeout(misuseAnswerLimitMs, () => reject(new Error("the server neither answers nor hangs up")));
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

type Spoil = (call: RawCall, target: MisuseTarget) => Partial<RawCall>;

function spoilt(spoil: Spoil): RawExchange {
  return (target) => {
    const { operation, request } = target;
    const good = { headers: requestHeaders(operation), body: framed(toBinary(operation.input, request)) };
    return rawCall(target, { ...good, ...spoil(good, target) });
  };
}

function withHeader(name: string, value: string | string[]): Spoil {
  return ({ headers }) => ({ headers: { ...headers, [name]: value } });
}

/** HTTP/1.1 where HTTP/2 is spoken; resolves when the server hangs up. */
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
  if (isLate) throw new Error("the server neither answers nor hangs up");
  return noAnswer;
}

export const misuses: ProtocolMisuse = {
  protocol: "grpc",
  respelled: undefined,
  exchanges: {
    unknownMethod: spoilt(({ headers }) => ({
      headers: { ...headers, ":path": `${String(headers[":path"])}Nonsense` },
    })),
    wrongContentType: spoilt(withHeader("content-type", "text/plain")),
    unknownEncoding: spoilt(({ headers, body }) => {
      // The frame says that it is compressed, the header how.
      return {
        headers: { ...headers, "grpc-encoding": "nonsense" },
        body: Buffer.concat([Buffer.of(1), body.subarray(1)]),
      };
    }),
    // Field 1 of some length, which is not there.
    malformedBody: spoilt(() => ({ body: framed(Buffer.of(0x0a, 0x7f)) })),
    emptyBody: spoilt(() => ({ body: Buffer.alloc(0) })),
    invalidUtf8: spoilt(({ body }) => ({
      body: Buffer.from(body.toString("latin1").replace("text", "te\xFFt"), "latin1"),
    })),
    // Field 99 with the varint 1.
    unknownField: spoilt(({ body }) => ({
      body: framed(Buffer.concat([body.subarray(5), Buffer.of(0x98, 0x06, 0x01)])),
    })),
    oversizedBody: spoilt((_call, { maxRequestBytes }) => ({ body: framed(Buffer.alloc(maxRequestBytes + 1)) })),
    oversizedHeader: spoilt(withHeader("x-large", "x".repeat(128 * 1024))),
    malformedDeadline: spoilt(withHeader("grpc-timeout", "soon")),
    truncatedBody: spoilt(({ body }) => ({ body: framed(body.subarray(5), body.length + 100) })),
    anotherProtocol,
    repeatedHeader: spoilt(withHeader(oddHeaders.repeated.name, [...oddHeaders.repeated.values])),
  },
};
