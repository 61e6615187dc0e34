// One call over SOAP: the operation, its request and its answer.
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  ConnectionCut,
  type Contract,
  largeRequestBytes,
  type Operation,
  type ServerCall,
  type Service,
  TooSlow,
} from "@roundtrip/contract";
import type { SaxesTagNS } from "saxes";
import { StyleError } from "../style-names.ts";
import {
  notAcceptable,
  preferredType,
  checkCharset,
  unsupported,
  type AnswerHeaders,
  cutAnswer,
  type HttpAnswer,
  type WholeAnswer,
  HttpError,
  type ReceivedRequest,
  type ServedExchange,
  incomingCall,
  metadataHeaders,
  textAnswer,
} from "../shared/http/http-service.ts";
import { streamWords, unsupportedFeature } from "../shared/limitations.ts";
import { hasOpenNames, unknownName } from "../shared/unknown-name.ts";
import {
  dialects,
  envelopeText,
  readEnvelope,
  readEnvelopeInTurns,
  soap11,
  soap12,
  type SoapDialect,
  SoapFaultError,
} from "./envelope.ts";
import { faultText, statusOf } from "./errors.ts";
import { limitations } from "./index.ts";
import { actionOf, answerElement, requestElement, serviceNamespace } from "./schema/names.ts";
import { messageFrame } from "./values/message-reader.ts";
import { messageWriter, type WriteMessage } from "./values/message-writer.ts";
import { badXml, type Frame } from "./xml.ts";

// What the headers of a SOAP request say: its version, its action, and what its caller accepts.

type Headers = ReceivedRequest["headers"];

const both = dialects.map(({ mediaType }) => mediaType).join(" or ");

function mediaTypeOf(contentType: string): string {
  const end = contentType.indexOf(";");
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** The dialect that the type of a body names; undefined for other types. */
export function dialectNamed(contentType: string | undefined): SoapDialect | undefined {
  if (contentType === undefined) return undefined;
  const mediaType = mediaTypeOf(contentType);
  return dialects.find((dialect) => dialect.mediaType === mediaType);
}

/** The dialect of a request. Throws 415 for a body that is not declared as SOAP in UTF-8. */
export function dialectOf({ "content-type": contentType }: Headers): SoapDialect {
  const usual = dialects.find((one) => one.contentType === contentType);
  if (usual !== undefined) return usual;
  const dialect = dialectNamed(contentType);
  if (contentType === undefined || dialect === undefined) {
    throw unsupported(`the body is ${contentType ?? "of no stated type"}`, both, {
      accept: `${soap11.mediaType}, ${soap12.mediaType}`,
    });
  }
  checkCharset(contentType, dialect.mediaType);
  return dialect;
}

/** Throws 406 if the caller does not accept the dialect. Some callers of SOAP 1.2 accept text/xml only by habit: both types are XML. */
export function checkAccept({ accept }: Headers, { mediaType }: SoapDialect): void {
  if (accept === undefined || accept === "*/*" || accept === mediaType) return;
  const types = [...dialects.map((dialect) => dialect.mediaType), "application/xml"];
  if (preferredType(accept, types) === undefined) throw notAcceptable(accept, mediaType);
}

const actionParameter = /;\s*action\s*=\s*(?:"([^"]*)"|([^\s";]+))/i;

/** The action that a request names; empty for none. */
function actionIn(headers: Headers, { version }: SoapDialect): string {
  if (version === "1.2") {
    const [, quoted, bare] = actionParameter.exec(headers["content-type"] ?? "") ?? [];
    return quoted ?? bare ?? "";
  }
  const header = headers["soapaction"];
  return typeof header === "string" ? header.trim().replace(/^"(.*)"$/, "$1") : "";
}

/** The action that a request names and an operation does not have; undefined if it names none, or that of the operation. */
function otherAction(
  headers: Headers,
  dialect: SoapDialect,
  { action, quotedAction }: Pick<SoapOperation, "action" | "quotedAction">,
): string | undefined {
  if (dialect.version === "1.1" && headers["soapaction"] === quotedAction) return undefined;
  const named = actionIn(headers, dialect);
  return named === "" || named === action ? undefined : named;
}

// The operations that a body can call, by their elements.

export interface SoapOperation {
  readonly operation: Operation;
  readonly action: string;
  /** As callers of SOAP 1.1 write it. */
  readonly quotedAction: string;
  /** Text around the elements of an answer. */
  readonly begin: string;
  readonly end: string;
  readonly write: WriteMessage;
}

/** By the namespace and the name of an element: a key of both would be a new text for each call. */
export type SoapOperations = ReadonlyMap<string, ReadonlyMap<string, SoapOperation>>;

/** Throws a StyleError if two operations have one element. */
export function soapOperations({ operations }: Contract): SoapOperations {
  const byNamespace = new Map<string, Map<string, SoapOperation>>();
  for (const operation of operations) {
    const namespace = serviceNamespace(operation);
    const element = requestElement(operation);
    const byElement = byNamespace.get(namespace) ?? new Map<string, SoapOperation>();
    const taken = byElement.get(element)?.operation.id;
    if (taken !== undefined) {
      const key = `{${namespace}}${element}`;
      throw new StyleError("unusable-contract", `${key} is the element of both ${taken} and ${operation.id}`);
    }
    const name = answerElement(operation);
    const action = actionOf(operation);
    byElement.set(element, {
      operation,
      action,
      quotedAction: `"${action}"`,
      begin: `<m:${name} xmlns:m="${namespace}">`,
      end: `</m:${name}>`,
      write: messageWriter(operation.output),
    });
    byNamespace.set(namespace, byElement);
  }
  return byNamespace;
}

// Answers and faults as values, with the handler's metadata.

interface Ending {
  readonly error: CallError;
  readonly status: number;
  readonly headers: AnswerHeaders | undefined;
}

function endingOf(thrown: unknown, dialect: SoapDialect): Ending {
  if (thrown instanceof HttpError) return { error: thrown.error, status: thrown.status, headers: thrown.headers };
  const error = CallError.from(thrown);
  // RFC 9110, section 15.5.9: the server does not wait for the rest of a slow request.
  if (thrown instanceof TooSlow) return { error, status: 408, headers: { connection: "close" } };
  return { error, status: statusOf(error, dialect), headers: undefined };
}

/** The fault of any thrown value. @param call undefined if the request was refused before the call began */
export function faultAnswer(thrown: unknown, dialect: SoapDialect, call: ServerCall | undefined): WholeAnswer {
  let ending = endingOf(thrown, dialect);
  let metadata: AnswerHeaders | undefined;
  try {
    if (call !== undefined) metadata = metadataHeaders(call);
  } catch (unsendable) {
    ending = endingOf(unsendable, dialect);
  }
  const headers = { ...metadata, ...ending.headers };
  return textAnswer(ending.status, dialect.contentType, faultText(ending.error, dialect), headers);
}

export interface SoapServer {
  readonly service: Service;
  readonly operations: SoapOperations;
}

/** An element that is no operation's. */
class UnknownElement extends CallError {
  readonly local: string;

  constructor(uri: string, local: string) {
    super("UNIMPLEMENTED", `no operation has the element ${local} of ${uri === "" ? "no namespace" : uri}`);
    this.local = local;
  }
}

/** Every measured call makes one, so it keeps references instead of copies. */
export class SoapExchange implements ServedExchange {
  readonly takes = "body";
  readonly #server: SoapServer;
  readonly #request: ReceivedRequest;
  readonly #dialect: SoapDialect;
  readonly #call: ServerCall;
  /** Known once the body is read. */
  #called: SoapOperation | undefined;

  /** Throws INVALID_ARGUMENT for an invalid deadline. */
  constructor(server: SoapServer, request: ReceivedRequest, dialect: SoapDialect) {
    this.#server = server;
    this.#request = request;
    this.#dialect = dialect;
    this.#call = incomingCall(request);
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  answer(body: Uint8Array | undefined): WholeAnswer | Promise<HttpAnswer> {
    try {
      this.#call.throwIfEnded();
      if (body === undefined) throw badXml("the body is empty, not a SOAP envelope");
      if (body.length >= largeRequestBytes) return this.#large(body);
      const answer = this.#answerTo(readEnvelope(body, this));
      return answer instanceof Promise ? this.#later(answer) : this.#whole(answer);
    } catch (thrown) {
      return thrown instanceof UnknownElement ? this.#refuseElement(thrown) : this.refuse(thrown);
    }
  }

  #answerTo(message: unknown): Message | Promise<Message> {
    const { operation } = this.#called as SoapOperation;
    return this.#server.service.call(operation, message as Message, this.#call);
  }

  #large(body: Uint8Array): Promise<HttpAnswer> {
    return this.#later(readEnvelopeInTurns(body, this).then((message) => this.#answerTo(message)));
  }

  // oxlint-disable-next-line require-await -- bodies are read whole
  async answerPieces(): Promise<HttpAnswer> {
    return this.refuse(new CallError("UNIMPLEMENTED", "SOAP reads whole bodies"));
  }

  refuse(thrown: unknown): WholeAnswer {
    this.#call.finish();
    return thrown instanceof ConnectionCut
      ? cutAnswer(thrown, (part) => this.#whole(part))
      : faultAnswer(thrown, this.#dialect, this.#call);
  }

  cancel(): void {
    this.#call.cancel();
  }

  /** The element of the body names the operation. SOAPAction may repeat it, but not name another. */
  openBody({ uri, local }: SaxesTagNS): Frame {
    const called = this.#server.operations.get(uri)?.get(local);
    if (called === undefined) throw new UnknownElement(uri, local);
    const other = otherAction(this.#request.headers, this.#dialect, called);
    if (other !== undefined) throw badXml(`the action ${other} does not belong to ${local}`);
    const stream = streamWords[called.operation.kind];
    if (stream !== undefined) throw unsupportedFeature(limitations, stream.feature);
    this.#called = called;
    return messageFrame(called.operation.input, "refused");
  }

  checkVersion({ version }: SoapDialect): void {
    const { version: declared, mediaType } = this.#dialect;
    if (version === declared) return;
    throw new SoapFaultError(
      "VersionMismatch",
      "INVALID_ARGUMENT",
      `the envelope is SOAP ${version}, and ${mediaType} is SOAP ${declared}`,
    );
  }

  #whole(message: Message): WholeAnswer {
    this.#call.finish();
    const text = this.#textOf(message);
    return textAnswer(200, this.#dialect.contentType, text, metadataHeaders(this.#call));
  }

  #textOf(message: Message): string {
    const { begin, end, write } = this.#called as SoapOperation;
    const envelope = envelopeText(this.#dialect);
    return `${envelope.begin}${begin}${write(message, 1)}${end}${envelope.end}`;
  }

  async #later(answered: Promise<Message>): Promise<HttpAnswer> {
    try {
      return this.#whole(await answered);
    } catch (thrown) {
      return thrown instanceof UnknownElement ? this.#refuseElement(thrown) : this.refuse(thrown);
    }
  }

  async #refuseElement({ message, local }: UnknownElement): Promise<WholeAnswer> {
    const { service, operations } = this.#server;
    const [uri] = [...operations].find(([, byElement]) => byElement.has(local)) ?? [];
    if (uri !== undefined && hasOpenNames(service))
      return this.refuse(new CallError("UNIMPLEMENTED", `${message}; did you mean that of ${uri}?`));
    const names = [...operations.values()].flatMap((byElement) => [...byElement.keys()]);
    return this.refuse(await unknownName(service, message, local, names));
  }
}
