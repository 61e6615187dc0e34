// The settings of a stack as part of its title: connections have their own words, all others are shown as typed.
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

/** `["new connection", "requestCompression=gzip"]`. If both ends have a setting for connections, it is shown as typed. */
export function settingsText(settings: Settings): readonly string[] {
  const isTwofold = Object.keys(ofConnections).every((name) => settings[name] !== undefined);
  return Object.entries(settings).map(([name, value]: [string, SettingValue]) => {
    const words = isTwofold && ofConnections[name] !== undefined ? undefined : wordsOf[name];
    return words !== undefined && typeof value === "boolean" ? words[`${value}`] : `${name}=${value}`;
  });
}
