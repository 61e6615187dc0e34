// Settings of connections that do not depend on the protocol: reuse, and the cost of a new one.
import type { PlainSetting } from "../basics/stack.ts";

/** Settings of every server. */
export const keepAlive = {
  name: "keepAlive",
  meaning: "whether a connection is there for the next call; a server that does not keep it closes it after each",
  default: true,
  values: [true, false],
} as const satisfies PlainSetting;

export const newConnectionPerCall = {
  name: "newConnectionPerCall",
  meaning: "each call opens a connection of its own and closes it: every call is a first one",
  default: false,
  values: [true, false],
} as const satisfies PlainSetting;

const tlsResumption = {
  name: "tlsResumption",
  meaning: "a new connection resumes the TLS session of one before it: no certificate, the same round trips",
  default: true,
  values: [true, false],
} as const satisfies PlainSetting;

export const clientConnectionSettings = [
  newConnectionPerCall,
  tlsResumption,
] as const satisfies readonly PlainSetting[];
