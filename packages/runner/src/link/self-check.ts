// A link is looked at before anything is measured over it: it has to be as far as was asked for, with TCP that starts slowly.
import { RunnerError } from "../runner-error.ts";
import type { LinkEnd, LinkFacts } from "./link.ts";
import type { LinkSettings } from "./link-settings.ts";
import { probe } from "./probe.ts";

/** How far the measured round trip may be from the one that was asked for. */
const relativeTolerance = 0.02;
const absoluteToleranceMs = 0.3;
/** An emulator's clock has this much to tell apart at least, before slow start can be seen. */
const leastRttMsForSlowStart = 10;
/** Ten segments to begin with, doubled with each round trip (RFC 6928): 14, 29, 58, 117 KB, and the rest of 277 KB. */
const leastRoundTripsOfColdBulk = 4;
/** Another's burst on a shared machine passes. */
const attempts = 3;

/** What does not fit; undefined when all does. */
function faultOf(settings: LinkSettings, seen: Awaited<ReturnType<typeof probe>>): string | undefined {
  const { rttMs } = settings;
  const tolerance = rttMs * relativeTolerance + absoluteToleranceMs;
  if (Math.abs(seen.rttMs - rttMs) > tolerance) {
    return `its round trip takes ${seen.rttMs.toFixed(2)} ms and not ${rttMs} ms`;
  }
  if (seen.connectMs < rttMs || (rttMs >= leastRttMsForSlowStart && seen.connectMs > 2 * rttMs)) {
    return `opening a connection takes ${seen.connectMs.toFixed(2)} ms, which is not one round trip of ${rttMs} ms`;
  }
  if (rttMs >= leastRttMsForSlowStart && seen.coldBulkMs < leastRoundTripsOfColdBulk * rttMs) {
    return `277 KB on a new connection take ${seen.coldBulkMs.toFixed(1)} ms, fewer than ${leastRoundTripsOfColdBulk} round trips: this is not the kernel's TCP`;
  }
  return undefined;
}

/** Measures a link of the kernel. Rejects with a RunnerError `link-faulty` when it is not what was asked for. */
export async function selfCheck(
  ends: { readonly client: LinkEnd; readonly server: LinkEnd },
  settings: LinkSettings,
  kind: string,
): Promise<LinkFacts> {
  let fault = "";
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const seen = await probe(ends);
    const why = faultOf(settings, seen);
    if (why === undefined) return { kind, rttMs: seen.rttMs, mtuBytes: 1500 };
    fault = why;
  }
  throw new RunnerError("link-faulty", `the link is not what was asked for: ${fault}`);
}
