// A stack without a network: messages are serialised and handed over in the same process. It keeps every promise of a stack,
// so the suite can be tried, and broken clients be made of it, while no socket is involved.
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { CallError, ServerCall, type Client, type Contract, type Invoke, type Service } from "@roundtrip/contract";
import { localSubject, type ConformanceSubject } from "@roundtrip/contract/conformance";

interface Limits {
  readonly maxMessageBytes: number;
  readonly shutdownGraceMs: number;
}

/** What listens on a port elsewhere: the calls that are under way, and whether more are taken. */
class InProcessServer {
  readonly #service: Service;
  readonly #limits: Limits;
  readonly #underWay = new Set<{ readonly call: ServerCall; readonly cut: (error: CallError) => void }>();
  #idle: (() => void) | undefined;
  #open = true;

  constructor(service: Service, limits: Limits) {
    this.#service = service;
    this.#limits = limits;
  }

  async answer(operationId: string, request: Uint8Array, call: ServerCall): Promise<Uint8Array> {
    if (!this.#open) throw new CallError("UNAVAILABLE", "the server is gone");
    if (request.length > this.#limits.maxMessageBytes) throw new CallError("RESOURCE_EXHAUSTED", "request too large");
    const operation = this.#service.contract.operation(operationId);
    const { promise: cutOff, reject } = Promise.withResolvers<never>();
    const entry = { call, cut: reject };
    this.#underWay.add(entry);
    try {
      const message = fromBinary(operation.input, request);
      const answer = await Promise.race([cutOff, this.#service.call(operation, message, call)]);
      return toBinary(operation.output, answer);
    } finally {
      call.finish();
      this.#underWay.delete(entry);
      if (this.#underWay.size === 0) this.#idle?.();
    }
  }

  async close(): Promise<void> {
    this.#open = false;
    if (this.#underWay.size === 0) return;
    await new Promise<void>((resolve) => {
      const cutOff = setTimeout(() => {
        for (const { call, cut } of this.#underWay) {
          cut(new CallError("UNAVAILABLE", "the server is gone"));
          call.cancel();
        }
      }, this.#limits.shutdownGraceMs);
      this.#idle = () => {
        clearTimeout(cutOff);
        resolve();
      };
    });
  }
}

/** A client of a server in this process. */
function clientOf(contract: Contract, server: InProcessServer, maxMessageBytes: number): Client {
  const prepare: Client["prepare"] = (operation): Invoke => {
    return async (request, { timeoutMs, signal } = {}) => {
      const call = new ServerCall(timeoutMs);
      const cancel = () => call.cancel();
      if (signal?.aborted === true) call.cancel();
      signal?.addEventListener("abort", cancel);
      try {
        const answer = await server.answer(operation.id, toBinary(operation.input, request), call);
        if (answer.length > maxMessageBytes) throw new CallError("RESOURCE_EXHAUSTED", "response too large");
        return fromBinary(operation.output, answer);
      } finally {
        signal?.removeEventListener("abort", cancel);
      }
    };
  };
  return {
    prepare,
    prepareStream: () => () => {
      throw new CallError("UNIMPLEMENTED", "calls in this process do not stream");
    },
    prepareTogether(operations) {
      const invokes = operations.map((operation) => prepare(operation));
      return (requests, options) =>
        Promise.all(
          invokes.map((invoke, index) => {
            const request = requests[index];
            if (request === undefined) throw new CallError("INVALID_ARGUMENT", "as many requests as operations");
            return invoke(request, options);
          }),
        );
    },
    close: () => Promise.resolve(),
  };
}

/** The suite's subject for a service in this process. `breaking` makes a broken client of a good one. */
export function inProcessSubject(
  service: Service,
  breaking: (client: Client) => Client = (client) => client,
): ConformanceSubject {
  const servers = new Map<string, InProcessServer>();
  return localSubject({
    name: "in-process",
    limitations: [],
    service,
    serve: (one, limits) => {
      const url = `in-process:${servers.size}`;
      const server = new InProcessServer(one, limits);
      servers.set(url, server);
      return Promise.resolve({ url, close: () => server.close() });
    },
    connect: (contract, url, { maxMessageBytes }) => {
      const server = servers.get(url);
      if (server === undefined) throw new CallError("UNAVAILABLE", `nothing listens on ${url}`);
      return Promise.resolve(breaking(clientOf(contract, server, maxMessageBytes)));
    },
  });
}
