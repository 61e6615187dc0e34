// Calls a contract over SOAP with any HTTP library.
import type { Message } from "@bufbuild/protobuf";
import { CallError, type Client, type Contract, type Invoke, type Operation } from "@roundtrip/contract";
import type { SaxesTagNS } from "saxes";
import {
  foreignAnswer,
  reportMetadata,
  requestHeaders,
  type HttpResponse,
  type StyleClientOptions,
  type HttpTransport,
} from "../shared/http/client.ts";
import { noStreams, refusedStream, noTogether } from "../shared/limitations.ts";
import { envelopeText, readEnvelope, soap11, soap12, type SoapDialect, type SoapVersion } from "./envelope.ts";
import { errorInFault, errorOf } from "./errors.ts";
import { limitations } from "./index.ts";
import { actionOf, answerElement, requestElement, serviceNamespace, soapPath } from "./schema/names.ts";
import { messageFrame } from "./values/message-reader.ts";
import { messageWriter } from "./values/message-writer.ts";
import { ElementError, type ElementTree, type Frame, TreeFrame } from "./xml.ts";

type Headers = Readonly<Record<string, string>>;

function headersOf(operation: Operation, dialect: SoapDialect): Headers {
  const type = dialect.contentType;
  const action = actionOf(operation);
  const accept = dialect.mediaType;
  return dialect.version === "1.1"
    ? { accept, "content-type": type, soapaction: `"${action}"` }
    : { accept, "content-type": `${type}; action="${action}"` };
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

interface Endpoint {
  readonly http: HttpTransport;
  readonly path: string;
  readonly dialect: SoapDialect;
}

function unaryInvoke({ http, path, dialect }: Endpoint, operation: Operation): Invoke {
  const refused = refusedStream(operation, limitations);
  if (refused !== undefined) return refused;
  const headers = headersOf(operation, dialect);
  const write = requestWriter(operation, dialect);
  const read = responseReader(operation);
  return async (request, options = {}) => {
    const response = await http.send({
      method: "POST",
      path,
      headers: requestHeaders(headers, options),
      body: write(request),
      timeoutMs: options.timeoutMs,
      signal: options.signal,
    });
    reportMetadata(options, response);
    return read(response);
  };
}

/** A client of the contract on these connections, for the endpoint at the path of the URL. Closing it closes them. */
export function soapClientOf(
  http: HttpTransport,
  contract: Contract,
  {
    url,
    version,
  }: Pick<StyleClientOptions, "url"> & {
    /** Of the envelopes that it sends. */
    readonly version: SoapVersion;
  },
): Client {
  const { pathname, search } = new URL(url);
  const path = `${pathname === "/" ? soapPath : pathname}${search}`;
  const endpoint: Endpoint = { http, path, dialect: version === "1.2" ? soap12 : soap11 };
  return {
    contract,
    prepare: (operation) => unaryInvoke(endpoint, operation),
    prepareStream: (operation) => noStreams(operation, limitations),
    prepareTogether: noTogether(limitations),
    close: () => http.close(),
  };
}

/** A client that sends SOAP 1.1. */
export function soapClient(http: HttpTransport, contract: Contract, { url }: StyleClientOptions): Client {
  return soapClientOf(http, contract, { url, version: soap11.version });
}
