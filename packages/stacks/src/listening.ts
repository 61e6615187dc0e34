// How a server says where it listens, or why it cannot: the same words on every stack.
import { isIPv6 } from "node:net";
import { StackError } from "./stack-error.ts";
import type { ServeOptions } from "./stack.ts";

// An address to listen on is not always one to connect to.
const loopbackOf: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** `host:port`, with brackets around IPv6. */
export function hostPort(host: string, port: number): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The URL that reaches a server which took this port. */
export function listeningUrl({ host, tls }: Pick<ServeOptions, "host" | "tls">, port: number): string {
  return `${tls === undefined ? "http" : "https"}://${hostPort(loopbackOf[host] ?? host, port)}`;
}

function adviceFor(why: string): string {
  if (why.includes("EADDRINUSE")) return "the port is taken; choose another, or 0 for any free one";
  if (why.includes("EACCES")) return "not allowed; choose a port above 1023";
  if (/EADDRNOTAVAIL|ENOTFOUND|EAI_|Name resolution failed/.test(why)) return "this machine has no such address";
  return why;
}

/** A server could not listen: one line that names the place and what to do. */
export function cannotListen({ host, port }: Pick<ServeOptions, "host" | "port">, cause: unknown): StackError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StackError("cannot-listen", `cannot listen on ${hostPort(host, port)}: ${adviceFor(why)}`, { cause });
}
