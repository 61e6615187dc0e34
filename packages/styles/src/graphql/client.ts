// Calls a contract over GraphQL with any library. Builds one document per read mask; all values are variables.
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  type CallOptions,
  checkMetadata,
  type Contract,
  type Invoke,
  type InvokeStream,
  type InvokeTogether,
  type Operation,
  type InvokeLinked,
  type LinkedClient,
  ownMetadata,
} from "@roundtrip/contract";
import {
  type Alias,
  dataOf,
  type DocumentCall,
  documentCallOf,
  type ResponseJson,
  responseOf,
} from "./documents/call.ts";
import { linkedDocument, type LinkedDocument } from "./documents/linked.ts";
import { eventStreamType, graphqlPath, graphqlResponseType, limitations } from "./index.ts";
import { graphqlModel } from "./schema/model.ts";
import { subscribe } from "./streams/subscription.ts";
import { codecsOf, type JsonFields } from "./values/codec.ts";
import { HeaderMap, withDeadline } from "../shared/call-headers.ts";
import type {
  ExchangeLimits,
  HttpRequest,
  HttpResponse,
  StyleClientOptions,
  HttpTransport,
} from "../shared/http/client.ts";
import { noStreams } from "../shared/limitations.ts";
export { invalidResponse } from "./documents/call.ts";

// The interface of a GraphQL client library, and any HTTP library as one.

export interface GraphqlDocument {
  readonly query: string;
  /** A JSON body up to its variables. */
  readonly bodyHead: string;
}

export interface GraphqlRequest extends ExchangeLimits, Pick<HttpRequest, "path" | "headers"> {
  readonly document: GraphqlDocument;
  readonly variables: Record<string, unknown>;
}

export interface GraphqlResponse extends Pick<HttpResponse, "status" | "headers"> {
  /** Throws a CallError by the HTTP status for a body that is no GraphQL response. */
  result(): ResponseJson;
}

/** Like {@link HttpTransport}, for whole results. */
export interface GraphqlTransport extends Pick<HttpTransport, "stream" | "close"> {
  send(request: GraphqlRequest): Promise<GraphqlResponse>;
}

export function bodyOf({ bodyHead }: GraphqlDocument, variables: Record<string, unknown>): string {
  return `${bodyHead}${JSON.stringify(variables)}}`;
}

class TextResponse implements GraphqlResponse {
  readonly #response: HttpResponse;
  readonly status: number;
  readonly headers: HttpResponse["headers"];

  constructor(response: HttpResponse) {
    this.#response = response;
    this.status = response.status;
    this.headers = response.headers;
  }

  result(): ResponseJson {
    return responseOf(this.status, this.#response.body.toString());
  }
}

export function overHttp(http: HttpTransport): GraphqlTransport {
  return {
    async send({ path, headers, timeoutMs, signal, document, variables }) {
      const body = bodyOf(document, variables);
      return new TextResponse(await http.send({ method: "POST", path, headers, body, timeoutMs, signal }));
    },
    stream: (request) => http.stream(request),
    close: () => http.close(),
  };
}

const headers = {
  "content-type": "application/json",
  accept: `${graphqlResponseType}, application/json;q=0.9`,
} as const;

const streamHeaders = { ...headers, accept: eventStreamType } as const;

/** Maximum number of cached documents: callers choose read masks. */
const maxDocuments = 1_000;

interface DocumentWriter {
  /** A key of the requests' read masks: equal keys have equal texts. */
  maskKey(requests: readonly Message[]): string;
  text(requests: readonly Message[]): string;
}

function cachedDocuments(writer: DocumentWriter): (requests: readonly Message[]) => GraphqlDocument {
  const known = new Map<string, GraphqlDocument>();
  return (requests) => {
    const key = writer.maskKey(requests);
    const document = known.get(key);
    if (document !== undefined) return document;
    const query = writer.text(requests);
    const made = { query, bodyHead: `{"query":${JSON.stringify(query)},"variables":` };
    if (known.size >= maxDocuments) known.clear();
    known.set(key, made);
    return made;
  };
}

function documentsOf(documentCalls: readonly DocumentCall[]): (requests: readonly Message[]) => GraphqlDocument {
  const [first] = documentCalls;
  const { root } = first?.root ?? { root: "query" };
  const definitions = documentCalls.map(({ variableDefinitions }) => variableDefinitions).filter((text) => text !== "");
  const name = documentCalls.length === 1 ? first?.root.name : "together";
  const head = `${root} ${name}${definitions.length === 0 ? "" : `(${definitions.join(", ")})`}`;
  return cachedDocuments({
    maskKey: (requests) =>
      documentCalls.map((documentCall, index) => documentCall.maskKey(requests[index] as Message)).join("\0\0"),
    text(requests) {
      const selections = documentCalls.map((documentCall, index) => documentCall.selection(requests[index] as Message));
      const fields = selections.map(({ text }) => text).join(" ");
      const fragments = selections.map((selection) => selection.fragments).join("");
      return `${head} { ${fields} }${fragments}`;
    },
  });
}

function passMetadata({ onMetadata }: CallOptions, response: Pick<HttpResponse, "headers">): void {
  onMetadata?.(ownMetadata(new HeaderMap(response.headers, (received) => received)));
}

function cannotCarry({ id }: Operation): CallError {
  return new CallError("UNIMPLEMENTED", `GraphQL cannot carry ${id}: it is not one message for one message`);
}

interface Endpoint {
  readonly transport: GraphqlTransport;
  readonly path: string;
  readonly origin: string;
  readonly maxMessageBytes: number;
}

type Sent = Pick<HttpRequest, "path" | "headers" | "timeoutMs" | "signal">;

function sent(path: string, own: HttpRequest["headers"], { timeoutMs, signal, metadata }: CallOptions): Sent {
  const timed = withDeadline(own, timeoutMs);
  if (metadata === undefined) return { path, headers: timed, timeoutMs, signal };
  checkMetadata(metadata);
  return { path, headers: { ...Object.fromEntries(metadata), ...timed }, timeoutMs, signal };
}

interface SentDocument {
  readonly document: GraphqlDocument;
  readonly variables: Record<string, unknown>;
  readonly documentCalls: readonly DocumentCall[];
}

async function ask(
  { transport, path }: Endpoint,
  { document, variables, documentCalls }: SentDocument,
  callOptions: CallOptions,
): Promise<JsonFields> {
  const { timeoutMs, signal, headers: all } = sent(path, headers, callOptions);
  const response = await transport.send({ path, headers: all, timeoutMs, signal, document, variables });
  passMetadata(callOptions, response);
  return dataOf(response.result(), response.status, documentCalls);
}

function unaryInvoke(endpoint: Endpoint, documentCall: DocumentCall): Invoke {
  const documentCalls = [documentCall];
  const documentOf = documentsOf(documentCalls);
  return async (request, callOptions = {}) => {
    const document = documentOf([request]);
    const variables = documentCall.variables(request);
    return documentCall.answer(await ask(endpoint, { document, variables, documentCalls }, callOptions));
  };
}

function streamInvoke(
  { transport, path, origin, maxMessageBytes }: Endpoint,
  documentCall: DocumentCall,
): InvokeStream {
  const documentOf = documentsOf([documentCall]);
  const open = async (request: Message, callOptions: CallOptions) => {
    const body = bodyOf(documentOf([request]), documentCall.variables(request));
    const response = await transport.stream({ ...sent(path, streamHeaders, callOptions), method: "POST", body });
    passMetadata(callOptions, response);
    return response;
  };
  return (requests, callOptions = {}) =>
    subscribe({ documentCall, origin, maxMessageBytes, open }, requests, callOptions);
}

function togetherInvoke(endpoint: Endpoint, documentCalls: readonly DocumentCall[]): InvokeTogether {
  if (new Set(documentCalls.map(({ root }) => root.root)).size > 1) {
    throw new CallError("UNIMPLEMENTED", "a GraphQL document has either queries or mutations, not both");
  }
  const documentOf = documentsOf(documentCalls);
  return async (requests, callOptions = {}) => {
    if (requests.length !== documentCalls.length) {
      throw new CallError("INVALID_ARGUMENT", `${documentCalls.length} requests expected, ${requests.length} given`);
    }
    if (documentCalls.length === 0) return [];
    const variables: Record<string, unknown> = {};
    for (const [index, documentCall] of documentCalls.entries()) {
      Object.assign(variables, documentCall.variables(requests[index] as Message));
    }
    const data = await ask(endpoint, { document: documentOf(requests), variables, documentCalls }, callOptions);
    return documentCalls.map((documentCall) => documentCall.answer(data));
  };
}

function linkedInvoke(endpoint: Endpoint, first: DocumentCall, linked: LinkedDocument): InvokeLinked {
  const documentOf = cachedDocuments(linked);
  return async (requests, callOptions = {}) => {
    const sentDocument = {
      document: documentOf(requests),
      variables: linked.variables(requests),
      documentCalls: [first],
    };
    return linked.answers(await ask(endpoint, sentDocument, callOptions));
  };
}

/** Creates a client on an HTTP library, and closes it with the client. @param url without a path means `/graphql`. */
export function graphqlClient(http: HttpTransport, contract: Contract, options: StyleClientOptions): LinkedClient {
  return graphqlClientOn(overHttp(http), contract, options);
}

/** Creates a client on a GraphQL library, and closes it with the client. @param url without a path means `/graphql`. */
export function graphqlClientOn(
  transport: GraphqlTransport,
  contract: Contract,
  { url, maxMessageBytes }: StyleClientOptions,
): LinkedClient {
  const model = graphqlModel(contract);
  const codecOf = codecsOf(model);
  const { origin, pathname, search } = new URL(url);
  const path = `${pathname === "/" ? graphqlPath : pathname}${search}`;
  const endpoint: Endpoint = { transport, path, origin, maxMessageBytes };

  function callFor(operation: Operation, alias?: Alias): DocumentCall {
    const root = model.rootOf.get(operation.id);
    if (root === undefined) throw cannotCarry(operation);
    return documentCallOf(root, model, { input: codecOf(operation.input), output: codecOf(operation.output) }, alias);
  }

  return {
    contract,
    prepare(operation) {
      const isHere = operation.kind === "unary" && model.rootOf.has(operation.id);
      return isHere ? unaryInvoke(endpoint, callFor(operation)) : () => Promise.reject(cannotCarry(operation));
    },
    prepareStream(operation) {
      const isHere = operation.kind === "server_streaming" && model.rootOf.has(operation.id);
      return isHere ? streamInvoke(endpoint, callFor(operation)) : noStreams(operation, limitations);
    },
    prepareTogether(operations) {
      const stream = operations.find(({ kind }) => kind !== "unary");
      if (stream !== undefined) throw cannotCarry(stream);
      const calls = operations.length;
      return togetherInvoke(
        endpoint,
        operations.map((operation, index) => callFor(operation, { alias: `c${index}`, calls })),
      );
    },
    prepareLinked(operations) {
      const calls = operations.map((operation) => callFor(operation));
      const [first] = calls;
      if (first === undefined) throw new CallError("INVALID_ARGUMENT", "no operation to begin with");
      const own = calls.map(({ root }) => root.operation);
      return linkedInvoke(endpoint, first, linkedDocument(model, first, own));
    },
    close: () => transport.close(),
  };
}
