// The methods of a server by path: those of its contract, and the standard ones, which are loaded with their first call.
import type { Service } from "@roundtrip/contract";
import { pathOf, standardMethods, streamsRequests, type ServedMethod } from "@roundtrip/styles/grpc/server";

interface ServedMethodsOptions {
  readonly maxRequestMs: number;
  /** Aborted when the server is about to stop: clients that watch its health are notified. */
  readonly stopping: AbortSignal;
}

export class ServedMethods {
  /** The paths whose requests are streams. */
  readonly requestStreams: readonly string[];
  readonly #own: ReadonlyMap<string, ServedMethod>;
  readonly #standardPaths: ReadonlySet<string>;
  readonly #load: () => Promise<ReadonlyMap<string, ServedMethod>>;
  #standard: Promise<ReadonlyMap<string, ServedMethod>> | undefined;

  constructor(service: Service, { maxRequestMs, stopping }: ServedMethodsOptions) {
    const own = service.contract.operations.map((operation) => {
      const path = pathOf(operation);
      return [path, { path, operation, service, maxRequestMs }] as const;
    });
    const standard = standardMethods(service.contract);
    this.#own = new Map(own);
    this.#standardPaths = new Set(standard.map(({ path }) => path));
    this.#load = async () => {
      const { standardAnswers } = await import("@roundtrip/styles/grpc/standard-answers");
      return new Map(standardAnswers(service, stopping).map((method) => [method.path, method]));
    };
    const all = [...own.map(([path, { operation }]) => ({ path, kind: operation.kind })), ...standard];
    this.requestStreams = all.filter(streamsRequests).map(({ path }) => path);
  }

  /** Undefined for an unknown path. */
  get(path: string): ServedMethod | Promise<ServedMethod | undefined> | undefined {
    const own = this.#own.get(path);
    if (own !== undefined || !this.#standardPaths.has(path)) return own;
    return (this.#standard ??= this.#load()).then((methods) => methods.get(path));
  }
}
