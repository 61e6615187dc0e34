// What bindings of several styles declare: settings of connections, of HTTP servers and of clients on undici, deviations; and the check of settings.
import { settingFault, type SettingsOf, withDefaults } from "@roundtrip/contract";
import type { ClientBinding, PlainSetting, ServerBinding, Settings } from "../basics/stack.ts";
import type { Deviation } from "@roundtrip/styles";
import { StackError } from "../basics/stack-error.ts";

// Checks settings against those that a stack declares.

export type { SettingsOf } from "@roundtrip/contract";

/** Fills in the defaults. Throws a StackError `unusable-setting` for undeclared settings. */
export function settingsWith<D extends readonly PlainSetting[]>(declared: D, given: Settings): SettingsOf<D> {
  const fault = settingFault(declared, given);
  if (fault !== undefined) throw new StackError("unusable-setting", fault);
  return withDefaults(declared, given);
}

/** Separates a library's own settings from those that it shares. Throws a StackError `unusable-setting` for undeclared ones of either. */
export function splitSettings<D extends readonly PlainSetting[]>(
  declared: D,
  shared: readonly PlainSetting[],
  given: Settings,
): { readonly own: SettingsOf<D>; readonly others: Settings } {
  settingsWith([...declared, ...shared], given);
  const names = new Set(declared.map(({ name }) => name));
  const entries = Object.entries(given);
  const own = Object.fromEntries(entries.filter(([name]) => names.has(name)));
  const others = Object.fromEntries(entries.filter(([name]) => !names.has(name)));
  return { own: settingsWith(declared, own), others };
}

// Settings of connections that do not depend on the protocol: reuse, and the cost of a new one.

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

// Settings of the connections of HTTP servers, in every version.

/** Timers and counts have 31 bits; this maximum is for milliseconds and connections. */
export const maxInt32 = 2 ** 31 - 1;

export const maxConnectionIdleMs = {
  name: "maxConnectionIdleMs",
  meaning: "milliseconds before the server closes an idle connection",
  // Longer than any pause between two blocks of a run, so that clients of every style find the connection open.
  default: 300_000,
  values: { least: 1, most: maxInt32 },
} as const satisfies PlainSetting;

export const allowedHosts = {
  name: "allowedHosts",
  meaning: "names beside those of this machine for which a server on loopback answers, such as shop.example+proxy",
  default: "loopback",
  values: { text: "host names with + between them, or * for any", pattern: "^(?:\\*|[\\w.-]+(?:\\+[\\w.-]+)*)$" },
} as const satisfies PlainSetting;

export const httpServerSettings = [
  keepAlive,
  maxConnectionIdleMs,
  allowedHosts,
  {
    name: "keepAliveHint",
    meaning:
      "whether answers state the idle limit (Keep-Alive: timeout); without it a call may reach a connection that just closed",
    default: true,
    values: [true, false],
  },
  {
    name: "tlsVersion",
    meaning: "newest TLS of the server; a full handshake of 1.2 takes a round trip more",
    default: "1.3",
    values: ["1.3", "1.2"],
  },
] as const satisfies readonly PlainSetting[];

export function httpServerBinding(...libraries: readonly string[]): ServerBinding {
  return { libraries, limitations: [], deviations: [], settings: httpServerSettings };
}

/** @param codings those that its library compresses with */
export function compressingServerBinding(codings: readonly string[], ...libraries: readonly string[]): ServerBinding {
  const values = ["identity", ...codings];
  return { ...httpServerBinding(...libraries), settings: [...httpServerSettings, { ...responseCompression, values }] };
}

/** Fills in the defaults. Throws a StackError `unusable-setting` for unknown settings. */
export function httpServerSettingsWith(given: Settings): SettingsOf<typeof httpServerSettings> {
  return settingsWith(httpServerSettings, given);
}

export const undiciSettings = [
  ...clientConnectionSettings,
  {
    name: "idleConnections",
    meaning: "maximum idle connections that the client keeps open",
    default: maxInt32,
    values: { least: 0, most: maxInt32 },
  },
  {
    name: "clientIdleTimeoutMs",
    meaning: "milliseconds before the client closes an idle connection, unless its server asks for less",
    default: 600_000,
    values: { least: 1, most: maxInt32 },
  },
] as const satisfies readonly PlainSetting[];

export const undiciBinding: ClientBinding = {
  libraries: ["undici"],
  limitations: [],
  deviations: [],
  settings: undiciSettings,
  connectRoundTrips: 0,
  callsAtOnce: "one-each",
};

/** Fills in the defaults. Throws a StackError `unusable-setting` for unknown settings. */
export function undiciSettingsWith(given: Settings): SettingsOf<typeof undiciSettings> {
  return settingsWith(undiciSettings, given);
}

// Settings of compression over HTTP/1.1.

const requestCompression = {
  name: "requestCompression",
  meaning: "compression of requests of 1 KiB or more, not of streams",
  default: "identity",
  values: ["identity", "gzip", "br", "zstd"],
} as const satisfies PlainSetting;

/** Of both ends: the server compresses for callers that accept it, and the client asks for it. */
export const responseCompression = {
  name: "responseCompression",
  meaning: "compression of answers of 1 KiB or more, not of streams",
  default: "identity",
  values: ["identity", "gzip", "br", "zstd"],
} as const satisfies PlainSetting;

export const clientCompression = [requestCompression, responseCompression] as const satisfies readonly PlainSetting[];

/** Clients on undici that compress. */
export const compressingBinding: ClientBinding = {
  ...undiciBinding,
  settings: [...undiciBinding.settings, ...clientCompression],
};

const [major = 0, minor = 0] = process.versions["undici"]?.split(".").map(Number) ?? [];
/** fetch decodes zstd from undici 7.11 on: that of Node.js 22 would return it as it is, as if it were decoded. */
const hasZstd = major > 7 || (major === 7 && minor >= 11);

/** Clients on fetch, which decodes answers itself. */
export const fetchBinding: ClientBinding = {
  ...undiciBinding,
  settings: [
    ...undiciBinding.settings,
    requestCompression,
    hasZstd ? responseCompression : { ...responseCompression, values: ["identity", "gzip", "br"] },
  ],
};

// What Connect's library answers itself, in both protocols.

const unparsed = "Connect's library answers a message that it cannot parse as INTERNAL";

export const connectNodeDeviations: readonly Deviation[] = ["RT-0183", "RT-1206", "RT-1208"].map((caseId) => ({
  caseId,
  reason: unparsed,
}));
