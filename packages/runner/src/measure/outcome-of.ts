// How a call ended that failed: a canonical code, or that it was never sent for want of a socket, in which no server has a part.
import { CallError } from "@roundtrip/contract";

/** Of a call that found no socket on the client's machine. */
const noSocket = "NO_SOCKET";

/**
 * What clients say of connections that the machine refuses to begin: too many open files in the process or the system, no local port that is
 * left, no memory for buffers. Errors of servers that cannot be reached have other codes, and no "connect".
 */
const refusedHere = /^no answer from \S+: .*\bconnect (?:EMFILE|ENFILE|EADDRNOTAVAIL|ENOBUFS)\b/;

/** The outcome of a call that rejected with this. */
export function outcomeOf(thrown: unknown): string {
  const { code, message } = CallError.from(thrown);
  return code === "UNAVAILABLE" && refusedHere.test(message) ? noSocket : code;
}
