// How many round trips a call must wait for, from what TCP and TLS do: counted in half trips of the network, without any time of a
// processor.

/** One call as the network sees it. */
export interface Exchange {
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Whether it goes over a connection of its own, which is opened for it. */
  readonly opensConnection: boolean;
  /** Round trips that its client waits for on a new connection besides the handshakes. */
  readonly connectRoundTrips: number;
  readonly tls: boolean;
  /** The most that a receiver lets be under way; infinite where nothing limits it before the bytes are through. */
  readonly windowBytes: number;
}

/** Payload of one TCP segment over Ethernet with time stamps: 1,500 − 20 (IP) − 20 (TCP) − 12. */
const segmentBytes = 1_448;

/** RFC 6928: a connection begins with ten segments. */
const initialSegments = 10;

/**
 * Flights that it takes to send so many bytes, each a round trip after the one before: slow start doubles the congestion window of a new
 * connection with every flight (RFC 5681); on one that is in use, and without a limit of the receiver, everything is one flight.
 */
export function flightsOf(
  bytes: number,
  { isNew, windowBytes }: { readonly isNew: boolean; readonly windowBytes: number },
): number {
  let congestionWindow = isNew ? initialSegments * segmentBytes : Infinity;
  let sent = 0;
  let flights = 0;
  do {
    sent += Math.min(congestionWindow, windowBytes);
    congestionWindow *= 2;
    flights += 1;
  } while (sent < bytes);
  return flights;
}

/**
 * Round trips from the first byte of the request to the last of the answer. One handshake for TCP (RFC 9293) and one more for TLS 1.3 (RFC
 * 8446) on a new connection, and what the client waits for besides; then the flights of the request, of which the last is answered by the first of the response. A warm small
 * call is 1, and so are several at once.
 */
export function predictedRoundTrips({
  requestBytes,
  responseBytes,
  opensConnection,
  connectRoundTrips,
  tls,
  windowBytes,
}: Exchange): number {
  const flights = { isNew: opensConnection, windowBytes };
  const handshakes = opensConnection ? 1 + Number(tls) + connectRoundTrips : 0;
  return handshakes + flightsOf(requestBytes, flights) + flightsOf(responseBytes, flights) - 1;
}
