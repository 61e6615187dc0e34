// What the flags ask of networks, in the runner's words.
import type { LinkLevels } from "@roundtrip/runner";
import type { NetworkFlags } from "../options/link-option.ts";

/** Levels of what was given; nothing of what was not. */
export function askedLinks(flags: NetworkFlags): LinkLevels {
  const { rtt, bandwidth, loss, congestion, window, windowScaling, slowStartAfterIdle } = flags;
  return {
    ...(rtt && { rttMs: rtt }),
    ...(bandwidth && { bandwidthMbps: bandwidth }),
    ...(loss && { loss }),
    ...(congestion && { congestionControl: congestion }),
    ...(window && { receiveWindowBytes: window }),
    ...(windowScaling && { windowScaling }),
    ...(slowStartAfterIdle && { slowStartAfterIdle }),
  };
}
