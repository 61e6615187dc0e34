// One request of an operation, until its answer.
import type { Message } from "@bufbuild/protobuf";
import { CallError, ConnectionCut, only, onlyAnswer, type ServerCall, type Service } from "@roundtrip/contract";
import { errorAnswer, type ErrorForm } from "./dialects.ts";
import { type RawBody, rawBodyOf, setRawBody } from "./raw-bodies.ts";
import { prefersLenient } from "./requests/leniency.ts";
import type { RouteMatch } from "./router.ts";
import type { LazyRoute, Route } from "./routes.ts";
import { checkStreamType, requestStream } from "./streams/request-stream.ts";
import { streamAnswer } from "./streams/stream-answer.ts";
import { acceptedForm } from "./streams/stream-form.ts";
import {
  type AnswerHeaders,
  cutAnswer,
  type HttpAnswer,
  type WholeAnswer,
  HttpError,
  noContent,
  originForm,
  type ReceivedRequest,
  type ServedExchange,
  textAnswer,
  parsedJson,
} from "../shared/http/http-service.ts";
import { jsonMediaType } from "../shared/call-headers.ts";
import { refuseForeignPage } from "../shared/foreign-pages.ts";
import { hasOpenNames, hasUnknownName, withNearestName } from "../shared/unknown-name.ts";

export interface RestServer {
  readonly service: Service;
  /** The limit of a request, or of each message of a stream. */
  readonly maxMessageBytes: number;
  /** Maximum time for each message of a stream, in milliseconds. */
  readonly maxRequestMs: number;
  /** The form of errors before a route is found. */
  readonly errors: ErrorForm;
  readonly checksAccept: boolean;
}

function rawAnswer(call: ServerCall, { dialect }: Route, { type, bytes }: RawBody): WholeAnswer {
  const ofType = type === "" ? undefined : { "content-type": type };
  const headers = { ...dialect.metadataOf(call), ...ofType, "content-length": bytes.length };
  return { status: 200, headers, body: bytes, cut: undefined };
}

/** @param segments of the request's path */
function messageAnswer(call: ServerCall, route: Route, segments: readonly string[], message: Message): WholeAnswer {
  if (route.rawAnswer !== undefined) return rawAnswer(call, route, rawBodyOf(message, route.rawAnswer));
  const text = route.write(message);
  const metadata = route.dialect.metadataOf(call);
  if (text === undefined) return noContent(metadata);
  if (route.locate === undefined) return textAnswer(200, jsonMediaType, text, metadata);
  const location = route.locate(segments, message);
  return textAnswer(201, jsonMediaType, text, location === undefined ? metadata : { ...metadata, location });
}

const nothing = new Uint8Array();
const variesByAccept: AnswerHeaders = { vary: "Accept" };

/** Every measured call makes one, so it keeps references instead of copies. */
export class RestExchange implements ServedExchange {
  readonly takes: ServedExchange["takes"];
  readonly #server: RestServer;
  readonly #route: Route;
  readonly #segments: readonly string[];
  readonly #query: string;
  readonly #request: ReceivedRequest;
  readonly #call: ServerCall;
  #headers: AnswerHeaders | undefined;

  /**
   * Throws INVALID_ARGUMENT for an invalid deadline, and PERMISSION_DENIED for a page that may not call.
   * @param query the text after the question mark, as received; empty without one
   */
  constructor(server: RestServer, match: RouteMatch<LazyRoute>, query: string, request: ReceivedRequest) {
    const { route } = match.target;
    const { operation, hasBody } = route;
    if (operation.sideEffects !== "none") refuseForeignPage(request);
    this.takes = operation.kind === "client_streaming" ? "pieces" : hasBody ? "body" : "nothing";
    this.#server = server;
    this.#route = route;
    this.#segments = match.segments;
    this.#query = query;
    this.#request = request;
    this.#call = route.dialect.callOf(request);
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  answer(body: Uint8Array | undefined): WholeAnswer | Promise<HttpAnswer> {
    const { operation, dialect, rawRequest } = this.#route;
    try {
      if (body !== undefined && rawRequest === undefined) dialect.checkBodyType(this.#request.headers["content-type"]);
      if (operation.kind === "server_streaming") return this.#stream(body);
      this.#call.throwIfEnded();
      const answer = this.#server.service.call(operation, this.#message(body), this.#call);
      return answer instanceof Promise ? this.#later(answer) : this.#whole(answer);
    } catch (thrown) {
      return this.#refuseHelpfully(thrown);
    }
  }

  answerPieces(pieces: AsyncIterable<Uint8Array>): Promise<HttpAnswer> {
    const route = this.#route;
    const { service, maxMessageBytes, maxRequestMs } = this.#server;
    const requests = requestStream({
      pieces,
      contentType: this.#request.headers["content-type"],
      connection: this.#request.socket,
      route,
      segments: this.#segments,
      query: this.#query,
      maxMessageBytes,
      maxRequestMs,
    });
    return this.#later(onlyAnswer(route.operation, service.stream(route.operation, requests, this.#call)));
  }

  /** The answer if a request stream is not read: the call has ended, or its media type is wrong. */
  refusedStream(): WholeAnswer | undefined {
    try {
      this.#call.throwIfEnded();
      checkStreamType(this.#request.headers, this.#route);
      return undefined;
    } catch (thrown) {
      return this.refuse(thrown);
    }
  }

  refuse(thrown: unknown): WholeAnswer {
    this.#call.finish();
    if (thrown instanceof ConnectionCut)
      return cutAnswer(thrown, (part) => messageAnswer(this.#call, this.#route, this.#segments, part));
    const { fields, errors } = this.#route;
    const error = thrown instanceof HttpError ? thrown : fields.spelled(CallError.from(thrown));
    return errorAnswer(error, errors, this.#call, this.#headers);
  }

  /** Where a name is unknown, with the nearest that is known. */
  #refuseHelpfully(thrown: unknown): WholeAnswer | Promise<WholeAnswer> {
    const isNotFound = thrown instanceof CallError && thrown.code === "NOT_FOUND";
    if (isNotFound && this.#segments.at(-1)?.includes(":") === true && hasOpenNames(this.#server.service))
      return this.#withVerb(thrown).then((error) => this.refuse(error));
    if (!hasUnknownName(this.#server.service, thrown)) return this.refuse(thrown);
    return withNearestName(thrown).then((error) => this.refuse(error));
  }

  /** Another route takes a misspelled verb as the end of its last value. */
  async #withVerb({ code, message, details }: CallError): Promise<CallError> {
    const { verbHint } = await import("./refusals.ts");
    const { method, url } = this.#request;
    const [path = ""] = originForm(url).split("?", 1);
    return new CallError(code, `${message}${verbHint(method, path, this.#server.service.contract)}`, details);
  }

  cancel(): void {
    this.#call.cancel();
  }

  #whole(message: Message): WholeAnswer {
    this.#call.finish();
    try {
      return messageAnswer(this.#call, this.#route, this.#segments, message);
    } catch (thrown) {
      throw this.#call.unsent(thrown, this.#route.operation.id);
    }
  }

  async #later(answered: Promise<Message>): Promise<HttpAnswer> {
    try {
      return this.#whole(await answered);
    } catch (thrown) {
      return this.#refuseHelpfully(thrown);
    }
  }

  async #stream(body: Uint8Array | undefined): Promise<HttpAnswer> {
    const route = this.#route;
    const { method, headers } = this.#request;
    try {
      this.#call.throwIfEnded();
      // Caches must not serve this answer, or an error like it, to callers with another Accept header (RFC 9110, section 12.5.5).
      if (route.forms.length > 1) this.#headers = variesByAccept;
      const form = acceptedForm({ accept: headers.accept, query: this.#query }, route.forms, route.dialect);
      const answers = this.#server.service.stream(route.operation, only(this.#message(body)), this.#call);
      return await streamAnswer(answers, {
        call: this.#call,
        route,
        form,
        headers: this.#headers,
        headersOnly: method === "HEAD",
      });
    } catch (thrown) {
      return this.#refuseHelpfully(thrown);
    }
  }

  /** The request message. Throws INVALID_ARGUMENT for an invalid request. */
  #message(body: Uint8Array | undefined): Message {
    const route = this.#route;
    const { rawRequest } = route;
    const json = body === undefined || rawRequest !== undefined ? undefined : parsedJson(body, route.parse);
    const { prefer, "content-type": type = "" } = this.#request.headers;
    const message =
      typeof prefer === "string" && prefersLenient(prefer)
        ? route.readLeniently(this.#segments, this.#query, json)
        : route.read(this.#segments, this.#query, json);
    if (rawRequest !== undefined) setRawBody(message, rawRequest, { type, bytes: body ?? nothing });
    return message;
  }
}
