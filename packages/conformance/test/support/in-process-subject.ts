// A stack without a network: messages are serialised and passed on in the same process. It keeps every promise of a stack,
// so the suite can be tried, and broken clients be made of it, while no socket is involved.
import { fromBinary, toBinary, type DescMessage, type Message } from "@bufbuild/protobuf";
import {
  CallError,
  checkMetadata,
  checkWholeText,
  ServerCall,
  type CallOptions,
  type Client,
  type Contract,
  type Invoke,
  type InvokeStream,
  type Metadata,
  type Service,
} from "@roundtrip/contract";
import { localSubject, type ConformanceSubject } from "../../src/index.ts";

interface Limits {
  readonly maxMessageBytes: number;
  readonly shutdownGraceMs: number;
}

interface UnderWay {
  readonly call: ServerCall;
  readonly cut: (error: CallError) => void;
}

/** Decodes a message. Throws RESOURCE_EXHAUSTED for too many bytes, INVALID_ARGUMENT for malformed ones. */
function received(schema: DescMessage, bytes: Uint8Array, maxBytes: number): Message {
  if (bytes.length > maxBytes) throw new CallError("RESOURCE_EXHAUSTED", "message too large");
  try {
    return fromBinary(schema, bytes);
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", "malformed message", {}, { cause });
  }
}

/** A message as bytes. Throws INVALID_ARGUMENT for values that its types cannot hold. */
function sent(schema: DescMessage, message: Message): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = toBinary(schema, message);
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", "malformed message", {}, { cause });
  }
  checkWholeText(message, bytes);
  return bytes;
}

/** Starts the server's side of a call, and gives what has to happen when the call is over. */
function begin({ timeoutMs, signal, metadata: requestMetadata, onMetadata }: CallOptions): {
  readonly call: ServerCall;
  readonly sendMetadata: () => void;
  readonly over: () => void;
} {
  if (requestMetadata !== undefined) checkMetadata(requestMetadata);
  const call = new ServerCall(timeoutMs, requestMetadata);
  const cancel = () => call.cancel();
  if (signal?.aborted === true) call.cancel();
  signal?.addEventListener("abort", cancel);
  let isSent = false;
  return {
    call,
    sendMetadata() {
      if (isSent) return;
      isSent = true;
      const metadata = new Map(call.metadataToSend());
      onMetadata?.(metadata);
    },
    over: () => signal?.removeEventListener("abort", cancel),
  };
}

/** What listens on a port elsewhere: the calls that are under way, and whether more are taken. */
class InProcessServer {
  readonly #service: Service;
  readonly #limits: Limits;
  readonly #underWay = new Set<UnderWay>();
  #idle: (() => void) | undefined;
  #open = true;

  constructor(service: Service, limits: Limits) {
    this.#service = service;
    this.#limits = limits;
  }

  async answer(operationId: string, request: Uint8Array, call: ServerCall): Promise<Uint8Array> {
    if (!this.#open) throw new CallError("UNAVAILABLE", "the server is gone");
    const operation = this.#service.contract.operation(operationId);
    const { promise: cutOff, reject } = Promise.withResolvers<never>();
    const entry = { call, cut: reject };
    this.#underWay.add(entry);
    try {
      const message = received(operation.input, request, this.#limits.maxMessageBytes);
      const answer = await Promise.race([cutOff, this.#service.call(operation, message, call)]);
      return toBinary(operation.output, answer);
    } finally {
      this.#end(entry);
    }
  }

  async *stream(
    operationId: string,
    requests: AsyncIterable<Uint8Array>,
    call: ServerCall,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    if (!this.#open) throw new CallError("UNAVAILABLE", "the server is gone");
    const operation = this.#service.contract.operation(operationId);
    const { maxMessageBytes } = this.#limits;
    async function* messages(): AsyncGenerator<Message> {
      for await (const request of requests) yield received(operation.input, request, maxMessageBytes);
    }
    let cutOff: CallError | undefined;
    const entry = { call, cut: (error: CallError) => void (cutOff = error) };
    this.#underWay.add(entry);
    try {
      for await (const answer of this.#service.stream(operation, messages(), call)) {
        yield toBinary(operation.output, answer);
      }
    } catch (thrown) {
      throw cutOff ?? thrown;
    } finally {
      this.#end(entry);
    }
  }

  #end(entry: UnderWay): void {
    entry.call.finish();
    this.#underWay.delete(entry);
    if (this.#underWay.size === 0) this.#idle?.();
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

/** The metadata of several answers as that of one. */
function joined(all: readonly Metadata[]): Metadata {
  const together = new Map<string, string>();
  for (const [name, value] of all.flatMap((one) => [...one])) {
    const before = together.get(name);
    together.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return together;
}

function prepareUnary(server: InProcessServer, maxMessageBytes: number): Client["prepare"] {
  return (operation): Invoke =>
    async (request, options = {}) => {
      const { call, sendMetadata, over } = begin(options);
      try {
        const answer = await server.answer(operation.id, sent(operation.input, request), call);
        sendMetadata();
        return received(operation.output, answer, maxMessageBytes);
      } catch (thrown) {
        sendMetadata();
        throw thrown;
      } finally {
        over();
      }
    };
}

function prepareStream(server: InProcessServer, maxMessageBytes: number): Client["prepareStream"] {
  return (operation): InvokeStream =>
    async function* (requests, options = {}) {
      const { call, sendMetadata, over } = begin(options);
      async function* bytes(): AsyncGenerator<Uint8Array> {
        for await (const request of requests) yield sent(operation.input, request);
      }
      try {
        for await (const answer of server.stream(operation.id, bytes(), call)) {
          sendMetadata();
          yield received(operation.output, answer, maxMessageBytes);
        }
        sendMetadata();
      } catch (thrown) {
        sendMetadata();
        throw thrown;
      } finally {
        call.cancel();
        over();
      }
    };
}

/** A client of a server in this process. */
function clientOf(contract: Contract, server: InProcessServer, maxMessageBytes: number): Client {
  const prepare = prepareUnary(server, maxMessageBytes);
  return {
    contract,
    prepare,
    prepareStream: prepareStream(server, maxMessageBytes),
    prepareTogether(operations) {
      const invokes = operations.map((operation) => prepare(operation));
      return async (requests, options = {}) => {
        const heard: Metadata[] = [];
        const each = { ...options, onMetadata: (metadata: Metadata) => void heard.push(metadata) };
        try {
          return await Promise.all(
            invokes.map((invoke, index) => {
              const request = requests[index];
              if (request === undefined) throw new CallError("INVALID_ARGUMENT", "as many requests as operations");
              return invoke(request, each);
            }),
          );
        } finally {
          options.onMetadata?.(joined(heard));
        }
      };
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
    deviations: [],
    misuses: undefined,
    ca: undefined,
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
