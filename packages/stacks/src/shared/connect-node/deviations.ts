// What Connect's library answers itself, in both protocols.
import type { Deviation } from "@roundtrip/styles";

const reason = "Connect's library answers a message that it cannot parse as INTERNAL";

export const connectNodeDeviations: readonly Deviation[] = ["RT-0183", "RT-1206", "RT-1208"].map((caseId) => ({
  caseId,
  reason,
}));
