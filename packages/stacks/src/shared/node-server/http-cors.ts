// What browsers ask before a page may call a server of another origin and read its answers: the CORS protocol of the Fetch standard.
import cors, { type CorsOptions, type CorsRequest } from "cors";
import type { RequestListener, ServerResponse } from "node:http";
import onHeaders from "on-headers";
import { isLoopbackHost } from "@roundtrip/styles/http/server";

const preflightAgeSeconds = 600;

/** An origin header's scheme, host and port; undefined for what is not the origin of a page on http or https, such as `null`. */
function pageOrigin(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  // An origin has no path, query, user or password.
  return url.href === `${url.origin}/` ? url : undefined;
}

/** Whether a page of this origin is among those that `allowedOrigins` of the server's options names. Hosts are compared as `URL` reads them. */
function isAllowed(text: string, allowed: readonly string[]): boolean {
  const page = pageOrigin(text);
  if (page === undefined) return false;
  return allowed.includes(page.origin) || (allowed.includes("loopback") && isLoopbackHost(page.hostname));
}

/** What is never worth naming: pages read these anyway, or the browser keeps them to itself. */
const unexposed =
  /^(?:access-control-.*|connection|content-length|content-type|date|keep-alive|transfer-encoding|vary)$/;

/**
 * As the headers of an answer go out: pages may read each of them, whatever a handler put there. Not by `*`, which says nothing to pages
 * that send credentials.
 */
function exposeHeaders(response: ServerResponse): void {
  const exposed = response.getHeaderNames().filter((name) => !unexposed.test(name));
  if (exposed.length > 0) response.setHeader("access-control-expose-headers", exposed.join(", "));
}

/** Whoever keeps an answer keeps it for one origin. Last, because answers that differ by more say so themselves. */
function varyByOrigin(response: ServerResponse): void {
  const vary = [response.getHeader("vary") ?? []].flat().join(", ");
  if (!/(?:^|,)\s*origin\s*(?:,|$)/i.test(vary)) response.setHeader("vary", vary === "" ? "Origin" : `${vary}, Origin`);
}

/** The listener, and before it the answers to what browsers ask for pages of these origins. */
export function shared(listener: RequestListener, allowed: readonly string[]): RequestListener {
  const isOpen = allowed.includes("*");
  const optionsFor = ({ headers }: CorsRequest, done: (error: null, options: CorsOptions) => void): void => {
    const { origin, "access-control-request-method": method } = headers as Readonly<Record<string, string | undefined>>;
    done(null, {
      origin: isOpen ? "*" : origin !== undefined && isAllowed(origin, allowed) && origin,
      credentials: !isOpen,
      // A contract may bind any method.
      ...(method === undefined ? {} : { methods: method }),
      maxAge: preflightAgeSeconds,
      // A page may send OPTIONS for what it says.
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
