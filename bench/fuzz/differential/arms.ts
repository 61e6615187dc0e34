// The same service on every stack that supports a style, each called by its own client over a real socket.
import type { Message } from "@bufbuild/protobuf";
import {
  type CallContext,
  CallError,
  type CallOptions,
  type Client,
  type Contract,
  type Handler,
  type Metadata,
  type Operation,
  type Service,
  type StreamHandler,
} from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { type Stack, connectDefaults, loadConnect, loadServe, loadStack, serveDefaults } from "@roundtrip/stacks";
import { memoryClient } from "@roundtrip/stacks/memory";
import type { Limitation } from "@roundtrip/styles";
import { type KnownLimit, loadFuzzedStyle } from "../fuzzed-style.ts";
import { messageLines, metadataLines } from "./lines.ts";
import type { Sample } from "./sample.ts";

/** Numbers the sample: the call of a caller that gave up may begin at the server after the next sample has begun. */
const numberName = "sample-number";

/** Handlers that reply as the sample says and record what they receive. */
class RecordingHandlers {
  #number = 0;
  #sample: Sample | undefined;
  #lines: [string, string][] = [];
  readonly #registry: Contract["registry"];

  constructor({ registry }: Contract) {
    this.#registry = registry;
  }

  /** Starts a sample. Returns the metadata to send with its call. */
  begin(sample: Sample): Metadata {
    this.#number += 1;
    this.#sample = sample;
    this.#lines = [];
    return new Map([...sample.metadata, [numberName, String(this.#number)]]);
  }

  get received(): readonly [string, string][] {
    return this.#lines;
  }

  /** The reply, and the recorder of requests of this call: a stream may continue after its caller has the answer. */
  #begun({ metadata, answerMetadata }: CallContext) {
    const [sample, lines] = [this.#sample, this.#lines];
    if (sample === undefined) throw new CallError("INTERNAL", "unexpected call");
    const number = metadata.get(numberName);
    if (number !== undefined && number !== String(this.#number)) throw new CallError("CANCELLED", "an earlier call");
    lines.push(...metadataLines("metadata", metadata, [...sample.metadata.keys()]));
    for (const [name, value] of sample.reply.metadata) answerMetadata.set(name, value);
    const record = (index: number, request: Message): void => {
      lines.push(...messageLines(`request[${index}]`, sample.operation.input, request, this.#registry));
    };
    return { ...sample, record };
  }

  readonly unary: Handler = (request, context) => {
    const { reply, record } = this.#begun(context);
    record(0, request);
    const [answer] = reply.answers;
    if (answer === undefined) throw reply.error ?? new CallError("INTERNAL", "a reply without an answer");
    return answer;
  };

  readonly stream: StreamHandler = (requests, context) => this.#stream(requests, context);

  async *#stream(requests: AsyncIterable<Message>, context: CallContext): AsyncGenerator<Message> {
    const { operation, reply, record } = this.#begun(context);
    const reads = operation.kind === "server_streaming" ? 1 : reply.reads;
    let index = 0;
    if (reads > 0) {
      for await (const request of requests) {
        record(index, request);
        index += 1;
        if (index >= reads) break;
      }
    }
    yield* reply.answers;
    if (reply.error !== undefined) throw reply.error;
  }
}

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
  outcomeOf(sample: Sample): Promise<Outcome>;
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

/** Makes the call and returns what the caller receives. */
async function callerLines(caller: Callable, sample: Sample, { registry }: Contract): Promise<[string, string][]> {
  const { operation, requests, metadata, reply } = sample;
  const lines: [string, string][] = [];
  const onMetadata = (received: Metadata): void => {
    lines.push(...metadataLines("answer metadata", received, [...reply.metadata.keys()]));
  };
  const options: CallOptions = { timeoutMs: patienceMs, metadata, onMetadata };
  try {
    let answers: AsyncIterable<Message> | Iterable<Message>;
    const [request] = requests;
    if (operation.kind !== "unary") answers = caller.prepareStream(operation)(requests, options);
    else if (request === undefined) throw new Error("an operation of one message is asked without any");
    else answers = [await caller.prepare(operation)(request, options)];
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
  described: Omit<Arm, "outcomeOf" | "close">,
  contract: Contract,
  start: (service: Service) => Promise<Callable>,
): Promise<Arm> {
  const handlers = new RecordingHandlers(contract);
  const { unary, stream } = handlers;
  const service = serviceOf(
    contract,
    new Map(contract.operations.map(({ id, kind }) => [id, kind === "unary" ? unary : stream])),
  );
  const caller = await start(service);
  return {
    ...described,
    close: () => caller.close(),
    async outcomeOf(sample) {
      const metadata = handlers.begin(sample);
      const received = await callerLines(caller, { ...sample, metadata }, contract);
      return new Map([...handlers.received, ...received]);
    },
  };
}

/** The service called in this process, without a socket: the reference for all stacks. */
export function referenceArm(contract: Contract): Promise<Arm> {
  const described = { stackName: "reference", style: "none", carries: () => true, carriesMetadata: true, limits: [] };
  return armOf(described, contract, (service) => Promise.resolve(memoryClient(() => service)));
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
  const lacks = (needed: Limitation["feature"] | undefined): boolean =>
    limitations.some(({ feature }) => feature === needed);
  const described = {
    stackName: name,
    style,
    carries: ({ kind }: Operation) => !lacks(features[kind]),
    carriesMetadata: !lacks("metadata"),
    limits: (await loadFuzzedStyle(style)).knownLimits,
  };
  return armOf(described, contract, async (service) => {
    const server = await serve(service, { ...serveDefaults, shutdownGraceMs: 100 });
    const client = await connect(contract, { ...connectDefaults, url: server.url });
    const close = async (): Promise<void> => {
      await client.close();
      await server.close();
    };
    return {
      prepare: (operation) => client.prepare(operation),
      prepareStream: (operation) => client.prepareStream(operation),
      close,
    };
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
