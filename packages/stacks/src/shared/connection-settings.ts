// Settings of connections that do not depend on the protocol: reuse, and the cost of a new one.
import type { PlainSetting } from "../basics/stack.ts";

/** Settings of every server. */
export const keepAlive = {
  name: "keepAlive",
  meaning: "whether the server keeps connections open between calls",
  default: true,
  values: [true, false],
} as const satisfies PlainSetting;

export const newConnectionPerCall = {
  name: "newConnectionPerCall",
  meaning: "opens and closes a connection for each call",
  default: false,
  values: [true, false],
} as const satisfies PlainSetting;

const tlsResumption = {
  name: "tlsResumption",
  meaning: "resumes an earlier TLS session on new connections: no certificate is sent, round trips stay the same",
  default: true,
  values: [true, false],
} as const satisfies PlainSetting;

export const clientConnectionSettings = [
  newConnectionPerCall,
  tlsResumption,
] as const satisfies readonly PlainSetting[];
