// Which callers a server answers. A browser also sends requests of pages that have no business here: with the origin of such a page, or under a host
// name of its owner that resolves to this machine (DNS rebinding). Other programs send neither, and are not affected.
import { type CanonicalCode, shortText } from "@roundtrip/contract";
import { foreignPage, markForeign } from "@roundtrip/styles/server";
import type { IncomingHttpHeaders } from "node:http";
import { type AddressInfo, isIPv6, type Server } from "node:net";
import type { ServeOptions } from "../basics/stack.ts";
import { isLoopbackHost } from "./listening.ts";

/** An error of HTTP itself, whose body the style writes. */
export interface HttpFault {
  readonly status: number;
  readonly code: CanonicalCode;
  readonly message: string;
}

/** The name of this machine, in the lists of allowed hosts and origins. */
const loopback = "loopback";
const any = "*";

// Hosts: a server on loopback answers for the names of this machine only.

/** As `URL` writes it; undefined for text that is no host. A port is left out. */
function hostnameIn(authority: string): string | undefined {
  return URL.parse(`http://${authority}`)?.hostname;
}

/** Whether an address of a socket is of this machine. */
export function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, "");
  return isLoopbackHost(isIPv6(plain) ? `[${plain}]` : plain);
}

function hostFault(hostname: string): HttpFault {
  return {
    status: 421,
    code: "PERMISSION_DENIED",
    message: `this server is on loopback and answers for localhost, not for ${shortText(hostname, 200)}: use localhost, or allow the name with the setting allowedHosts`,
  };
}

/** The fault of a request for this host; undefined for hosts that the server answers for. */
type JudgeHost = (authority: string) => HttpFault | undefined;

function hostJudge(server: Pick<Server, "address">, host: string, allowedHosts: readonly string[]): JudgeHost {
  if (allowedHosts.includes(any)) return () => undefined;
  const names = [isIPv6(host) ? `[${host}]` : host, ...allowedHosts].filter((name) => name !== loopback);
  const own = new Set(names.map(hostnameIn));
  // Callers name the same host in nearly all requests.
  let accepted: string | undefined;
  let judges: boolean | undefined;
  return (authority) => {
    if (authority === accepted) return undefined;
    // The address is known while the server listens.
    judges ??= isLoopbackAddress((server.address() as AddressInfo | null)?.address ?? host);
    const hostname = hostnameIn(authority) ?? authority;
    if (judges && !isLoopbackHost(hostname) && !own.has(hostname)) return hostFault(hostname);
    accepted = authority;
    return undefined;
  };
}

// Pages of other origins (Fetch standard). https://pkg.go.dev/net/http#CrossOriginProtection decides in the same way.

/** Parses an Origin header; undefined for anything but the origin of an http or https page, such as `null`. */
function pageOrigin(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  // An origin has no path, query, user or password.
  return url.href === `${url.origin}/` ? url : undefined;
}

/** Whether the server's `allowedOrigins` include this origin. Hosts are compared as `URL` parses them. */
export function isAllowedOrigin(text: string, allowed: readonly string[]): boolean {
  if (allowed.includes(any)) return true;
  const page = pageOrigin(text);
  if (page === undefined) return false;
  return allowed.includes(page.origin) || (allowed.includes(loopback) && isLoopbackHost(page.hostname));
}

/** The page's origin if a browser sends the request for a page that may not call; undefined otherwise. */
export function foreignOrigin(
  headers: IncomingHttpHeaders,
  authority: string | undefined,
  allowed: readonly string[],
): string | undefined {
  const { origin, "sec-fetch-site": site } = headers;
  if (site === "same-origin" || site === "none") return undefined;
  if (origin === undefined) return site === undefined || allowed.includes(any) ? undefined : "another site";
  const isOwn = authority !== undefined && pageOrigin(origin)?.host === URL.parse(`http://${authority}`)?.host;
  return isOwn || isAllowedOrigin(origin, allowed) ? undefined : origin;
}

function pageFault(origin: string): HttpFault {
  const { code, message } = foreignPage(origin);
  return { status: 403, code, message };
}

/** Methods that browsers send for every page, which cannot read the answer. */
const safeMethods: ReadonlySet<string | undefined> = new Set(["GET", "HEAD", "OPTIONS"]);

interface CallersRequest {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** The fault of a request that the server must not answer; undefined for all others. @param authority the host that is asked for; undefined without one */
export type JudgeCaller = (request: CallersRequest, authority: string | undefined) => HttpFault | undefined;

/** @param server need not listen yet */
export function callerJudge(
  server: Pick<Server, "address">,
  { host, allowedHosts, allowedOrigins }: Pick<ServeOptions, "host" | "allowedHosts" | "allowedOrigins">,
  setting: string,
): JudgeCaller {
  const judgeHost = hostJudge(server, host, [...allowedHosts, ...setting.split("+")]);
  return (request, authority) => {
    const { method, headers } = request;
    const fault = authority === undefined || authority === "" ? undefined : judgeHost(authority);
    if (fault !== undefined) return fault;
    if (headers.origin === undefined && headers["sec-fetch-site"] === undefined) return undefined;
    const origin = foreignOrigin(headers, authority, allowedOrigins);
    if (origin === undefined) return undefined;
    // A contract may bind GET to an operation that writes, which only the style knows.
    if (safeMethods.has(method)) markForeign(request, origin);
    else return pageFault(origin);
    return undefined;
  };
}
