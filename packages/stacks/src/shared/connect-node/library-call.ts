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
import { metadataHeaders, receivedMetadata } from "@roundtrip/styles/client";

/** The place of one call on the connections of a client. */
export interface CallLane {
  readonly transport: Transport;
  /** Whether the server has refused the call without beginning with it. */
  readonly isRefused: boolean;
  /** Ends the call on both sides. */
  end(): void;
  /** The error of a connection that was not opened or is gone, or of a call that its server has reset; undefined for other errors. */
  lossOf(error: ConnectError): CallError | undefined;
}

/** The connections of one client. */
export interface CallLanes {
  /** A place for the next call. The library's call has to be made in the same turn. Throws CANCELLED once the client is closed. */
  begin(operation: Operation): CallLane;
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

/** An error that the library made itself. It has INVALID_ARGUMENT and INTERNAL for answers of servers that speak another protocol. */
function ownError(error: ConnectError): CallError {
  const isForeign = error.code === Code.InvalidArgument || error.rawMessage.startsWith("unsupported content type");
  const code = isForeign ? "UNKNOWN" : codeFromGrpc(error.code);
  return new CallError(code, error.rawMessage, {}, { cause: error });
}

export class LibraryCall {
  readonly options: LibraryOptions;
  readonly #operation: Operation;
  readonly #lane: CallLane;
  /** On the clock of `performance`. */
  readonly #deadlineMs: number;
  #onMetadata: CallOptions["onMetadata"];

  /** Throws a CallError for invalid options, or once the client is closed. Make the library's call in the same turn, and call {@link end} afterwards. */
  constructor(operation: Operation, lanes: CallLanes, options: CallOptions) {
    this.options = libraryOptions(options);
    this.#operation = operation;
    this.#onMetadata = options.onMetadata;
    this.#deadlineMs = performance.now() + (options.timeoutMs ?? Number.POSITIVE_INFINITY);
    this.#lane = lanes.begin(operation);
  }

  get transport(): Transport {
    return this.#lane.transport;
  }

  get isRefused(): boolean {
    return this.#lane.isRefused;
  }

  end(): void {
    this.#lane.end();
  }

  takeMetadata(...headers: readonly Headers[]): void {
    const onMetadata = this.#onMetadata;
    this.#onMetadata = undefined;
    if (onMetadata === undefined) return;
    const entries = Object.fromEntries(headers.flatMap((one) => [...one]));
    onMetadata(ownMetadata(Object.entries(receivedMetadata(entries))));
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
    // A server may reset a call when its deadline passes, and be faster than the timer here.
    const isLate = code === Code.Canceled && performance.now() >= this.#deadlineMs;
    if (code === Code.DeadlineExceeded || isLate) return deadlineExceeded();
    return this.#lane.lossOf(error) ?? this.#unwritable(last) ?? ownError(error);
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
