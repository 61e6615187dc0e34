// Loads the parts of a stack on demand, so that a process has only the libraries that it measures.
import { codecFault, endingWithCall, type Client, type Contract, type Service } from "@roundtrip/contract";
import { requireLibraries, StackError } from "./basics/stack-error.ts";
import { OpenCalls } from "./shared/open-calls.ts";
import { settingsWith } from "./shared/settings.ts";
import { loadStyle, type Deviation, type Style } from "@roundtrip/styles";
import { extname } from "node:path";
import { allStacks, knownStack, type KnownStack } from "./known-stacks.ts";
import {
  connectDefaults,
  type ConnectOptions,
  type ClientBinding,
  type Connect,
  type RequestWatch,
  type Serve,
  type ServerBinding,
  type Setting,
  type SettingValue,
  type Stack,
  type StackDeviation,
} from "./basics/stack.ts";

// Source runs as .ts, a published package as .js.
const extension = extname(import.meta.filename);

async function part(path: readonly string[]): Promise<Record<string, unknown>> {
  return (await import(new URL(`./${path.join("/")}${extension}`, import.meta.url).href)) as Record<string, unknown>;
}

/** The description of a library: from the table of its style, which loads no library, or from its own file, as `binding`. */
async function bindingOf<B>(style: string, end: "servers" | "clients", library: string): Promise<B> {
  const table = (await part([style, "libraries"]))[end] as Readonly<Record<string, B>>;
  return table[library] ?? ((await part([style, end, library]))["binding"] as B);
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}

function commonValues(ofServer: Setting["values"], ofClient: Setting["values"]): Setting["values"] {
  const areListed = Array.isArray(ofServer) && Array.isArray(ofClient);
  return areListed ? (ofServer as SettingValue[]).filter((value) => ofClient.includes(value)) : ofServer;
}

function settingsOf(
  ofStyle: Style["serverSettings"],
  server: ServerBinding,
  client: ClientBinding,
): readonly Setting[] {
  const ofClient = new Map(client.settings.map(({ name, values }) => [name, values]));
  const ofServer = new Set(server.settings.map(({ name }) => name));
  return [
    ...[...ofStyle, ...server.settings].map((setting): Setting => {
      const values = ofClient.get(setting.name);
      if (values === undefined) return { ...setting, end: "server" };
      return { ...setting, end: "both", values: commonValues(setting.values, values) };
    }),
    ...client.settings
      .filter(({ name }) => !ofServer.has(name))
      .map((setting) => ({ ...setting, end: "client" }) as const),
  ];
}

function causedBy(cause: string, deviations: readonly Deviation[]): readonly StackDeviation[] {
  return deviations.map((deviation) => ({ ...deviation, cause }));
}

function boundsOf(ends: Readonly<Record<"server" | "client", ServerBinding>>): Stack["bounds"] {
  return (["server", "client"] as const).filter((end) => ends[end].libraries.length === 0);
}

/** The style's title, with the libraries that are not its default: `REST (fastify)`, `REST (express, fetch)`. */
function titleOf({ title }: Style, { style, server, client }: KnownStack): string {
  const ofDefaults = allStacks().find((one) => one.style === style && one.isDefault);
  if (client !== ofDefaults?.client) return `${title} (${server}, ${client})`;
  return server === ofDefaults.server ? title : `${title} (${server})`;
}

/** Loads a stack's description. Rejects with a StackError for an unknown name. */
export async function loadStack(name: string): Promise<Stack> {
  const ids = knownStack(name);
  const [style, server, client] = await Promise.all([
    loadStyle(ids.style),
    bindingOf<ServerBinding>(ids.style, "servers", ids.server),
    bindingOf<ClientBinding>(ids.style, "clients", ids.client),
  ]);
  const { serverSettings, ...ofStyle } = style;
  return {
    ...ofStyle,
    ...ids,
    title: titleOf(style, ids),
    connectRoundTrips: client.connectRoundTrips,
    callsAtOnce: client.callsAtOnce,
    bounds: style.role === "floor" ? [] : boundsOf({ server, client }),
    libraries: unique([...server.libraries, ...client.libraries, ...style.libraries]),
    limitations: [...style.limitations, ...server.limitations, ...client.limitations],
    deviations: [
      ...causedBy(style.title, style.deviations),
      ...causedBy(`server ${ids.server}`, server.deviations),
      ...causedBy(`client ${ids.client}`, client.deviations),
    ],
    settings: settingsOf(serverSettings, server, client),
  };
}

/**
 * The stacks that show what each library costs, in the order of all stacks: every server with its style's default client, every client with its
 * default server, and a server and client without libraries with each other.
 */
export async function libraryStacks(): Promise<readonly Stack[]> {
  const usual = new Map(allStacks().flatMap((stack) => (stack.isDefault ? [[stack.style, stack]] : [])));
  const stacks = await Promise.all(allStacks().map(({ name }) => loadStack(name)));
  return stacks.filter(({ style, server, client, bounds }) => {
    const ofStyle = usual.get(style);
    return server === ofStyle?.server || client === ofStyle?.client || bounds.length === 2;
  });
}

/** Throws a StackError for a contract whose messages the protobuf library cannot write and read. */
export function requireCodecs(contract: Contract): void {
  const fault = codecFault(contract);
  if (fault !== undefined) throw new StackError("unusable-contract", `the contract cannot be served: ${fault}`);
}

/**
 * The service as servers have it: a deadline or a caller that leaves ends the whole call, interceptors included, and a watch sees which requests are
 * calls. Throws a StackError for a contract that cannot be served.
 */
export function preparedService(service: Service, watch: RequestWatch | undefined): Service {
  requireCodecs(service.contract);
  const ending = endingWithCall(service);
  return watch === undefined ? ending : watch.marking(ending);
}

/** The same server for any service: it prepares the service. */
function preparedServe(serve: Serve): Serve {
  return async (service, options) => {
    const { watch, shutdownGraceMs } = options;
    const open = new OpenCalls();
    const prepared = (next: Service): Service => open.of(preparedService(next, watch));
    const served = await serve(prepared(service), options);
    return {
      url: served.url,
      close: () => open.endWith(() => served.close(), shutdownGraceMs),
      // oxlint-disable-next-line require-await -- a service that cannot be prepared rejects
      replace: async (next) => served.replace(prepared(next)),
    };
  };
}

/** The module of a server or client, and its settings. Rejects with a StackError if its library is not installed. */
async function libraryPart({ name, style, ...libraries }: KnownStack, end: "server" | "client") {
  const [{ serverSettings }, binding] = await Promise.all([
    loadStyle(style),
    bindingOf<ServerBinding | ClientBinding>(style, `${end}s`, libraries[end]),
  ]);
  requireLibraries(name, binding.libraries, import.meta.url);
  return {
    module: await part([style, `${end}s`, libraries[end]]),
    settings: end === "server" ? [...serverSettings, ...binding.settings] : binding.settings,
  };
}

/** Loads a stack's server. Rejects with a StackError for an unknown stack, and for a library that is not installed. */
export async function loadServe(name: string): Promise<Serve> {
  const { module, settings } = await libraryPart(knownStack(name), "server");
  const serve = preparedServe(module["serve"] as Serve);
  return async (service, options) => {
    settingsWith(settings, options.settings);
    return serve(service, options);
  };
}

export async function loadConnect(name: string): Promise<Connect> {
  const { module, settings } = await libraryPart(knownStack(name), "client");
  const connect = module["connect"] as Connect;
  return async (contract, options) => {
    settingsWith(settings, options.settings);
    requireCodecs(contract);
    return connect(contract, options);
  };
}

/** Connects with a stack's client, loading only its library. Rejects with a StackError for an unknown stack. @param given address and options. */
export async function connectTo(
  stack: string,
  contract: Contract,
  given: Pick<ConnectOptions, "url"> & Partial<ConnectOptions>,
): Promise<Client> {
  const connect = await loadConnect(stack);
  return connect(contract, { ...connectDefaults, ...given });
}
