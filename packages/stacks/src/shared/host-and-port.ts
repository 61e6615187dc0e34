// Hosts and ports, taken out of URLs and written down again.
import { isIPv6 } from "node:net";

export interface HostAndPort {
  /** Without brackets, also for IPv6. */
  readonly host: string;
  readonly port: number;
}

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Where a URL of http or https leads. */
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
