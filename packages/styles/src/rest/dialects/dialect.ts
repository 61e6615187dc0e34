// The type of a dialect of REST: what servers of one contract spell differently, because `google.api.http` does not define it.
import type { CallError, ServerCall } from "@roundtrip/contract";
import type { AnswerHeaders } from "../../shared/http/http-answer.ts";
import type { MessageJsonForm } from "../../shared/proto-json/json-form.ts";
import type { ReceivedRequest } from "../../shared/http/http-service.ts";
import type { WriteFaultBody } from "../../shared/http/fault-body.ts";
import type { Leniency } from "../requests/leniency.ts";

export type DialectName = "standard" | "grpc-gateway" | "google";

/** An error as an HTTP answer. */
export interface WrittenError {
  readonly status: number;
  /** JSON. */
  readonly body: object;
}

/** @param status of the error in the default dialect */
export type WriteError = (error: CallError, status: number) => WrittenError;

/** The metadata of an answer as headers; undefined without metadata. Throws INTERNAL for invalid metadata. */
type MetadataOf = (call: ServerCall) => AnswerHeaders | undefined;

/** How a dialect writes an error answer. */
export interface ErrorForm {
  readonly errorType: string;
  readonly write: WriteError;
  readonly metadataOf: MetadataOf;
}

/**
 * The form of streams: `negotiated` (lines, events or bytes by the Accept header), `wrapped` (a line `{"result":…}` for each message), or `array`
 * (one JSON array; events on request).
 */
export type StreamShape = "negotiated" | "wrapped" | "array";

export interface RestDialect extends Pick<ErrorForm, "errorType" | "metadataOf"> {
  readonly name: DialectName;
  /** Begins a call with the deadline and metadata of a request. Throws INVALID_ARGUMENT for an invalid deadline. */
  readonly callOf: (request: ReceivedRequest) => ServerCall;
  readonly writeError: WriteError;
  /** Writes the error of a stream before its first message. */
  readonly writeStreamError: WriteError;
  /** Writes errors of HTTP itself, such as headers that are too large. */
  readonly writeFault: WriteFaultBody;
  readonly streams: StreamShape;
  /** Whether creation is 201 with a Location, and an answer of no content 204. Otherwise both are 200. */
  readonly hasOwnStatuses: boolean;
  /** Whether violations name fields as in JSON; otherwise as in the contract. */
  readonly spellsViolations: boolean;
  /** Whether an Accept header without JSON is refused. */
  readonly checksAccept: boolean;
  /** Throws 415 for a body of another media type. */
  readonly checkBodyType: (contentType: string | undefined) => void;
  readonly leniency: Leniency;
  readonly form: MessageJsonForm;
}
