// A caller that was built with one contract calls a server of another: real clients and servers over real sockets.
import { create, type Message } from "@bufbuild/protobuf";
import { ServerCall, type Contract, type Handler, type Operation, type StreamHandler } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { connectDefaults, loadConnect, loadServe, serveDefaults } from "@roundtrip/stacks";
import { isDeepStrictEqual } from "node:util";
import { strictReader } from "../plain-graphql.ts";
import { relayTo } from "../relay.ts";
import { jsonViewOf } from "./plain-json.ts";
import { sampleMessage, type Random } from "./sample-message.ts";
import { viewOf, type Renamed } from "./same-values.ts";

const stackOf = {
  grpc: "grpc-js",
  rest: "rest-express",
  graphql: "graphql-apollo",
  "json-rpc": "json-rpc-2",
  soap: "soap-node-http",
  connect: "connect-node",
} as const;

export type CalledStyle = keyof typeof stackOf;

/** The message in the JSON of an answer. */
const messageIn: Readonly<Record<string, (body: unknown) => unknown>> = {
  rest: (body) => body,
  "json-rpc": (body) => (body as { readonly result: unknown }).result,
};

export interface Evidence {
  readonly calls: number;
  /** Why calls failed: an error, or values that arrived as others. */
  readonly failures: readonly string[];
}

interface ContractPair {
  readonly before: Contract;
  readonly after: Contract;
  readonly renamed: Renamed;
}

/** `Service.Method`, whatever the package. */
function shortId({ method }: Operation): string {
  return `${method.parent.name}.${method.name}`;
}

function counterpart(operation: Operation, { after, renamed }: ContractPair): Operation | undefined {
  const id = renamed[shortId(operation)] ?? shortId(operation);
  return after.operations.find((candidate) => shortId(candidate) === id);
}

/** Gives requests that the contract before accepts. */
function acceptedRequests(contract: Contract, random: Random): (operation: Operation) => Promise<Message> {
  const handlers = contract.operations.map(({ id, output }) => [id, () => create(output)] as const);
  const service = serviceOf(contract, new Map(handlers));
  return async (operation) => {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const request = sampleMessage(operation.input, random);
      try {
        // oxlint-disable-next-line no-await-in-loop
        await service.call(operation, request, new ServerCall());
        return request;
      } catch {
        // Refused by the rules: another one.
      }
    }
    throw new Error(`no request of ${operation.id} keeps its rules`);
  };
}

interface Answering {
  received: Message | undefined;
  answer: Message | undefined;
}

/** Handlers that record what they receive, and send the prepared answer: streams send it twice. */
function handlersOf({ after }: ContractPair, state: Answering): ReadonlyMap<string, Handler | StreamHandler> {
  const answered = ({ output }: Operation): Message => state.answer ?? create(output);
  return new Map(
    after.operations.map((operation) => [
      operation.id,
      operation.kind === "unary"
        ? (request: Message) => {
            state.received = request;
            return answered(operation);
          }
        : async function* (requests: AsyncIterable<Message>) {
            for await (const request of requests) state.received = request;
            yield answered(operation);
            yield answered(operation);
          },
    ]),
  );
}

/**
 * Calls every operation of the earlier contract with random values, and returns which calls failed: by an error, or because a value that both
 * contracts have arrived as another one.
 */
export async function callAsBefore(
  exchange: ContractPair,
  style: CalledStyle,
  { random, times }: { readonly random: Random; readonly times: number },
): Promise<Evidence> {
  const { before, after, renamed } = exchange;
  const state: Answering = { received: undefined, answer: undefined };
  const serve = await loadServe(stackOf[style]);
  const connect = await loadConnect(stackOf[style]);
  const server = await serve(serviceOf(after, handlersOf(exchange, state)), serveDefaults);
  const isJson = style === "graphql" || style in messageIn;
  const relay = isJson ? await relayTo(server.url) : undefined;
  const isAsSchemaSays = style === "graphql" ? await strictReader(before) : undefined;
  const client = await connect(before, { ...connectDefaults, url: relay?.url ?? server.url });
  const requestOf = acceptedRequests(before, random);
  const failures: string[] = [];
  let calls = 0;

  const callOnce = async (
    operation: Operation,
    invoke: ReturnType<typeof client.prepare>,
  ): Promise<string | undefined> => {
    const now = counterpart(operation, exchange);
    const request = await requestOf(operation);
    state.received = undefined;
    state.answer = now === undefined ? undefined : sampleMessage(now.output, random);
    const sent = now === undefined ? undefined : viewOf(request, "before", operation.input, now.input, renamed);
    let response: Message;
    try {
      response = await invoke(request, { timeoutMs: 30_000 });
    } catch (thrown) {
      return (thrown as Error).message;
    }
    if (now === undefined || state.received === undefined || state.answer === undefined) return "nobody was asked";
    const arrived = viewOf(state.received, "after", operation.input, now.input, renamed);
    if (!isDeepStrictEqual(arrived, sent)) return `${JSON.stringify(sent)} arrived as ${JSON.stringify(arrived)}`;
    const answered = viewOf(state.answer, "after", operation.output, now.output, renamed);
    const read = viewOf(response, "before", operation.output, now.output, renamed);
    if (!isDeepStrictEqual(read, answered)) return `${JSON.stringify(answered)} was read as ${JSON.stringify(read)}`;
    if (relay === undefined) return undefined;
    try {
      if (isAsSchemaSays !== undefined) return isAsSchemaSays(relay.seen.body);
      const plain = jsonViewOf(messageIn[style]?.(JSON.parse(relay.seen.body)), operation.output, now.output, renamed);
      return isDeepStrictEqual(plain, answered)
        ? undefined
        : `${JSON.stringify(answered)} is ${relay.seen.body} in JSON`;
    } catch (thrown) {
      return (thrown as Error).message;
    }
  };

  try {
    for (const operation of before.operations.filter(({ kind }) => kind === "unary")) {
      const invoke = client.prepare(operation);
      for (let time = 0; time < times; time += 1) {
        calls += 1;
        // One at a time: what a server received belongs to the call that was just made.
        // oxlint-disable-next-line no-await-in-loop
        const failure = await callOnce(operation, invoke);
        if (failure === undefined) continue;
        failures.push(`${operation.id}: ${failure}`);
        // Waiting for an answer that never comes is not worth a second time.
        if (failure.includes("deadline")) break;
      }
    }
  } finally {
    await client.close();
    await relay?.close();
    await server.close();
  }
  return { calls, failures };
}
