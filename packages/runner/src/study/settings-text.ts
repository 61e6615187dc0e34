// What is set on a stack, in the words that its name carries in results: connections have words of their own, all else is told as it is typed.
import type { Settings, SettingValue } from "@roundtrip/stacks";

type Words = Readonly<Record<`${boolean}`, string>>;

const connections: Words = { true: "kept connection", false: "new connection" };

/** Whoever ends a connection after each call, server or client, the next one is on a new one. */
const ofConnections: Readonly<Record<string, Words>> = {
  keepAlive: connections,
  newConnectionPerCall: { true: connections.false, false: connections.true },
};

const wordsOf: Readonly<Record<string, Words>> = {
  ...ofConnections,
  tlsResumption: { true: "resumed", false: "not resumed" },
};

/** `["new connection", "requestCompression=gzip"]`. Where both ends are told about connections, words would not tell which. */
export function settingsText(settings: Settings): readonly string[] {
  const isTwofold = Object.keys(ofConnections).every((name) => settings[name] !== undefined);
  return Object.entries(settings).map(([name, value]: [string, SettingValue]) => {
    const words = isTwofold && ofConnections[name] !== undefined ? undefined : wordsOf[name];
    return words !== undefined && typeof value === "boolean" ? words[`${value}`] : `${name}=${value}`;
  });
}
