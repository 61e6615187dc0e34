// CORS (Fetch standard): whether pages of another origin may call a server and read its answers.
import cors, { type CorsOptions, type CorsRequest } from "cors";
import type { RequestListener, ServerResponse } from "node:http";
import onHeaders from "on-headers";
import { isAllowedOrigin } from "../callers.ts";

const preflightAgeSeconds = 600;

/** Headers that need no exposure: pages can always read them, or never. */
const unexposed =
  /^(?:access-control-.*|connection|content-length|content-type|date|keep-alive|transfer-encoding|vary)$/;

/** Exposes each header of an answer to pages, those of handlers included. Not with `*`, which has no effect for pages that send credentials. */
function exposeHeaders(response: ServerResponse): void {
  const exposed = response.getHeaderNames().filter((name) => !unexposed.test(name));
  if (exposed.length > 0) response.setHeader("access-control-expose-headers", exposed.join(", "));
}

/** Makes caches keep an answer for one origin. Runs last, because other code adds its own Vary values. */
function varyByOrigin(response: ServerResponse): void {
  const vary = [response.getHeader("vary") ?? []].flat().join(", ");
  if (!/(?:^|,)\s*origin\s*(?:,|$)/i.test(vary)) response.setHeader("vary", vary === "" ? "Origin" : `${vary}, Origin`);
}

export function withCors(listener: RequestListener, allowed: readonly string[]): RequestListener {
  const isOpen = allowed.includes("*");
  const optionsFor = ({ headers }: CorsRequest, done: (error: null, options: CorsOptions) => void): void => {
    const { origin, "access-control-request-method": method } = headers as Readonly<Record<string, string | undefined>>;
    done(null, {
      origin: isOpen ? "*" : origin !== undefined && isAllowedOrigin(origin, allowed) && origin,
      credentials: !isOpen,
      // A contract may bind any method.
      ...(method === undefined ? {} : { methods: method }),
      maxAge: preflightAgeSeconds,
      // An OPTIONS request without a requested method is not a preflight.
      preflightContinue: method === undefined,
    });
  };
  const judge = cors(optionsFor);
  return (request, response) => {
    onHeaders(response, () => {
      if (response.hasHeader("access-control-allow-origin")) exposeHeaders(response);
      if (!isOpen) varyByOrigin(response);
    });
    judge(request, response, () => listener(request, response));
  };
}
