// What can be set on connections whatever is spoken on them: whether they last, and what a new one costs.
import type { PlainSetting } from "../basics/stack.ts";

/** Of every server. */
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

/** Of every client whose connections this project opens. */
export const clientConnectionSettings = [
  newConnectionPerCall,
  tlsResumption,
] as const satisfies readonly PlainSetting[];
