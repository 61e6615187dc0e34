// The REST client on axios.
import { AxiosError, type AxiosInstance, type AxiosRequestConfig, type AxiosResponse, create } from "axios";
import {
  type ExchangeLimits,
  HttpExchange,
  type HttpResponse,
  type HttpStream,
  type HttpStreamRequest,
  type HttpTransport,
  responseTooLarge,
} from "@roundtrip/styles/http/client";
import type { CallError } from "@roundtrip/contract";
import { type ClientRequest, type IncomingMessage, request as send, type RequestOptions } from "node:http";
import { Readable } from "node:stream";
import { serverUnavailable } from "@roundtrip/styles/client";
import { callsAndStreams } from "../../shared/calls.ts";
import type { Connect, ConnectOptions } from "../../basics/stack.ts";
import { splitSettings, undiciSettingsWith } from "../../shared/settings.ts";
import { type AgentOptions, openAgent } from "../../shared/undici/open-agent.ts";
import { restOver } from "../connect-rest.ts";
import { expectContinue, restSettings } from "../libraries.ts";

/** The same limit as the servers': an answer may have as many headers as a request. */
const maxHeaderSize = 64 * 1024;

interface AxiosConnection {
  readonly axios: AxiosInstance;
  readonly origin: string;
  readonly maxMessageBytes: number;
  readonly expectContinue: boolean;
  readonly exchanges: Set<AxiosExchange>;
  /** Called whenever nothing is under way any more. */
  whenIdle(): void;
}

/** In capitals, which keeps `constructor` apart from the property of all objects, which axios does not copy. */
function capitals(headers: HttpStreamRequest["headers"]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}

/** In lower case, also those that axios spells differently because its own methods have their names. */
function headersOf({ headers }: AxiosResponse): HttpResponse["headers"] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value as string]));
}

/** Holds the body back until the server asks for it. A server that answers without asking gets it too, so that the connection can go on. */
function untilAsked(request: ClientRequest): ClientRequest {
  const end = request.end.bind(request);
  const held: Buffer[] = [];
  request.write = (chunk: Buffer | string) => held.push(Buffer.from(chunk as string)) > 0;
  request.end = () => {
    const go = (): void => {
      request.off("continue", go).off("response", go);
      end(Buffer.concat(held));
    };
    request.on("continue", go).on("response", go).flushHeaders();
    return request;
  };
  return request;
}

/** Sends the path unchanged: axios resolves "." and "..", which are literal here. */
function transportTo(path: string, asksFirst: boolean) {
  return {
    request: (options: RequestOptions, answered: (response: IncomingMessage) => void): ClientRequest => {
      const request = send(Object.assign(options, { path, maxHeaderSize }), answered);
      return asksFirst ? untilAsked(request) : request;
    },
  };
}

class AxiosExchange extends HttpExchange {
  readonly #connection: AxiosConnection;
  readonly #abort = new AbortController();
  #sent: Readable | undefined;

  constructor(connection: AxiosConnection, limits: ExchangeLimits) {
    // A failure aborts the request, so that nothing else needs to be rejected.
    super(limits, () => {});
    this.#connection = connection;
    connection.exchanges.add(this);
    this.begun(this.#abort);
  }

  async whole(request: HttpStreamRequest): Promise<HttpResponse> {
    const { maxMessageBytes: maxContentLength } = this.#connection;
    const response = await this.#respond<Buffer>(request, { responseType: "arraybuffer", maxContentLength });
    this.over();
    return { status: response.status, headers: headersOf(response), body: response.data };
  }

  async stream(request: HttpStreamRequest): Promise<HttpStream> {
    const response = await this.#respond<IncomingMessage>(request, { responseType: "stream" });
    const body = this.responseBody(this.#read(response.data));
    return { status: response.status, headers: headersOf(response), body };
  }

  protected override over(): void {
    super.over();
    // If the answer is complete before the request, nothing can use the connection any more.
    this.#sent?.destroy(new Error("the request is over"));
    const { exchanges } = this.#connection;
    if (exchanges.delete(this) && exchanges.size === 0) this.#connection.whenIdle();
  }

  async #respond<Body>(
    { method, path, headers, body }: HttpStreamRequest,
    reading: AxiosRequestConfig,
  ): Promise<AxiosResponse<Body>> {
    const data = this.#dataOf(body);
    // Otherwise node:http marks no end of a stream that goes with DELETE.
    const framing = data instanceof Readable ? { "TRANSFER-ENCODING": "chunked" } : {};
    // A request without a body expects nothing (RFC 9110, section 10.1.1).
    const asksFirst = this.#connection.expectContinue && data !== null && !(data instanceof Readable);
    const expecting = asksFirst ? { EXPECT: "100-continue" } : {};
    try {
      return await this.#connection.axios.request<Body>({
        ...reading,
        method,
        url: this.#connection.origin + path,
        headers: { ...capitals(headers), ...framing, ...expecting },
        data,
        signal: this.#abort.signal,
        transport: transportTo(path, asksFirst),
      });
    } catch (thrown) {
      throw this.#failed(thrown as AxiosError);
    }
  }

  #dataOf(given: HttpStreamRequest["body"]): string | Buffer | Readable | null {
    const body = this.requestBody(given);
    if (body === null || typeof body === "string") return body;
    if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    // Its only error is the one above: errors of the caller's stream end the exchange.
    return (this.#sent = Readable.from(body).on("error", () => {}));
  }

  async *#read(body: IncomingMessage): AsyncGenerator<Buffer> {
    try {
      for await (const piece of body) yield piece as Buffer;
      this.over();
    } catch (thrown) {
      throw this.#failed(thrown as Error);
    }
  }

  /** Ends the exchange with the error, unless it has ended already. Returns the error of the call. */
  #failed(error: Error): CallError {
    const isTooLarge =
      error instanceof AxiosError && error.code === AxiosError.ERR_BAD_RESPONSE && error.response === undefined;
    const why = error.cause instanceof Error ? error.cause : error;
    this.fail(
      isTooLarge ? responseTooLarge(this.#connection.maxMessageBytes) : serverUnavailable(this.#connection.origin, why),
    );
    return this.failure as CallError;
  }
}

// HTTP/1.1 with axios, on its adapter for node:http.

interface AxiosOptions extends AgentOptions, Pick<AxiosConnection, "maxMessageBytes" | "expectContinue"> {}

function connectionOf(url: URL, { maxMessageBytes, expectContinue: expects, ...options }: AxiosOptions): HttpTransport {
  const agent = openAgent(url, options);
  const connection: AxiosConnection = {
    axios: create({
      adapter: "http",
      httpAgent: agent,
      httpsAgent: agent,
      proxy: false,
      decompress: false,
      // The style has written the body, and every status is an answer.
      transformRequest: [],
      validateStatus: null,
      headers: {
        // axios would ask for compressed answers, and call a request without a body a form.
        "Accept-Encoding": false,
        "Content-Type": false,
        ...(options.newConnectionPerCall ? { Connection: "close" } : {}),
      },
    }),
    origin: url.origin,
    maxMessageBytes,
    expectContinue: expects,
    exchanges: new Set(),
    whenIdle: () => {},
  };
  return {
    send: (request) => new AxiosExchange(connection, request).whole(request),
    stream: (request) => new AxiosExchange(connection, request).stream(request),
    close: async () => {
      if (connection.exchanges.size > 0) await new Promise<void>((resolve) => (connection.whenIdle = resolve));
      agent.destroy();
    },
  };
}

/** Connects to the server at `url` (its origin; the path is ignored) with the first call. @param asksFirst waits before each body */
export function axiosTransport(
  { url, ca, connections, maxMessageBytes, settings }: ConnectOptions,
  asksFirst = false,
): HttpTransport {
  const set = undiciSettingsWith(settings);
  return callsAndStreams(connections, (most) =>
    connectionOf(new URL(url), { ...set, ca, connections: most, maxMessageBytes, expectContinue: asksFirst }),
  );
}

/** Connects with the first call. Rejects for a contract that cannot be called, and for unknown settings. */
// oxlint-disable-next-line require-await -- what cannot be called rejects
export const connect: Connect = async (contract, options) => {
  const { own, others } = splitSettings([expectContinue], restSettings, options.settings);
  const transport = (given: ConnectOptions): HttpTransport => axiosTransport(given, own.expectContinue);
  return restOver(transport)(contract, { ...options, settings: others });
};
