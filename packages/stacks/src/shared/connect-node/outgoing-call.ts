// One call of a client on Connect's library: its transport, its options in the library's terms, and its errors in those of the contract.
import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import {
  CallError,
  callerCancelled,
  checkMetadata,
  codeFromGrpc,
  deadlineExceeded,
  ownMetadata,
  requestToBinary,
  type CallOptions,
  type ErrorDetails,
  type Operation,
} from "@roundtrip/contract";
import { BadRequestSchema, ErrorInfoSchema } from "@roundtrip/contract/gen/google/rpc/error_details_pb";
import { metadataHeaders, receivedMetadata, serverUnavailable, streamReset } from "@roundtrip/styles/client";
import { constants } from "node:http2";
import type { Http2Connection } from "../http2/http2-connection.ts";
import type { Http2Connections } from "../http2/http2-connections.ts";
import { Http2Lane, type LaneCall } from "./http2-lane.ts";

/** Makes a transport of Connect's library on a connection. */
export type TransportOn = (lane: Http2Lane) => Transport;

interface Lane {
  readonly lane: Http2Lane;
  readonly transport: Transport;
}

/** The library writes gRPC's deadline in milliseconds, for which gRPC has eight digits: longer ones, of 27 hours, count as none. */
const longestTimeoutMs = 99_999_999;

/** The options of a call in the library's terms. */
interface LibraryOptions {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
  readonly header: Record<string, string>;
}

/** Throws a CallError for a call that is over before it begins, and for metadata that some style cannot carry. */
function libraryOptions({ signal, timeoutMs, metadata }: CallOptions): LibraryOptions {
  if (signal?.aborted === true) throw callerCancelled();
  if (metadata !== undefined) checkMetadata(metadata);
  if (timeoutMs !== undefined && timeoutMs <= 0) throw deadlineExceeded();
  return {
    signal,
    // The library sends the number as it is, and protocols have whole milliseconds.
    timeoutMs: timeoutMs === undefined || timeoutMs > longestTimeoutMs ? undefined : Math.ceil(timeoutMs),
    header: metadata === undefined ? {} : (metadataHeaders(metadata) as Record<string, string>),
  };
}

function detailsOf(error: ConnectError): Partial<ErrorDetails> {
  const [info] = error.findDetails(ErrorInfoSchema);
  const [badRequest] = error.findDetails(BadRequestSchema);
  return {
    ...(info === undefined ? {} : { reason: info.reason, domain: info.domain, metadata: info.metadata }),
    ...(badRequest === undefined
      ? {}
      : {
          violations: badRequest.fieldViolations.map(({ field, description, reason }) => ({
            field,
            description,
            reason,
          })),
        }),
  };
}

/** The transports of one client, one on each connection. */
export class Transports {
  readonly connections: Http2Connections;
  readonly #transportOn: TransportOn;
  readonly #lanes = new WeakMap<Http2Connection, Lane>();

  constructor(connections: Http2Connections, transportOn: TransportOn) {
    this.connections = connections;
    this.#transportOn = transportOn;
  }

  on(connection: Http2Connection): Lane {
    let known = this.#lanes.get(connection);
    if (known === undefined) {
      const lane = new Http2Lane(connection, this.connections.url);
      known = { lane, transport: this.#transportOn(lane) };
      this.#lanes.set(connection, known);
    }
    return known;
  }
}

export class OutgoingCall {
  readonly transport: Transport;
  readonly options: LibraryOptions;
  readonly #operation: Operation;
  readonly #connections: Http2Connections;
  readonly #connection: Http2Connection;
  readonly #call: LaneCall = { session: undefined, stream: undefined, fault: undefined };
  #onMetadata: CallOptions["onMetadata"];

  /** Throws a CallError for invalid options, or once the client is closed. Make the library's call in the same turn, and call {@link end} afterwards. */
  constructor(operation: Operation, transports: Transports, options: CallOptions) {
    this.options = libraryOptions(options);
    this.#operation = operation;
    this.#onMetadata = options.onMetadata;
    this.#connections = transports.connections;
    this.#connection = this.#connections.begin();
    const { lane, transport } = transports.on(this.#connection);
    lane.beginning = this.#call;
    this.transport = transport;
  }

  /** Whether the server has refused the stream without beginning with the call. */
  get isRefused(): boolean {
    return this.#call.stream?.rstCode === constants.NGHTTP2_REFUSED_STREAM;
  }

  takeMetadata(headers: Headers): void {
    const onMetadata = this.#onMetadata;
    this.#onMetadata = undefined;
    onMetadata?.(ownMetadata(Object.entries(receivedMetadata(Object.fromEntries(headers)))));
  }

  /** The error of a call that the library has thrown. @param last the last request that was sent. */
  errorOf(thrown: unknown, last: Message | undefined): CallError {
    const error = ConnectError.from(thrown);
    const { rawMessage, code, isWireError } = error;
    if (isWireError) {
      this.takeMetadata(error.metadata);
      return new CallError(codeFromGrpc(code), rawMessage, detailsOf(error), { cause: error });
    }
    if (this.options.signal?.aborted === true) return callerCancelled();
    if (code === Code.DeadlineExceeded) return deadlineExceeded();
    return (
      this.#lost(error) ??
      this.#reset(error) ??
      this.#unwritable(last) ??
      new CallError(codeFromGrpc(code), rawMessage, {}, { cause: error })
    );
  }

  /** Ends the call on both sides. */
  end(): void {
    const { stream } = this.#call;
    if (stream !== undefined && !stream.closed) {
      if (!stream.writableEnded) stream.end();
      // A stream is closed when its body has been received.
      stream.resume();
    }
    this.#connections.end(this.#connection);
  }

  /** The error of a connection that was not opened, or is gone. */
  #lost(error: ConnectError): CallError | undefined {
    const { session, stream, fault } = this.#call;
    const { origin } = this.#connections.url;
    if (fault !== undefined) return serverUnavailable(origin, fault);
    if (session?.destroyed !== true) return undefined;
    const cause = stream?.errored ?? error.cause;
    return serverUnavailable(origin, cause instanceof Error ? cause : undefined);
  }

  /** The library has INTERNAL for a stream that its server has reset, whatever the reason. */
  #reset({ cause }: ConnectError): CallError | undefined {
    const isReset = (cause as NodeJS.ErrnoException | undefined)?.code === "ERR_HTTP2_STREAM_ERROR";
    return isReset ? streamReset(this.#call.stream?.rstCode ?? constants.NGHTTP2_INTERNAL_ERROR) : undefined;
  }

  /** The library has INTERNAL for a request that it cannot write. */
  #unwritable(last: Message | undefined): CallError | undefined {
    try {
      if (last !== undefined) requestToBinary(this.#operation, last);
    } catch (thrown) {
      return CallError.from(thrown);
    }
    return undefined;
  }
}
