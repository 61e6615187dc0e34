// Reads hosts and ports from URLs, and formats them.
import { isIPv6 } from "node:net";

export interface HostAndPort {
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
