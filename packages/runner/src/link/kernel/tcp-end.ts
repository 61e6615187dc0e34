// Connection statistics from the kernel: congestion windows and retransmissions, read from `ss` (iproute2) after a block.
import type { TcpEnd, TcpEvidence } from "@roundtrip/analysis";
import { commandResult, programPath } from "./tools.ts";

/** A figure in the line of a connection, such as `cwnd:10`; undefined if it is missing. */
function figure(line: string, name: string): number | undefined {
  const value = new RegExp(String.raw`\b${name}:(?:\d+/)?([\d.]+)`).exec(line)?.[1];
  return value === undefined ? undefined : Number(value);
}

/** Parses the output of `ss -tinH`: two lines per connection, the second with its figures. Null without a connection. */
export function readTcpEnd(text: string): TcpEnd | null {
  const lines = text.split("\n").filter((line) => figure(line, "cwnd") !== undefined);
  const all = (name: string): readonly number[] => lines.flatMap((line) => figure(line, name) ?? []);
  if (lines.length === 0) return null;
  return {
    connections: lines.length,
    cwndSegments: Math.min(...all("cwnd")),
    segmentBytes: Math.min(...all("mss")),
    // ss omits it without retransmissions; of `retrans:now/since` the second number counts.
    retransmits: all("retrans").reduce((sum, count) => sum + count, 0),
    rtoMs: Math.max(...all("rto")),
  };
}

export interface TcpEndAt {
  readonly enter: readonly string[];
  readonly serverPort: number;
  readonly isServer: boolean;
}

/** The established connections of one server at one end of a link; null without a connection, or if `ss` is missing. */
export async function tcpEnd({ enter, serverPort, isServer }: TcpEndAt): Promise<TcpEnd | null> {
  const ss = programPath("ss");
  const nice = programPath("nice");
  if (ss === undefined) return null;
  const side = `${isServer ? "sport" : "dport"} = :${serverPort}`;
  // At the lowest priority, because other arms may be measured meanwhile.
  const gently = nice === undefined ? [] : [nice, "-n", "19"];
  const result = await commandResult([...enter, ...gently, ss, "-tinH", "state", "established", side]);
  return result.ok ? readTcpEnd(result.text) : null;
}

/** Both ends of a link's connections; undefined if neither is known. */
export function tcpEvidence(client: TcpEnd | null, server: TcpEnd | null): TcpEvidence | undefined {
  return client === null && server === null ? undefined : { client, server };
}
