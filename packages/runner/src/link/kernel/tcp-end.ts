// What the kernel knows of connections: congestion windows, and segments that were sent again, read from `ss` (iproute2) after a block.
import type { TcpEnd, TcpEvidence } from "@roundtrip/analysis";
import { commandResult, programPath } from "./tools.ts";

/** A figure of a connection's line, such as `cwnd:10`; undefined where it is not there. */
function figure(line: string, name: string): number | undefined {
  const value = new RegExp(String.raw`\b${name}:(?:\d+/)?([\d.]+)`).exec(line)?.[1];
  return value === undefined ? undefined : Number(value);
}

/** Reads the output of `ss -tinH`: two lines a connection, the second with its figures. Null if there is no connection. */
export function readTcpEnd(text: string): TcpEnd | null {
  const lines = text.split("\n").filter((line) => figure(line, "cwnd") !== undefined);
  const all = (name: string): readonly number[] => lines.flatMap((line) => figure(line, name) ?? []);
  if (lines.length === 0) return null;
  return {
    connections: lines.length,
    cwndSegments: Math.min(...all("cwnd")),
    segmentBytes: Math.min(...all("mss")),
    // Left out by ss where there was none; of `retrans:now/since` the second counts.
    retransmits: all("retrans").reduce((sum, count) => sum + count, 0),
    rtoMs: Math.max(...all("rto")),
  };
}

export interface TcpEndAt {
  /** See `LinkEnd.enter`. */
  readonly enter: readonly string[];
  /** Where the server listens, and whether it is at this end. */
  readonly serverPort: number;
  readonly isServer: boolean;
}

/** The established connections of one server at one end of a link; null if there is no connection, or `ss` is missing. */
export async function tcpEnd({ enter, serverPort, isServer }: TcpEndAt): Promise<TcpEnd | null> {
  const ss = programPath("ss");
  const nice = programPath("nice");
  if (ss === undefined) return null;
  const side = `${isServer ? "sport" : "dport"} = :${serverPort}`;
  // Others may be measured meanwhile: it takes what they leave.
  const gently = nice === undefined ? [] : [nice, "-n", "19"];
  const result = await commandResult([...enter, ...gently, ss, "-tinH", "state", "established", side]);
  return result.ok ? readTcpEnd(result.text) : null;
}

/** Both ends of a link's connections, as far as either is known; undefined where neither is. */
export function tcpEvidence(client: TcpEnd | null, server: TcpEnd | null): TcpEvidence | undefined {
  return client === null && server === null ? undefined : { client, server };
}
