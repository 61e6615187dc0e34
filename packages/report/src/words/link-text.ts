// The networks of a run in few words: where they differ, each with the round-trip time that it was measured to have.
import { durationText, listed, type Environment } from "@roundtrip/analysis";

/** `link loopback with a round trip of 14 µs`, `link kernel with round trips of 1.02 ms, 50.1 ms and 100 ms`. */
export function linkText({ link, links = [] }: Pick<Environment, "link" | "links">): string {
  // Results from elsewhere do not report it.
  if (links.length === 0 && link.rttMs === 0) return `link ${link.kind}`;
  if (links.length === 0) return `link ${link.kind} with a round trip of ${durationText(link.rttMs)}`;
  const kinds = [...new Set(links.map(({ kind }) => kind))];
  const times = [...new Set(links.map(({ rttMs }) => durationText(rttMs)))];
  return `link ${listed(kinds)} with ${times.length === 1 ? "a round trip" : "round trips"} of ${listed(times)}`;
}
