// Whether a host is this machine, on any network.
import { isIPv4 } from "node:net";

/**
 * Whether a host is always this machine: `localhost` and names below it (RFC 6761, section 6.3), 127.0.0.0/8 (RFC 1122, section 3.2.1.3) and ::1.
 *
 * @param hostname as `URL` gives it: lower case, IPv4 as four decimal numbers, IPv6 in brackets.
 */
export function isLoopbackHost(hostname: string): boolean {
  if (isIPv4(hostname)) return hostname.split(".")[0] === "127";
  return hostname === "[::1]" || hostname.split(".").at(-1) === "localhost";
}
