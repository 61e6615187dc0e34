// Calls a contract over Connect with any library.
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  type CallOptions,
  checkMetadata,
  type Client,
  ClientSideError,
  type Contract,
  countedAnswers,
  endlessMs,
  type Invoke,
  type InvokeStream,
  isObject,
  onlyRequest,
  type Operation,
  ownMetadata,
  methodPath,
} from "@roundtrip/contract";
import { clientCodec, type ClientCodec } from "./codec.ts";
import { errorFromJson, errorOf } from "./errors.ts";
import { limitations } from "./index.ts";
import {
  allowsGet,
  compressedFlag,
  type Encoding,
  endStreamFlag,
  enveloped,
  envelopesOf,
  protocolVersion,
  queryOf,
  type StreamEnvelope,
  streamType,
  timeoutHeader,
  trailerPrefix,
  unaryType,
  versionHeader,
} from "./wire.ts";
import {
  type HttpResponse,
  type HttpStream,
  type StyleClientOptions,
  type HttpTransport,
  wholeResponse,
} from "../shared/http/client.ts";
import { metadataHeaders, receivedMetadata } from "../shared/call-headers.ts";
import { noStreams, noTogether } from "../shared/limitations.ts";
export { limitations } from "./index.ts";
export { withFloats } from "./short-floats.ts";
export { type Encoding } from "./wire.ts";

export interface ConnectClientOptions extends Pick<StyleClientOptions, "maxMessageBytes"> {
  readonly encoding: Encoding;
  /** Sends calls without side effects as GET, which caches may answer. */
  readonly get: boolean;
}

/** What style parts that only write requests use: the defaults of the clients. */
export const connectClientDefaults = { encoding: "proto", get: false } as const;

type Headers = Readonly<Record<string, string>>;

/** The deadline has at most this many digits ("Timeout-Milliseconds"). */
const mostDigits = 10;

/** The deadline header; none without a deadline. */
function deadline(timeoutMs: number | undefined): Headers {
  if (timeoutMs === undefined || timeoutMs >= endlessMs) return {};
  const text = String(Math.max(0, Math.ceil(timeoutMs)));
  return text.length > mostDigits ? {} : { [timeoutHeader]: text };
}

/** The headers of a call with its deadline and metadata. Throws INVALID_ARGUMENT for invalid metadata. */
export function requestHeaders(own: Headers, { timeoutMs, metadata }: CallOptions): Headers {
  if (metadata !== undefined) checkMetadata(metadata);
  return {
    ...own,
    [versionHeader]: protocolVersion,
    ...deadline(timeoutMs),
    ...(metadata === undefined ? {} : (metadataHeaders(metadata) as Headers)),
  };
}

/** Metadata of an answer: its headers, and trailers, whose prefix is removed. */
export function reportMetadata({ onMetadata }: CallOptions, { headers }: Pick<HttpResponse, "headers">): void {
  if (onMetadata === undefined) return;
  const entries = Object.entries(receivedMetadata(headers)).map(
    ([name, value]) => [name.startsWith(trailerPrefix) ? name.slice(trailerPrefix.length) : name, value] as const,
  );
  onMetadata(ownMetadata(entries));
}

// Calls with streams: envelopes in both directions, and an end of the answers that carries the status.

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
  const path = methodPath(operation.method);
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

const noCallOptions: CallOptions = {};

function prepare(http: HttpTransport, contract: Contract, operation: Operation, options: ConnectClientOptions): Invoke {
  if (operation.kind !== "unary") {
    return () => Promise.reject(new CallError("UNIMPLEMENTED", `${operation.id} streams, and is called as a stream`));
  }
  const { encoding } = options;
  const { write, read } = clientCodec(contract, operation, encoding);
  const path = methodPath(operation.method);
  const own = { "content-type": unaryType(encoding) };
  const isGet = options.get && allowsGet(operation.method);
  return async (request, callOptions = noCallOptions) => {
    const { timeoutMs, signal } = callOptions;
    const body = write(request);
    const response = await http.send({
      method: isGet ? "GET" : "POST",
      path: isGet ? `${path}?${queryOf(body, encoding)}` : path,
      headers: requestHeaders(isGet ? {} : own, callOptions),
      body: isGet ? undefined : body,
      timeoutMs,
      signal,
    });
    reportMetadata(callOptions, response);
    if (response.status !== 200) throw errorOf(response);
    const type = String(response.headers["content-type"]);
    if (!type.startsWith(unaryType(encoding))) throw new ClientSideError("UNKNOWN", `the answer is ${type}`);
    return read(response.body);
  };
}

/** A client of the contract on these connections. Closing it closes them. */
export function connectClient(http: HttpTransport, contract: Contract, options: ConnectClientOptions): Client {
  return {
    contract,
    prepare: (operation) => prepare(http, contract, operation, options),
    prepareStream: (operation) => prepareStream(http, contract, operation, options),
    prepareTogether: noTogether(limitations),
    close: () => http.close(),
  };
}
