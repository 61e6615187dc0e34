// Calls with streams: envelopes in both directions, and an end of the answers that carries the status.
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  ClientSideError,
  countedAnswers,
  isObject,
  onlyRequest,
  type CallOptions,
  type Contract,
  type InvokeStream,
  type Operation,
} from "@roundtrip/contract";
import type { HttpStream } from "../../shared/http/http-message.ts";
import type { HttpTransport } from "../../shared/http/http-transport.ts";
import { wholeResponse } from "../../shared/http/whole-response.ts";
import { noStreams } from "../../shared/unsupported-feature.ts";
import { clientCodec, type ClientCodec } from "../codec.ts";
import { envelopesOf, type StreamEnvelope } from "../envelopes.ts";
import { errorFromJson, errorOf } from "../errors.ts";
import { limitations } from "../limitations.ts";
import { compressedFlag, endStreamFlag, enveloped, pathOf, streamType } from "../wire-form.ts";
import { reportMetadata, requestHeaders } from "./call-headers.ts";
import type { ConnectClientOptions } from "./options.ts";

type Requests = Parameters<InvokeStream>[0];

async function* envelopesFrom(requests: Requests, codec: ClientCodec): AsyncGenerator<Uint8Array> {
  for await (const request of requests) yield enveloped(codec.write(request));
}

/** The end of the answers ("EndStreamResponse"). */
interface EndOfStream {
  readonly error: CallError | undefined;
  /** Trailing metadata. */
  readonly metadata: Readonly<Record<string, string[]>>;
}

function endIn(data: Uint8Array): EndOfStream {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(data).toString());
  } catch (cause) {
    throw new CallError("INTERNAL", "the end of the stream is no JSON", {}, { cause });
  }
  if (!isObject(json)) throw new CallError("INTERNAL", "the end of the stream is no JSON object");
  const metadata = Object.entries(isObject(json["metadata"]) ? json["metadata"] : {}).flatMap(([name, values]) =>
    Array.isArray(values) ? [[name.toLowerCase(), values.map(String)] as const] : [],
  );
  const { error } = json;
  return {
    error: error === undefined ? undefined : (errorFromJson(error) ?? new CallError("UNKNOWN", "the stream failed")),
    metadata: Object.fromEntries(metadata),
  };
}

interface Answers {
  readonly response: HttpStream;
  readonly codec: ClientCodec;
  readonly options: CallOptions;
  readonly maxBytes: number;
}

/** The answers of a stream. Throws the error that ends it. */
async function* answersIn({ response, codec, options, maxBytes }: Answers): AsyncGenerator<Message, void, undefined> {
  let isReported = false;
  const report = (trailers: EndOfStream["metadata"]): void => {
    // An error before the first answer has its metadata at the end.
    if (!isReported) reportMetadata(options, { headers: { ...response.headers, ...trailers } });
    isReported = true;
  };
  const read = ({ flags, data }: StreamEnvelope): Message => {
    if ((flags & compressedFlag) !== 0) throw new CallError("INTERNAL", "an answer is compressed, and was not to be");
    return codec.read(data);
  };
  for await (const envelope of envelopesOf(response.body, maxBytes)) {
    if ((envelope.flags & endStreamFlag) !== 0) {
      const { error, metadata } = endIn(envelope.data);
      report(metadata);
      if (error !== undefined) throw error;
      return;
    }
    report({});
    yield read(envelope);
  }
  throw new CallError("UNAVAILABLE", "the stream broke off");
}

export function prepareStream(
  http: HttpTransport,
  contract: Contract,
  operation: Operation,
  { encoding, maxMessageBytes }: ConnectClientOptions,
): InvokeStream {
  if (operation.kind === "bidi_streaming") return noStreams(operation, limitations);
  const codec = clientCodec(contract, operation, encoding);
  const type = streamType(encoding);
  const path = pathOf(operation);
  return async function* (requests, options = {}) {
    const { timeoutMs, signal } = options;
    const headers = requestHeaders({ "content-type": type }, options);
    const body =
      operation.kind === "server_streaming"
        ? enveloped(codec.write(await onlyRequest(requests)))
        : envelopesFrom(requests, codec);
    const response = await http.stream({ method: "POST", path, headers, body, timeoutMs, signal });
    if (response.status !== 200) throw errorOf(await wholeResponse(response, maxMessageBytes));
    const answered = String(response.headers["content-type"]);
    if (!answered.startsWith(type)) throw new ClientSideError("UNKNOWN", `the answer is ${answered}`);
    yield* countedAnswers(operation, answersIn({ response, codec, options, maxBytes: maxMessageBytes }));
  };
}
