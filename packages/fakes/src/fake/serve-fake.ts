// Serves a fake by several servers at once, which change together.
import type { Service } from "@roundtrip/contract";
import {
  allStacks,
  knownStack,
  loadServe,
  type LateService,
  loadStack,
  type OpenedPort,
  openSharedPort,
  type RequestWatch,
  type ServedService,
  type ServeOptions,
  type Settings,
  serveOn,
  StackError,
  watchRefusals,
} from "@roundtrip/stacks";
import { suggestion } from "@roundtrip/contract/text";
import { loadStyle, StyleError } from "@roundtrip/styles";
import { setImmediate as turn } from "node:timers/promises";
import { sessionMetadataName } from "../basics/names.ts";
import { receivedBy } from "../log/received-call.ts";
import type { Fake } from "./fake.ts";

/**
 * The watch for a stack that serves a fake: refused requests are in the fake's log, and calls name their server there. Rejects with a StackError for an unknown stack.
 * @param server its name among the addresses of the fake
 */
export async function stackWatch(fake: Fake, stack: string, server: string = stack): Promise<RequestWatch> {
  const { style, title } = await loadStack(stack);
  const watch = await watchRefusals(
    style,
    () => fake.contract,
    ({ request, headers, client, code, message, nearest, nearestField }) => {
      const session = headers[sessionMetadataName];
      fake.refusalLog.add({
        session: typeof session === "string" ? session : "",
        server,
        style: title,
        client,
        request,
        outcome: code,
        message,
        nearest,
        nearestField,
        at: Date.now(),
      });
    },
  );
  return { ...watch, marking: (service) => receivedBy(watch.marking(service), { server, style }) };
}

/** The stacks that serve a fake unless others are selected: the usual one of every style, those of the usual styles first. */
export async function fakeStackNames(): Promise<readonly string[]> {
  const usual = allStacks()
    .filter(({ isDefault }) => isDefault)
    .toSorted((stack, next) => Number(next.isDefaultStyle) - Number(stack.isDefaultStyle));
  const roles = await Promise.all(usual.map(async ({ style }) => (await loadStyle(style)).role));
  return usual.filter((_, index) => roles[index] === "style").map(({ name }) => name);
}

/** What selects a stack: its name, or the style of which it is the usual one. */
export function stackSelectors(): readonly string[] {
  return [...new Set(allStacks().flatMap(({ style, name }) => [style, name]))];
}

/** The name of the usual stack of a style. */
export function usualStack(style: string): string | undefined {
  return allStacks().find((stack) => stack.isDefault && stack.style === style)?.name;
}

/** The name of the selected stack. Throws a StackError for an unknown one. */
export function selectedStack(selector: string): string {
  const found = allStacks().find(({ name }) => name === selector)?.name ?? usualStack(selector);
  if (found !== undefined) return found;
  const known = stackSelectors();
  const text = `unknown stack "${selector}"${suggestion(selector, known)} (valid: ${known.join(", ")})`;
  throw new StackError("unknown-stack", text);
}

/** The stack for calls of browsers. */
export const connectStack = usualStack("connect") ?? "";

/** The settings of clients of a fake. On a shared port Connect has HTTP/2, which streams in both directions need. */
export function clientSettings(stack: string, { shared }: Pick<ServedFake, "shared">): Settings {
  return stack === connectStack && shared !== undefined ? { http: "2" } : {};
}

/** One server of a fake. */
export interface FakeServer extends Pick<ServeOptions, "settings"> {
  /** Its name among the addresses. */
  readonly name: string;
  readonly stack: string;
  /** Undefined for the port that servers of different styles share. */
  readonly port: number | undefined;
}

export interface ServedFake {
  /** Addresses by name of the server. */
  readonly urls: Readonly<Record<string, string>>;
  /** The port that servers share; undefined if each has its own. */
  readonly shared: OpenedPort | undefined;
  /**
   * Loads servers on the shared port that no request has loaded: all, or without those on demand; no further one after the signal. Rejects if a style
   * cannot serve the contract.
   */
  start(which: "all" | "usual", signal?: AbortSignal): Promise<void>;
  /** Replaces the service on all servers, or on none if one that is loaded cannot serve it and is not left out. */
  replace(service: Service): Promise<void>;
  /** Finishes calls in flight, then closes. */
  close(): Promise<void>;
}

/** How the fake's servers get their connections. */
type PortOptions = Omit<ServeOptions, "settings" | "watch" | "sharedPort">;

/** The settings of connections, which servers on one port have in common. */
const ofConnections: ReadonlySet<string> = new Set([
  "http",
  "keepAlive",
  "keepAliveHint",
  "keepAliveMs",
  "keepAliveTimeoutMs",
  "flowControlWindowBytes",
  "maxConcurrentStreams",
  "maxConnectionIdleMs",
  "maxUnreadBytes",
]);

function requireNoneOfConnections({ name, settings }: FakeServer): void {
  const set = Object.keys(settings).find((setting) => ofConnections.has(setting));
  if (set === undefined) return;
  throw new StackError(
    "unusable-setting",
    `${name}.${set} is a setting of connections, which styles on one port share: give ${name} a port of its own (--own-ports, or ports of startFake)`,
  );
}

/** Whether a style cannot serve the contract, or its library is not installed: other faults concern all servers. */
function isLacking(thrown: unknown): thrown is Error {
  const { code } = thrown as { readonly code?: unknown };
  return (
    (thrown instanceof StyleError && code === "unusable-contract") ||
    (thrown instanceof StackError && code === "missing-library")
  );
}

/** Leaves a server out, whose style cannot serve the contract: its requests are answered with why. Called once for each reason. */
export type OnLeftOut = (server: string, why: string) => void;

/**
 * Starts the servers in their order, those without a port of their own on that of the options. Rejects with a StackError, and leaves none running, if one
 * cannot start. @param onLeftOut undefined if every style has to serve the contract
 */
export async function serveFake(
  fake: Fake,
  servers: readonly FakeServer[],
  options: PortOptions,
  onLeftOut?: OnLeftOut,
): Promise<ServedFake> {
  const served = new Map<string, ServedService>();
  const late = new Map<string, LateService>();
  const reported = new Map<string, string>();
  const isLeftOut = (name: string, thrown: unknown): thrown is Error => {
    if (onLeftOut === undefined || !isLacking(thrown)) return false;
    if (reported.get(name) !== thrown.message) onLeftOut(name, thrown.message);
    reported.set(name, thrown.message);
    return true;
  };
  const throwUnlessLeftOut = (name: string) => (thrown: unknown) => {
    if (!isLeftOut(name, thrown)) throw thrown;
  };
  const replaceOn = async (name: string, server: ServedService, next: Service): Promise<void> => {
    try {
      await server.replace(next);
      reported.delete(name);
    } catch (thrown) {
      const onDemand = late.get(name);
      if (onDemand === undefined || !isLeftOut(name, thrown)) throw thrown;
      onDemand.leaveOut(thrown);
    }
  };
  const replaceAll = (next: Service): readonly Promise<void>[] =>
    [...served].map(([name, server]) => replaceOn(name, server, next));
  let current = fake.service;
  const isShared = servers.some(({ port }) => port === undefined);
  const onShared = new Set<string>();
  const shared = isShared ? await openSharedPort(options, () => fake.contract) : undefined;
  const close = async (): Promise<void> => {
    await Promise.all([shared?.close(), ...[...served.values()].map((server) => server.close())]);
  };
  try {
    for (const asked of servers) {
      const { name, stack, port, settings } = asked;
      const watchOf = (): Promise<RequestWatch> => stackWatch(fake, stack, name);
      const { style } = knownStack(stack);
      // A second server of a style would get no requests.
      if (shared !== undefined && port === undefined && !onShared.has(style)) {
        onShared.add(style);
        requireNoneOfConnections(asked);
        const ofPort = { ...options, settings, watch: undefined };
        const onFault = (thrown: unknown): void => void isLeftOut(name, thrown);
        const server = await serveOn(shared, stack, current, ofPort, watchOf, onFault);
        served.set(name, server);
        late.set(name, server);
      } else {
        const own = { ...options, port: port ?? 0, settings, sharedPort: undefined };
        const starting = Promise.all([loadServe(stack), watchOf()]).then(([serve, watch]) =>
          serve(current, { ...own, watch }),
        );
        const server = await starting.catch(throwUnlessLeftOut(name));
        if (server !== undefined) served.set(name, server);
      }
    }
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    urls: Object.fromEntries([...served].map(([name, { url }]) => [name, url])),
    shared,
    async start(which, signal) {
      // One after the other, so that calls are answered in between.
      for (const [name, server] of late) {
        if (signal?.aborted === true) return;
        if (which === "usual" && server.isOnDemand) continue;
        // oxlint-disable-next-line no-await-in-loop
        await server.start().catch(throwUnlessLeftOut(name));
        // oxlint-disable-next-line no-await-in-loop
        await turn();
      }
    },
    async replace(next) {
      const outcomes = await Promise.allSettled(replaceAll(next));
      const failed = outcomes.find((outcome) => outcome.status === "rejected");
      if (failed !== undefined) {
        await Promise.all(replaceAll(current));
        throw failed.reason;
      }
      current = next;
    },
    close,
  };
}
