// The servers that a plan calls: one for each configuration of each stack, with the variable for its address.
import type { Contract } from "@roundtrip/contract";
import type { K6Calls } from "@roundtrip/styles";
import { grpcWriter, httpWriter, type RequestTable, type StepWriter } from "./k6-requests.ts";
import type { Configuration } from "@roundtrip/runner/parts";
import type { Stack } from "@roundtrip/stacks";
import type { K6Server, K6Step } from "./k6-plan.ts";

interface K6Module {
  /** The end of the names of variables with addresses. */
  readonly variable: string;
  /** What addresses begin with, before host and port. */
  readonly scheme: string;
  readonly order: number;
  /** The port of servers in a cluster, and Kubernetes' name for their protocol. */
  readonly port: number;
  readonly appProtocol: string;
  readonly stepWriter: (contract: Contract, stack: string, table: RequestTable) => Promise<StepWriter>;
}

export const k6Modules: Readonly<Record<K6Calls["module"], K6Module>> = {
  grpc: {
    variable: "TARGET",
    scheme: "",
    order: 0,
    port: 50_051,
    appProtocol: "kubernetes.io/h2c",
    stepWriter: (contract, _stack, table) => Promise.resolve(grpcWriter(contract, table)),
  },
  http: { variable: "URL", scheme: "http://", order: 1, port: 8080, appProtocol: "http", stepWriter: httpWriter },
};

const usualHost = "127.0.0.1";
/** The customary gRPC port. Further servers use the ports after it. */
const firstPort = 50_051;

/** The settings for `roundtrip serve`, such as `matrix.cache=200`. */
function settingsOf({ stack, server, services }: Configuration): readonly string[] {
  return Object.entries({ [stack]: server, ...services }).flatMap(([owner, settings]) =>
    Object.entries(settings).map(([name, value]) => `${owner}.${name}=${value}`),
  );
}

const inCapitals = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");

export interface ServerToName {
  readonly configuration: Configuration;
  readonly stack: Stack;
  readonly calls: K6Calls;
  /** The path of its URL; empty if it has none. */
  readonly path: string;
  readonly setup: readonly K6Step[];
  /** Its URL if it runs already. */
  readonly target: string | undefined;
  /** The environment variable with the bearer token of its callers; undefined if it asks for none. */
  readonly token: string | undefined;
}

/** What the variable begins with: the style, `REST`; the stack, `REST_EXPRESS`, where the plan has several of that style. */
function prefixOf({ name, style }: Stack, servers: readonly ServerToName[]): string {
  const isOnly = servers.every(({ stack }) => stack.name === name || stack.style !== style);
  return inCapitals(isOnly ? style : name);
}

/**
 * Names servers: `REST_URL`, and where a stack has several, `REST_URL_MATRIX_CACHE_200`; `REST_EXPRESS_URL` beside other stacks of its style. Those that
 * one command serves stand together.
 * @param portsEach the ports that the command of a server takes, from its own on.
 */
export function k6Servers(servers: readonly ServerToName[], portsEach = 1): readonly K6Server[] {
  const inOrder = servers.toSorted((a, b) => k6Modules[a.calls.module].order - k6Modules[b.calls.module].order);
  const bySettings = Map.groupBy(inOrder, ({ configuration: { services } }) => JSON.stringify(services));
  return [...bySettings.values()].flat().map((server, index) => {
    const { configuration, stack, calls, path, setup, target, token } = server;
    const ofStack = servers.filter((other) => other.stack.name === stack.name);
    const settings = settingsOf(configuration);
    const { scheme, variable } = k6Modules[calls.module];
    const base = `${prefixOf(stack, servers)}_${variable}`;
    const isOnly = ofStack.length === 1 || settings.length === 0;
    return {
      id: configuration.id,
      stack: stack.name,
      calls,
      variable: isOnly ? base : `${base}_${settings.map(inCapitals).join("_")}`,
      usual: target ?? `${scheme}${usualHost}:${firstPort + index * portsEach}${path}`,
      ...(token === undefined ? {} : { token }),
      path,
      settings,
      setup,
    };
  });
}
