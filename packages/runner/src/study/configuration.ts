// A stack with the settings of its server, client and service. Settings with several values are factors of a run, and every combination of their
// levels is a configuration, with processes of its own.
import {
  type Setting,
  type Settings,
  settingsWith,
  type SettingValue,
  type Stack,
  stackNames,
} from "@roundtrip/stacks";
import { RunnerError } from "../basics/runner-error.ts";
import { linkFactors, type LinkSettings, requireSensible } from "./link-settings.ts";
import type { Version } from "./sources.ts";
import { versionFactor } from "@roundtrip/runs";

export type LevelsOfStack = Readonly<Record<string, readonly SettingValue[]>>;

/** The levels of settings by stack or service; missing ones have their default. */
export type SettingLevels = Readonly<Record<string, LevelsOfStack>>;

/** Settings by service; a missing setting has its default. */
export type ServiceSettings = Readonly<Record<string, Settings>>;

const usualService: ServiceSettings = {};

/** Every combination of the levels of service settings; {@link usualService} alone without any. The service checks whether it has them. */
export function serviceSettingsOf(levels: SettingLevels): readonly ServiceSettings[] {
  const stacks = new Set(stackNames());
  const varied = Object.entries(levels)
    .filter(([service]) => !stacks.has(service))
    .flatMap(([service, ofService]) =>
      Object.entries(ofService).map(([name, values]) => ({ service, name, values: [...new Set(values)] })),
    );
  return varied.reduce<readonly ServiceSettings[]>(
    (sets, { service, name, values }) =>
      sets.flatMap((set) => values.map((value) => ({ ...set, [service]: { ...set[service], [name]: value } }))),
    [usualService],
  );
}

/** The same as factors of arms: `matrix.threads`. */
export function serviceFactors(services: ServiceSettings): Settings {
  return Object.fromEntries(
    Object.entries(services).flatMap(([service, settings]) =>
      Object.entries(settings).map(([name, value]) => [`${service}.${name}`, value]),
    ),
  );
}

export interface Configuration {
  /** `grpc-js`, or `grpc-js/requestCompression=gzip` with a setting. */
  readonly id: string;
  /** The same without its version: what base and head have in common. */
  readonly versionlessId: string;
  readonly stack: string;
  /** All explicit settings, in the order in which the stack declares them; empty uses all defaults. */
  readonly settings: Settings;
  readonly server: Settings;
  readonly client: Settings;
  readonly defaults: Settings;
  readonly services: ServiceSettings;
  /** The network between its processes; undefined for the run's own. */
  readonly link: LinkSettings | undefined;
  /** Whether its client uses TLS; undefined for the setting of the run. */
  readonly tls: boolean | undefined;
  /** False if its processes are measured as they start; absent warms them up. */
  readonly warmUp?: boolean | undefined;
  readonly version: Version | undefined;
}

type Surroundings = Pick<Configuration, "link" | "tls" | "warmUp" | "services" | "version">;

/** Each adds two processes to every round, and a line to every table. */
export const mostConfigurations = 8;
/** The maximum with networks, each of which adds configurations. */
const mostOverLinks = 16;

/** `/name=value` for each: the factors in the ids of arms and configurations. */
export function factorText(factors: Settings): string {
  return Object.entries(factors)
    .map(([name, value]) => `/${name}=${value}`)
    .join("");
}

/** The factors around a stack: network settings that are not the defaults and those to `include`, settings of its service, and its version. */
export function surroundingFactors(
  { link, tls, warmUp, services, version }: Surroundings,
  include: readonly (keyof LinkSettings)[] = [],
): Settings {
  return {
    ...(link && linkFactors(link, include)),
    ...(tls === undefined ? {} : { tls }),
    ...(warmUp === undefined ? {} : { warmUp }),
    ...serviceFactors(services),
    ...(version === undefined ? {} : { [versionFactor]: version.name }),
  };
}

function orNone<T>(levels: readonly T[]): readonly (T | undefined)[] {
  return levels.length === 0 ? [undefined] : levels;
}

/** Throws `bad-plan` for server settings of a target or command. */
function requireClientSettings({ name, settings }: Stack, levels: LevelsOfStack): void {
  const refused = settings.find((setting) => setting.end !== "client" && levels[setting.name] !== undefined);
  if (refused === undefined) return;
  const others = settings.filter(({ end }) => end === "client").map((setting) => setting.name);
  throw new RunnerError(
    "bad-plan",
    `${name}.${refused.name} is a setting of the server${refused.end === "both" ? " too" : ""}, and a target or command has its own; ` +
      `what can be set on its client alone: ${others.length === 0 ? "nothing" : others.join(", ")}`,
  );
}

/** All combinations of levels: a full factorial in which the first setting changes last. */
function combinations(declared: readonly Setting[], levels: LevelsOfStack): readonly Settings[] {
  const varied = declared.flatMap(({ name }) => (levels[name] === undefined ? [] : [[name, levels[name]] as const]));
  return varied.reduce<readonly Settings[]>(
    (sets, [name, values]) => sets.flatMap((set) => [...new Set(values)].map((value) => ({ ...set, [name]: value }))),
    [{}],
  );
}

function partFor(end: "server" | "client", declared: readonly Setting[], settings: Settings): Settings {
  const names = declared.filter((setting) => setting.end === end || setting.end === "both").map(({ name }) => name);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)));
}

/** Levels of a stack's surroundings. Without levels, the run's own setting applies. */
export interface SurroundingLevels {
  readonly links?: readonly LinkSettings[];
  readonly tls?: readonly boolean[];
  readonly warmUp?: readonly boolean[];
  /** Settings of its server's service. Default: all defaults. */
  readonly services?: readonly ServiceSettings[];
  readonly versions?: readonly Version[];
}

/** Throws `bad-plan` for server settings or networks of a target or command. */
function requireForForeign(
  stack: Stack,
  levels: LevelsOfStack,
  { links, services }: Required<SurroundingLevels>,
): void {
  requireClientSettings(stack, levels);
  const { name } = stack;
  const [setting] = services.flatMap((one) => Object.keys(serviceFactors(one)));
  if (setting !== undefined) {
    throw new RunnerError(
      "bad-plan",
      `${setting} is a setting of the service, and the ${name} server is a target or command: leave out the setting, or that`,
    );
  }
  if (links.length > 0) {
    const message = `the ${name} server is a target or command, on a network of its own: no other can be put in between, so leave out --link, or that`;
    throw new RunnerError("bad-plan", message);
  }
}

/** Throws `bad-plan` for more configurations of a stack than a run has time for. */
function requireFewEnough({ name }: Stack, levels: LevelsOfStack, around: Required<SurroundingLevels>): void {
  const { links, tls, services } = around;
  const count = Object.values(levels).reduce((product, values) => product * new Set(values).size, services.length);
  if (count > mostConfigurations) {
    const message = `${name} would be measured with ${count} combinations of its settings; at most ${mostConfigurations} are, so give fewer values`;
    throw new RunnerError("bad-plan", message);
  }
  const networks = Math.max(links.length, 1) * Math.max(tls.length, 1);
  if (networks > 1 && count * networks > mostOverLinks) {
    const message = `${name} would be measured ${count * networks} times, in each configuration over each network, plain or TLS; at most ${mostOverLinks} are, so give fewer`;
    throw new RunnerError("bad-plan", message);
  }
}

function surroundingsOf(levels: Required<SurroundingLevels>): readonly Surroundings[] {
  return orNone(levels.links).flatMap((link) =>
    orNone(levels.tls).flatMap((tls) =>
      orNone(levels.warmUp).flatMap((warmUp) =>
        levels.services.flatMap((services) =>
          orNone(levels.versions).map((version) => ({ link, tls, warmUp, services, version })),
        ),
      ),
    ),
  );
}

function configurationOf({ name, settings: declared }: Stack, settings: Settings, around: Surroundings): Configuration {
  const defaults = declared.filter((setting) => Object.hasOwn(settings, setting.name));
  const versionlessId = surroundingFactors({ ...around, version: undefined });
  return {
    id: `${name}${factorText({ ...settings, ...surroundingFactors(around) })}`,
    versionlessId: `${name}${factorText({ ...settings, ...versionlessId })}`,
    stack: name,
    settings,
    server: partFor("server", declared, settings),
    client: partFor("client", declared, settings),
    defaults: Object.fromEntries(defaults.map((setting) => [setting.name, setting.default])),
    ...around,
  };
}

/**
 * The configurations of a stack: one, without levels. Throws a RunnerError `bad-plan` for too many, for server settings or a network of a target or command, and
 * for an invalid network; throws a StackError `unusable-setting` for undeclared settings.
 */
export function configurationsOf(
  stack: Stack,
  levels: LevelsOfStack,
  isForeign: boolean,
  { links = [], tls = [], warmUp = [], services = [usualService], versions = [] }: SurroundingLevels = {},
): readonly Configuration[] {
  const { settings: declared } = stack;
  for (const [setting, values] of Object.entries(levels)) {
    for (const value of values) settingsWith(declared, { [setting]: value });
  }
  const around = { links, tls, warmUp, services, versions };
  if (isForeign) requireForForeign(stack, levels, around);
  requireFewEnough(stack, levels, around);
  for (const link of links) requireSensible(link);
  return combinations(declared, levels).flatMap((settings) =>
    surroundingsOf(around).map((one) => configurationOf(stack, settings, one)),
  );
}

type Words = Readonly<Record<`${boolean}`, string>>;

/** Whichever end closes a connection after each call, the next call uses a new one. */
const ofConnections: Readonly<Record<string, Words>> = {
  keepAlive: { true: "kept connection", false: "new connection" },
  newConnectionPerCall: { true: "new connection", false: "kept connection" },
};

const wordsOf: Readonly<Record<string, Words>> = {
  ...ofConnections,
  tlsResumption: { true: "resumed", false: "not resumed" },
};

/** Such as `["new connection", "requestCompression=gzip"]`. If both ends have a setting for connections, these are shown as typed. */
export function settingsText(settings: Settings): readonly string[] {
  const isTwofold = Object.keys(ofConnections).every((name) => settings[name] !== undefined);
  return Object.entries(settings).map(([name, value]: [string, SettingValue]) => {
    const words = isTwofold && ofConnections[name] !== undefined ? undefined : wordsOf[name];
    return words !== undefined && typeof value === "boolean" ? words[`${value}`] : `${name}=${value}`;
  });
}
