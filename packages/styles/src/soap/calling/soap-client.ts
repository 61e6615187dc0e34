// Calls a contract over SOAP with any HTTP library.
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  checkMetadata,
  ownMetadata,
  type CallOptions,
  type Client,
  type Contract,
  type Invoke,
  type Operation,
} from "@roundtrip/contract";
import type { SaxesTagNS } from "saxes";
import { HeaderMap } from "../../shared/header-map.ts";
import { withDeadline } from "../../shared/http/http-deadline.ts";
import type { HttpResponse } from "../../shared/http/http-message.ts";
import type { HttpTransport } from "../../shared/http/http-transport.ts";
import { noStreams, refusedStream, unsupportedFeature } from "../../shared/unsupported-feature.ts";
import { readEnvelope } from "../envelope/read-envelope.ts";
import {
  contentTypeOf,
  envelopeText,
  soap11,
  soap12,
  type SoapDialect,
  type SoapVersion,
} from "../envelope/soap-version.ts";
import { errorInFault, errorOf } from "../errors.ts";
import { limitations } from "../limitations.ts";
import { actionOf, answerElement, requestElement, serviceNamespace, soapPath } from "../schema/names.ts";
import { messageFrame } from "../values/message-reader.ts";
import { messageWriter } from "../values/message-writer.ts";
import { TreeFrame, type ElementTree } from "../xml/element-tree.ts";
import { ElementError } from "../xml/element-error.ts";
import type { Frame } from "../xml/read-xml.ts";

type Headers = Readonly<Record<string, string>>;

function headersOf(operation: Operation, dialect: SoapDialect): Headers {
  const type = contentTypeOf(dialect);
  const action = actionOf(operation);
  const accept = dialect.mediaType;
  return dialect.version === "1.1"
    ? { accept, "content-type": type, soapaction: `"${action}"` }
    : { accept, "content-type": `${type}; action="${action}"` };
}

/** The headers of a call with its deadline and metadata. Throws INVALID_ARGUMENT for invalid metadata. */
function withOptions(headers: Headers, { timeoutMs, metadata }: CallOptions): Headers {
  const timed = withDeadline(headers, timeoutMs);
  if (metadata === undefined) return timed;
  checkMetadata(metadata);
  return { ...timed, ...Object.fromEntries(metadata) };
}

/** Writes the body of a request. Throws INVALID_ARGUMENT for a message that cannot be written. */
function requestWriter(operation: Operation, dialect: SoapDialect): (request: Message) => string {
  const { begin, end } = envelopeText(dialect);
  const name = requestElement(operation);
  const opening = `${begin}<m:${name} xmlns:m="${serviceNamespace(operation)}">`;
  const closing = `</m:${name}>${end}`;
  const write = messageWriter(operation.input);
  return (request) => {
    try {
      return opening + write(request, 1) + closing;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : "it cannot be written";
      throw new CallError(
        "INVALID_ARGUMENT",
        `the request is no valid ${operation.input.typeName}: ${reason}`,
        {},
        { cause },
      );
    }
  };
}

/** What the body of an answer held: the message, or a fault. */
interface AnswerContent {
  readonly fault: ElementTree | undefined;
  readonly message: Message | undefined;
}

/** Reads an answer. Ignores unknown elements, because the server may be newer than the caller. */
function answerReader(operation: Operation): (body: Uint8Array) => AnswerContent {
  const name = answerElement(operation);
  const namespace = serviceNamespace(operation);
  return (body) => {
    let isFault = false;
    const value = readEnvelope(body, {
      openBody(tag: SaxesTagNS, dialect): Frame {
        isFault = tag.local === "Fault" && tag.uri === dialect.namespace;
        if (isFault) return new TreeFrame(tag);
        if (tag.local === name && tag.uri === namespace) return messageFrame(operation.output, "ignored");
        throw new ElementError(`the answer must be ${name}, got ${tag.local}`);
      },
      checkVersion: () => undefined,
    });
    return isFault
      ? { fault: value as ElementTree, message: undefined }
      : { fault: undefined, message: value as Message };
  };
}

function foreignAnswer({ status, headers }: HttpResponse, name: string, cause: unknown): CallError {
  const type = String(headers["content-type"] ?? "no stated type");
  const text = `${name} answered ${status} with ${type}, which is not of the contract`;
  return new CallError("UNKNOWN", text, {}, { cause });
}

function responseReader(operation: Operation): (response: HttpResponse) => Message {
  const read = answerReader(operation);
  return (response) => {
    if (response.status >= 400) throw errorOf(response);
    let content: AnswerContent;
    try {
      if (response.status !== 200) throw new Error(`status ${response.status} is not of SOAP`);
      content = read(response.body);
    } catch (thrown) {
      throw foreignAnswer(response, operation.id, thrown);
    }
    if (content.message !== undefined) return content.message;
    throw content.fault === undefined
      ? foreignAnswer(response, operation.id, undefined)
      : errorInFault(content.fault, response.status);
  };
}

function unaryInvoke(http: HttpTransport, operation: Operation, dialect: SoapDialect): Invoke {
  const refused = refusedStream(operation, limitations);
  if (refused !== undefined) return refused;
  const headers = headersOf(operation, dialect);
  const write = requestWriter(operation, dialect);
  const read = responseReader(operation);
  return async (request, options = {}) => {
    const response = await http.send({
      method: "POST",
      path: soapPath,
      headers: withOptions(headers, options),
      body: write(request),
      timeoutMs: options.timeoutMs,
      signal: options.signal,
    });
    options.onMetadata?.(ownMetadata(new HeaderMap(response, (received) => received.headers)));
    return read(response);
  };
}

/** A client of the contract on these connections. Closing it closes them. @param version of the envelopes that it sends */
export function soapClientOf(http: HttpTransport, contract: Contract, version: SoapVersion): Client {
  const dialect = version === "1.2" ? soap12 : soap11;
  return {
    contract,
    prepare: (operation) => unaryInvoke(http, operation, dialect),
    prepareStream: (operation) => noStreams(operation, limitations),
    prepareTogether: () => {
      throw unsupportedFeature(limitations, "together");
    },
    close: () => http.close(),
  };
}

/** A client that sends SOAP 1.1. */
export function soapClient(http: HttpTransport, contract: Contract): Client {
  return soapClientOf(http, contract, soap11.version);
}
