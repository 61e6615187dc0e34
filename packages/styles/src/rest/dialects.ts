// Dialects of REST: what servers of one contract spell differently, because `google.api.http` does not define it.
import {
  CallError,
  canonicalCodes,
  type PlainSetting,
  ServerCall,
  type SettingsOf,
  TooSlow,
} from "@roundtrip/contract";
import { problemOf, problemType } from "./errors.ts";
import { type Leniency, strict } from "./requests/leniency.ts";
import { HeaderMap, deadlineHeader, deadlineOf, timeoutMsIn, jsonMediaType } from "../shared/call-headers.ts";
import {
  type WriteFaultBody,
  type AnswerHeaders,
  HttpError,
  type ReceivedRequest,
  incomingCall,
  metadataHeaders,
  textAnswer,
  type WholeAnswer,
  checkJsonType,
} from "../shared/http/http-service.ts";
import { MessageTooLarge } from "./streams/lines.ts";
import { type MessageJsonForm, shortForm } from "../shared/proto-json/message-to-json.ts";
import { detailsToAny, detailsToWholeAny } from "../shared/error-details.ts";

// The type of a dialect of REST: what servers of one contract spell differently, because `google.api.http` does not define it.

export type DialectName = "standard" | "grpc-gateway" | "google";

export interface WrittenError {
  readonly status: number;
  /** JSON. */
  readonly body: object;
}

/** @param status of the error in the default dialect */
export type WriteError = (error: CallError, status: number) => WrittenError;

/** The metadata of an answer as headers; undefined without metadata. Throws INTERNAL for invalid metadata. */
type MetadataOf = (call: ServerCall) => AnswerHeaders | undefined;

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

// Metadata and deadlines as grpc-gateway has them: headers `Grpc-Metadata-NAME` and `Grpc-Timeout`.

const prefix = "grpc-metadata-";

/** The headers, and those with the prefix also by the names of their metadata. */
export function withGatewayMetadata<T>(headers: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  const prefixed = Object.entries(headers).filter(([name]) => name.startsWith(prefix));
  if (prefixed.length === 0) return headers;
  return { ...headers, ...Object.fromEntries(prefixed.map(([name, value]) => [name.slice(prefix.length), value])) };
}

/** Begins a call. Ignores a malformed `Grpc-Timeout`, as the gateway's callers may send any. Throws INVALID_ARGUMENT for an invalid deadline. */
function gatewayCall(request: ReceivedRequest): ServerCall {
  const { "grpc-timeout": timeout, [deadlineHeader]: deadline } = request.headers;
  const timeoutMs = typeof timeout === "string" ? timeoutMsIn(timeout) : undefined;
  const headers = new HeaderMap(request, ({ headersDistinct }) => withGatewayMetadata(headersDistinct));
  return new ServerCall(timeoutMs ?? deadlineOf(deadline), headers, request.socket);
}

/** The metadata of an answer as headers; undefined without metadata. Throws INTERNAL for invalid metadata. */
function gatewayHeaders(call: ServerCall): AnswerHeaders | undefined {
  const metadata = metadataHeaders(call);
  if (metadata === undefined) return undefined;
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [prefix + name, value]));
}

// REST as the standards of HTTP have it: problem details (RFC 9457), streams by the Accept header, 201 and 204.

const writeProblem: WriteError = (error, status) => ({ status, body: problemOf(error, status) });

export const standard: RestDialect = {
  name: "standard",
  errorType: problemType,
  writeError: writeProblem,
  callOf: incomingCall,
  metadataOf: metadataHeaders,
  writeStreamError: writeProblem,
  writeFault: (error, status) => ({ type: problemType, text: JSON.stringify(problemOf(error, status)) }),
  streams: "negotiated",
  hasOwnStatuses: true,
  spellsViolations: true,
  checksAccept: true,
  checkBodyType: checkJsonType,
  leniency: strict,
  form: shortForm,
};

// REST as Google's APIs serve it: https://google.aip.dev/193 and https://cloud.google.com/apis/docs/system-parameters

/** What Google's clients send with each call. */
const systemParameters = [
  "access_token",
  "alt",
  "callback",
  "fields",
  "key",
  "oauth_token",
  "prettyPrint",
  "quotaUser",
  "uploadType",
  "upload_protocol",
  "xgafv",
  ".xgafv",
];

const leniency: Leniency = {
  ...strict,
  readsContractPaths: true,
  parameters: new Set(systemParameters.flatMap((name) => [name, `$${name}`])),
};

const writeGoogleError: WriteError = (error, status) => {
  const code = status === 404 && error.code === "UNIMPLEMENTED" ? "NOT_FOUND" : error.code;
  const details = detailsToAny(error.details);
  const body = { code: status, message: error.message, status: code, ...(details.length === 0 ? {} : { details }) };
  return { status, body: { error: body } };
};

const google: RestDialect = {
  name: "google",
  errorType: jsonMediaType,
  writeError: writeGoogleError,
  callOf: incomingCall,
  metadataOf: metadataHeaders,
  writeStreamError: (error, status) => ({ status, body: [writeGoogleError(error, status).body] }),
  writeFault: (error, status) => ({ type: jsonMediaType, text: JSON.stringify(writeGoogleError(error, status).body) }),
  streams: "array",
  hasOwnStatuses: false,
  spellsViolations: false,
  checksAccept: false,
  checkBodyType: (type) => {
    if (type !== undefined) checkJsonType(type);
  },
  leniency,
  form: shortForm,
};

// REST as grpc-gateway serves it by default: https://grpc-ecosystem.github.io/grpc-gateway/docs/mapping/customizing_your_gateway/

/** A google.rpc.Status. A path without a route is NOT_FOUND, and another method UNIMPLEMENTED with its own status. */
const writeGatewayError: WriteError = ({ code, message, details }, status) => {
  const written = status === 404 && code === "UNIMPLEMENTED" ? "NOT_FOUND" : code;
  return {
    status: status === 405 ? canonicalCodes[written].http : status,
    body: { code: canonicalCodes[written].grpc, message, details: detailsToWholeAny(details) },
  };
};

const grpcGateway: RestDialect = {
  name: "grpc-gateway",
  errorType: jsonMediaType,
  writeError: writeGatewayError,
  callOf: gatewayCall,
  metadataOf: gatewayHeaders,
  writeStreamError: (error, status) => {
    const written = writeGatewayError(error, status);
    return { status: written.status, body: { error: written.body } };
  },
  writeFault: (error, status) => ({ type: jsonMediaType, text: JSON.stringify(writeGatewayError(error, status).body) }),
  streams: "wrapped",
  hasOwnStatuses: false,
  spellsViolations: false,
  checksAccept: false,
  // It reads every body as JSON.
  checkBodyType: () => undefined,
  leniency: { ...strict, ignoresUnknown: true, readsContractPaths: true, readsGoValues: true },
  form: { hasContractNames: false, hasUnsetFields: true },
};

// Settings of every REST server: how answers are spelled where `google.api.http` says nothing.

export const dialectSettings = [
  {
    name: "dialect",
    meaning: "format of errors, streams and statuses: RFC 9457 and RFC 9110, grpc-gateway's, or that of Google's APIs",
    default: "standard",
    values: ["standard", "grpc-gateway", "google"],
  },
  {
    name: "fieldNames",
    meaning: "field names in answers: those of ProtoJSON (createTime) or of the contract (create_time)",
    default: "json",
    values: ["json", "contract"],
  },
  {
    name: "unsetFields",
    meaning: "whether answers include unset fields; by-dialect includes them for grpc-gateway only",
    default: "by-dialect",
    values: ["by-dialect", "written", "omitted"],
  },
] as const satisfies readonly PlainSetting[];

// The dialect that the settings of a server select.

const dialects: Readonly<Record<DialectName, RestDialect>> = { standard, google, "grpc-gateway": grpcGateway };

/** @param settings valid ones */
export function dialectOf({ dialect, fieldNames, unsetFields }: SettingsOf<typeof dialectSettings>): RestDialect {
  const chosen = dialects[dialect as DialectName];
  const form = {
    hasContractNames: fieldNames === "contract",
    hasUnsetFields: unsetFields === "by-dialect" ? chosen.form.hasUnsetFields : unsetFields === "written",
  };
  // The short form has a faster writer.
  return { ...chosen, form: form.hasContractNames || form.hasUnsetFields ? form : shortForm };
}

// Errors as answers, with the metadata of the call.

/** The HTTP status of any thrown value in the default dialect: that of its code, unless HTTP has a more specific one. */
export function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpError) return thrown.status;
  if (thrown instanceof MessageTooLarge) return 413;
  return thrown instanceof TooSlow ? 408 : canonicalCodes[CallError.from(thrown).code].http;
}

function errorOf(thrown: unknown): CallError {
  return thrown instanceof HttpError ? thrown.error : CallError.from(thrown);
}

/** @param call undefined if the request was refused before the call began. @param headers the answer's own headers. */
export function errorAnswer(
  thrown: unknown,
  { errorType, write, metadataOf }: ErrorForm,
  call?: ServerCall,
  headers?: AnswerHeaders,
): WholeAnswer {
  let written = write(errorOf(thrown), statusOf(thrown));
  let metadata: AnswerHeaders | undefined;
  try {
    if (call !== undefined) metadata = metadataOf(call);
  } catch (unsendable) {
    written = write(errorOf(unsendable), statusOf(unsendable));
  }
  const { status, body } = written;
  const own: Record<string, string | number> = {
    ...headers,
    ...metadata,
    ...(thrown instanceof HttpError ? thrown.headers : undefined),
  };
  // RFC 9110, section 15.5.9: the server does not wait for the rest of a slow request.
  if (status === 408) own["connection"] = "close";
  // RFC 9110, section 15.5.2: a 401 states how to authenticate.
  if (status === 401) own["www-authenticate"] ??= "Bearer";
  return textAnswer(status, errorType, JSON.stringify(body), own);
}
