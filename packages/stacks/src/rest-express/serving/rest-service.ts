// A service as REST, on values: the contract brings the routes, and whatever library serves it brings requests and writes answers.
import type { Service } from "@roundtrip/contract";
import type { HttpService } from "../../http/http-service.ts";
import { SettledExchange } from "../../http/settled-exchange.ts";
import { cannot } from "../../refused.ts";
import type { ServeOptions } from "../../stack.ts";
import { checkAccept, type PreferredType } from "../answers/accept.ts";
import { errorAnswer } from "../answers/answer.ts";
import { limitations } from "../limitations.ts";
import { badRequest } from "../requests/bad-request.ts";
import { routesOf } from "../routing/routes.ts";
import { unroutedAnswer } from "../routing/unrouted.ts";
import { RestExchange } from "./rest-exchange.ts";

// Visible ASCII: everything else is percent-encoded (RFC 3986, section 2). So is "#", for a fragment is none of a server's business.
const sayable = /^[!"$-~]*$/;
const absolute = /^https?:\/\/[^/?]*/i;

/** Path and query of what was asked for. Whoever takes this for a proxy names the server in front (RFC 9112, section 3.2.2). */
function targetOf(url: string): string {
  if (!sayable.test(url)) throw badRequest("the URL has characters that are not percent-encoded");
  if (url.startsWith("/")) return url;
  const rest = url.replace(absolute, "");
  return rest.startsWith("?") || rest === "" ? `/${rest}` : rest;
}

export interface RestServiceOptions extends Pick<ServeOptions, "maxMessageBytes" | "maxRequestMs" | "tls"> {
  readonly preferredType: PreferredType;
}

/** Throws a StackError when the contract has two operations at one place. */
export function restService(
  service: Service,
  { maxMessageBytes, maxRequestMs, tls, preferredType }: RestServiceOptions,
): HttpService {
  const router = routesOf(service.contract);
  const server = { service, maxMessageBytes, maxRequestMs, preferredType };
  const unrouted = { service, router, scheme: tls === undefined ? "http" : "https" } as const;
  return {
    begin(request) {
      try {
        const { method } = request;
        const url = targetOf(request.url);
        const mark = url.indexOf("?");
        const path = mark === -1 ? url : url.slice(0, mark);
        const query = mark === -1 ? "" : url.slice(mark + 1);
        const match = router.match(method, path) ?? (method === "HEAD" ? router.match("GET", path) : undefined);
        if (match === undefined) return new SettledExchange(unroutedAnswer(unrouted, request, path));
        const { kind } = match.target.operation;
        if (kind === "bidi_streaming") throw cannot(limitations, "bidiStream");
        if (kind !== "server_streaming") checkAccept(request.headers.accept, preferredType);
        const exchange = new RestExchange(server, match, query, request);
        const refused = kind === "client_streaming" ? exchange.refusedStream() : undefined;
        return refused === undefined ? exchange : new SettledExchange(refused);
      } catch (thrown) {
        return new SettledExchange(errorAnswer(thrown, undefined, undefined));
      }
    },
  };
}
