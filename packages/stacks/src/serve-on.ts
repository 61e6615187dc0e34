// Serves a stack on a port that it shares with others. Its libraries are loaded with its first request, or before.
import type { Service } from "@roundtrip/contract";
import type { RequestWatch, ServedService, ServeOptions } from "./basics/stack.ts";
import { allStacks, type KnownStack, knownStack } from "./known-stacks.ts";
import { loadServe, loadStack, requireCodecs } from "./registry.ts";
import type { OpenedPort } from "./shared/port/shared-port.ts";

/**
 * The server of a style that takes the place of another one here: one without connections of its own, or one with the fewest libraries. All answer
 * alike, and nobody measures them.
 */
const standIns: Readonly<Record<string, string>> = {
  "grpc-js": "node-http2",
  apollo: "graphql-http",
  express: "node-http",
  "json-rpc-2": "node-http",
};

function sharingStack(name: string): KnownStack {
  const stack = knownStack(name);
  const server = standIns[stack.server];
  if (server === undefined) return stack;
  return allStacks().find((candidate) => candidate.style === stack.style && candidate.server === server) ?? stack;
}

/** A server that may not be loaded yet. */
export interface LateService extends ServedService {
  /** Whether it is best left to its first request: a style with one path for all calls, whose libraries take memory that most callers do not need. */
  readonly isOnDemand: boolean;
  /** Rejects with a StyleError if the style cannot serve the contract. */
  start(): Promise<unknown>;
  /** Answers requests with this error, until a service is served in its place. */
  leaveOut(why: Error): void;
}

/**
 * Requests at the path of its address, and at that of its description, come to it; of REST, gRPC and Connect see `which-style.ts`. @param watchOf loads its
 * watch. @param onFault called when it could not start
 */
export async function serveOn(
  port: OpenedPort,
  name: string,
  service: Service,
  options: Omit<ServeOptions, "sharedPort">,
  watchOf: () => Promise<RequestWatch | undefined> = async () => options.watch,
  onFault: (thrown: unknown) => void = () => undefined,
): Promise<LateService> {
  requireCodecs(service.contract);
  const stack = sharingStack(name);
  const { style, endpoint, health, documentPaths } = await loadStack(stack.name);
  const part = port.part(style);
  part.documents = documentPaths;
  let current = service;
  const load = async (): Promise<ServedService> => {
    const [serve, watch] = await Promise.all([loadServe(stack.name), watchOf()]);
    const served = await serve(current, { ...options, watch, sharedPort: part });
    part.start = undefined;
    return served;
  };
  let started: Promise<ServedService> | undefined;
  const start = (): Promise<ServedService> => {
    started ??= load().catch((thrown: unknown) => {
      // The next request may find another contract.
      started = undefined;
      onFault(thrown);
      throw thrown;
    });
    return started;
  };
  part.start = start;
  const [described = endpoint] = health?.protocol === "http" ? health.path.split("?", 1) : [];
  if (endpoint !== "") part.paths = [endpoint, described];
  return {
    url: `${port.url}${endpoint}`,
    isOnDemand: endpoint !== "",
    start,
    leaveOut: (why) => void (part.start = () => Promise.reject(why)),
    async replace(next) {
      current = next;
      if (started === undefined) return;
      await (await started).replace(next);
      part.start = undefined;
    },
    async close() {
      // One that is not there, or could not start, has only the port.
      const served = await started?.catch(() => undefined);
      await (served ?? port).close();
    },
  };
}
