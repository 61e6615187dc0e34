// Listening on a port, with the same errors on every stack.
import { type AddressInfo, isIPv4, isIPv6, type Server } from "node:net";
import { StackError } from "../basics/stack-error.ts";
import type { ServeOptions } from "../basics/stack.ts";

interface HostAndPort {
  /** Without brackets, for IPv6 too. */
  readonly host: string;
  readonly port: number;
}

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

export function hostAndPortOf({ hostname, port, protocol }: URL): HostAndPort {
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (defaultPorts[protocol] as number) : Number(port),
  };
}

/** `host:port`, with brackets around IPv6. */
export function hostPort({ host, port }: HostAndPort): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

// Wildcard addresses are not addresses to connect to.
const loopbackOf: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

export function listeningUrl({ host, tls }: Pick<ServeOptions, "host" | "tls">, port: number): string {
  return `${tls === undefined ? "http" : "https"}://${hostPort({ host: loopbackOf[host] ?? host, port })}`;
}

function adviceFor(why: string): string {
  if (why.includes("EADDRINUSE")) return "the port is taken; choose another, or 0 for any free one";
  if (why.includes("EACCES")) return "not allowed; choose a port above 1023";
  if (/EADDRNOTAVAIL|ENOTFOUND|EAI_|Name resolution failed/.test(why)) return "this machine has no such address";
  return why;
}

/** The error of a server that cannot listen: one line with the address and what to do. */
export function cannotListen({ host, port }: Pick<ServeOptions, "host" | "port">, cause: unknown): StackError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StackError("cannot-listen", `cannot listen on ${hostPort({ host, port })}: ${adviceFor(why)}`, { cause });
}

/** Listens, and resolves to the URL of the server. Rejects with a StackError when it cannot. */
export function listen(server: Server, options: ServeOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(cannotListen(options, error)));
    server.listen(options.port, options.host, () => {
      resolve(listeningUrl(options, (server.address() as AddressInfo).port));
    });
  });
}

/**
 * Whether a host is always this machine: `localhost` and names below it (RFC 6761, section 6.3), 127.0.0.0/8 (RFC 1122, section 3.2.1.3) and ::1.
 *
 * @param hostname as `URL` gives it: lower case, IPv4 as four decimal numbers, IPv6 in brackets.
 */
export function isLoopbackHost(hostname: string): boolean {
  if (isIPv4(hostname)) return hostname.split(".")[0] === "127";
  return hostname === "[::1]" || hostname.split(".").at(-1) === "localhost";
}
