// The same service on every stack that supports a style, each called by its own client over a real socket.
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  ServerCall,
  type CallOptions,
  type Client,
  type Contract,
  type Metadata,
  type Operation,
  type Service,
} from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { connectDefaults, loadConnect, loadServe, loadStack, serveDefaults, type Stack } from "@roundtrip/stacks";
import type { Limitation } from "@roundtrip/styles";
import { loadFuzzedStyle, type KnownLimit } from "../fuzzed-style.ts";
import { Handling } from "./handling.ts";
import { messageLines } from "./message-lines.ts";
import { metadataLines } from "./metadata-lines.ts";
import type { Sample } from "./sample.ts";

/** The outcome of one call, as lines: what the handler and the caller received. */
export type Outcome = ReadonlyMap<string, string>;

export interface Arm {
  readonly stackName: string;
  readonly style: string;
  /** False for an operation that the stack declares as unsupported: it must answer UNIMPLEMENTED. */
  readonly carries: (operation: Operation) => boolean;
  readonly carriesMetadata: boolean;
  /** Messages that the style does not support. */
  readonly limits: readonly KnownLimit[];
  /** Calls must not overlap. */
  ask(sample: Sample): Promise<Outcome>;
  close(): Promise<void>;
}

/** Far longer than any answer takes, to distinguish a missing answer from a slow one. */
const patienceMs = 20_000;

function errorLines(error: CallError): [string, string][] {
  const { reason, domain, metadata, violations } = error.details;
  return [
    ["error", error.code],
    ["error.message", JSON.stringify(error.message)],
    ["error.reason", reason],
    ["error.domain", domain],
    ...Object.entries(metadata).map(([key, value]): [string, string] => [
      `error.metadata[${JSON.stringify(key)}]`,
      JSON.stringify(value),
    ]),
    ...violations.map((violation, index): [string, string] => [
      `error.violations[${index}]`,
      JSON.stringify(violation),
    ]),
  ];
}

type Callable = Pick<Client, "prepare" | "prepareStream" | "close">;

async function* inTurn(messages: readonly Message[]): AsyncGenerator<Message> {
  yield* messages;
}

/** Makes the call and returns what the caller receives. */
async function callerLines(call: Callable, sample: Sample, { registry }: Contract): Promise<[string, string][]> {
  const { operation, requests, metadata, reply } = sample;
  const lines: [string, string][] = [];
  const onMetadata = (heard: Metadata): void => {
    lines.push(...metadataLines("answer metadata", heard, [...reply.metadata.keys()]));
  };
  const options: CallOptions = { timeoutMs: patienceMs, metadata, onMetadata };
  try {
    let answers: AsyncIterable<Message> | Iterable<Message>;
    const [request] = requests;
    if (operation.kind !== "unary") answers = call.prepareStream(operation)(inTurn(requests), options);
    else if (request === undefined) throw new Error("an operation of one message is asked without any");
    else answers = [await call.prepare(operation)(request, options)];
    let index = 0;
    for await (const answer of answers) {
      lines.push(...messageLines(`answer[${index}]`, operation.output, answer, registry));
      index += 1;
    }
  } catch (thrown) {
    const unexpected = () => new CallError("UNKNOWN", `no CallError: ${String(thrown)}`);
    lines.push(...errorLines(thrown instanceof CallError ? thrown : unexpected()));
  }
  return lines;
}

async function armOf(
  described: Omit<Arm, "ask" | "close">,
  contract: Contract,
  start: (service: Service) => Promise<Callable>,
): Promise<Arm> {
  const handling = new Handling(contract);
  const { unary, stream } = handling;
  const service = serviceOf(
    contract,
    new Map(contract.operations.map(({ id, kind }) => [id, kind === "unary" ? unary : stream])),
  );
  const call = await start(service);
  return {
    ...described,
    close: () => call.close(),
    async ask(sample) {
      const metadata = handling.begin(sample);
      const received = await callerLines(call, { ...sample, metadata }, contract);
      return new Map([...handling.heard, ...received]);
    },
  };
}

/** Makes a call as a stack does, and passes the metadata to the caller when it is over. */
class DirectCall implements Disposable {
  readonly call: ServerCall;
  readonly #onMetadata: CallOptions["onMetadata"];

  constructor({ metadata, onMetadata }: CallOptions = {}) {
    this.call = new ServerCall(undefined, metadata);
    this.#onMetadata = onMetadata;
  }

  [Symbol.dispose](): void {
    this.#onMetadata?.(this.call.metadataToSend() ?? new Map());
  }
}

function withoutTransport(service: Service): Promise<Callable> {
  return Promise.resolve({
    prepare: (operation) => async (request, options) => {
      using direct = new DirectCall(options);
      return await service.call(operation, request, direct.call);
    },
    prepareStream: (operation) =>
      async function* (requests, options) {
        using direct = new DirectCall(options);
        yield* service.stream(operation, requests as AsyncIterable<Message>, direct.call);
      },
    close: () => Promise.resolve(),
  });
}

/** The service called without a transport: the reference for all stacks. */
export function referenceArm(contract: Contract): Promise<Arm> {
  const described = { stackName: "reference", style: "none", carries: () => true, carriesMetadata: true, limits: [] };
  return armOf(described, contract, withoutTransport);
}

const features = {
  unary: undefined,
  server_streaming: "serverStream",
  client_streaming: "clientStream",
  bidi_streaming: "bidiStream",
} as const satisfies Record<Operation["kind"], Limitation["feature"] | undefined>;

async function stackArm({ name, style, limitations }: Stack, contract: Contract): Promise<Arm> {
  const serve = await loadServe(name);
  const connect = await loadConnect(name);
  const lacks = (wanted: Limitation["feature"] | undefined): boolean =>
    limitations.some(({ feature }) => feature === wanted);
  const described = {
    stackName: name,
    style,
    carries: ({ kind }: Operation) => !lacks(features[kind]),
    carriesMetadata: !lacks("metadata"),
    limits: (await loadFuzzedStyle(style)).knownLimits.calls,
  };
  return armOf(described, contract, async (service) => {
    const server = await serve(service, { ...serveDefaults, shutdownGraceMs: 100 });
    const client = await connect(contract, { ...connectDefaults, url: server.url });
    const close = async (): Promise<void> => {
      await client.close();
      await server.close();
    };
    return { prepare: (one) => client.prepare(one), prepareStream: (one) => client.prepareStream(one), close };
  });
}

export async function stackArms(contract: Contract, names: readonly string[]): Promise<readonly Arm[]> {
  const stacks = await Promise.all(names.map((name) => loadStack(name)));
  const arms: Arm[] = [];
  try {
    for (const stack of stacks) arms.push(await stackArm(stack, contract));
  } catch (thrown) {
    await Promise.all(arms.map((arm) => arm.close()));
    throw thrown;
  }
  return arms;
}
