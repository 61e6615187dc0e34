// The interface of a GraphQL client library, and any HTTP library as one.
import type { ExchangeLimits, HttpRequest, HttpResponse } from "../../shared/http/http-message.ts";
import type { HttpTransport } from "../../shared/http/http-transport.ts";
import { responseOf, type ResponseJson } from "../documents/response.ts";

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
