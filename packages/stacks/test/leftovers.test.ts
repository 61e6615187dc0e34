// Nothing stays behind on a server after calls that were refused, not implemented, failed or abandoned: no timer, no socket, no stream, no call.
// Each kind of method is called 20 times; `LEFTOVER_CALLS=200 vitest run packages/stacks/test/leftovers.test.ts` makes 200 calls of it.
import { create, type Message } from "@bufbuild/protobuf";
import {
  CallError,
  type CallOptions,
  type Client,
  type Handler,
  type Operation,
  type ServerCall,
  type Service,
  type StreamHandler,
} from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { createHook } from "node:async_hooks";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allStacks, connectTo, loadServe, loadStack, serveDefaults, type ServedService } from "../src/index.ts";
import { compileContract } from "./support/compile-contract.ts";

const calls = Number(process.env["LEFTOVER_CALLS"] ?? 20);
const callsAtOnce = 10;
const maxMessageBytes = 64 * 1024;

const methodsNamed = (name: string): string => `
  rpc ${name}Call(Item) returns (Item);
  rpc ${name}Download(Item) returns (stream Item);
  rpc ${name}Upload(stream Item) returns (Item);
  rpc ${name}Chat(stream Item) returns (stream Item);`;

function contractWith(...names: readonly string[]) {
  return compileContract(`
syntax = "proto3";
package leftovers.v1;
import "buf/validate/validate.proto";
service Leftovers {${names.map(methodsNamed).join("")}
}
message Item {
  string text = 1 [(buf.validate.field).string.max_len = 10];
  bytes body = 2;
}
`);
}

const served = contractWith("Served", "Unwritten");
const known = contractWith("Served", "Unwritten", "Removed");
const [{ input: itemType }] = served.operations as [Operation];
const never = new Promise<never>(() => {});

function itemOf(text: string, body = new Uint8Array()): Message {
  return create(itemType, { text, body });
}

async function answerAs(request: Message): Promise<void> {
  const { text } = request as Message & { readonly text: string };
  if (text === "fails") throw new Error("a fault of the server");
  if (text === "refuses") throw new CallError("NOT_FOUND", "it does not exist");
  if (text === "waits") await never;
}

const unary: Handler = async (request) => {
  await answerAs(request);
  return request;
};

const stream: StreamHandler = async function* (requests) {
  for await (const request of requests) {
    await answerAs(request);
    yield request;
  }
};

/** Refuses calls as their metadata says: at once, after a turn of the event loop, or after a time that never comes. */
async function judge({ metadata }: ServerCall): Promise<void> {
  const when = metadata.get("x-refused");
  if (when === "later") await turn();
  if (when === "never") await never;
  if (when !== undefined) throw new CallError("UNAUTHENTICATED", "the call needs a valid bearer token");
}

function judging(service: Service): Service {
  return {
    contract: service.contract,
    guard: (other) => other,
    call(operation, request, call) {
      if (call.metadata.get("x-refused") === "at once") throw new CallError("UNAUTHENTICATED", "refused at once");
      return judge(call).then(() => service.call(operation, request, call));
    },
    async *stream(operation, requests, call) {
      await judge(call);
      yield* service.stream(operation, requests, call);
    },
  };
}

const service = judging(
  serviceOf(
    served,
    new Map(
      served.operations
        .filter(({ method }) => method.name.startsWith("Served"))
        .map(({ id, kind }) => [id, kind === "unary" ? unary : stream]),
    ),
  ),
);

interface Refusal {
  /** The error of a unary call. */
  readonly code: string;
  readonly methods?: "Unwritten" | "Removed";
  readonly refused?: "at once" | "later" | "never";
  readonly request?: Message;
  readonly timeoutMs?: number;
  /** The caller leaves after so many turns of the event loop: the number of the call. */
  readonly leaves?: boolean;
}

/** Long enough to be noticed if it outlives its call. */
const hourMs = 3_600_000;

const refusals: Readonly<Record<string, Refusal>> = {
  answered: { code: "OK", timeoutMs: hourMs },
  "refused at once": { code: "UNAUTHENTICATED", refused: "at once", timeoutMs: hourMs },
  "refused later": { code: "UNAUTHENTICATED", refused: "later", timeoutMs: hourMs },
  "not implemented": { code: "UNIMPLEMENTED", methods: "Unwritten", timeoutMs: hourMs },
  "of no method": { code: "UNIMPLEMENTED", methods: "Removed", timeoutMs: hourMs },
  invalid: { code: "INVALID_ARGUMENT", request: itemOf("longer than ten"), timeoutMs: hourMs },
  "too large": {
    code: "RESOURCE_EXHAUSTED",
    request: itemOf("", new Uint8Array(2 * maxMessageBytes)),
    timeoutMs: hourMs,
  },
  "failed by a fault": { code: "INTERNAL", request: itemOf("fails"), timeoutMs: hourMs },
  "failed by an error": { code: "NOT_FOUND", request: itemOf("refuses"), timeoutMs: hourMs },
  "late before the service": { code: "DEADLINE_EXCEEDED", refused: "never", timeoutMs: 3 },
  "late in the service": { code: "DEADLINE_EXCEEDED", request: itemOf("waits"), timeoutMs: 3 },
  "abandoned before the service": { code: "CANCELLED", refused: "never", timeoutMs: hourMs, leaves: true },
  "abandoned in the service": { code: "CANCELLED", request: itemOf("waits"), timeoutMs: hourMs, leaves: true },
};

/** Requests of a caller that sends another one when nobody reads any more, or never ends. */
async function* requestsOf(request: Message, ends: boolean): AsyncGenerator<Message> {
  yield request;
  yield request;
  if (!ends) await never;
}

/** Resolves to the code of a call's error. Half of the request streams of calls that fail never end. */
async function codeOf(client: Client, operation: Operation, refusal: Refusal, number: number): Promise<string> {
  const { refused, request = itemOf(""), timeoutMs, leaves } = refusal;
  const leaving = new AbortController();
  const options: CallOptions = {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(refused === undefined ? {} : { metadata: new Map([["x-refused", refused]]) }),
    signal: leaving.signal,
  };
  if (leaves === true) void leaveAfter(number % 20, leaving);
  try {
    if (operation.kind === "unary") await client.prepare(operation)(request, options);
    else {
      const isStream = operation.kind !== "server_streaming";
      const requests = isStream ? requestsOf(request, number % 2 === 0 || refusal.code === "OK") : [request];
      for await (const _ of client.prepareStream(operation)(requests, options));
    }
  } catch (thrown) {
    return CallError.from(thrown).code;
  }
  return "OK";
}

async function leaveAfter(turns: number, leaving: AbortController): Promise<void> {
  for (let count = 0; count < turns; count += 1) await turn();
  leaving.abort();
}

/** What the event loop of a process waits for, or may: an unref'd timer counts too. */
const countedTypes: ReadonlySet<string> = new Set(["Timeout", "TCPWRAP", "TLSWRAP", "HTTP2SESSION", "HTTP2STREAM"]);

/** Of a process, and of no call, however many there are: the clock of HTTP's Date header, and what a test before ends late. */
const ofProcess = 2;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** The timers, sockets, and streams and sessions of HTTP/2 that this process begins from now on. */
class BegunResources {
  readonly #open = new Map<number, string>();
  readonly #hook = createHook({
    init: (id, type) => {
      if (countedTypes.has(type)) this.#open.set(id, type);
    },
    destroy: (id) => {
      this.#open.delete(id);
    },
  }).enable();

  /** The types of which more are open than a process keeps for itself, when nothing changes any more. */
  async left(): Promise<Readonly<Record<string, number>>> {
    // Sockets are closed a little after the last call: a connection that its caller gave up while others waited to be accepted opens after seconds, by the
    // kernel's retries. The end of a session of HTTP/2 is told when it is collected. Limits of servers are longer than this.
    for (let polls = 0; polls < 1_000 && Object.keys(this.#counts()).length > 0; polls += 1) {
      collectGarbage();
      await sleep(20);
    }
    this.#hook.disable();
    return this.#counts();
  }

  #counts(): Readonly<Record<string, number>> {
    const byType = Map.groupBy(this.#open.values(), (type) => type);
    const counts = [...byType].map(([type, ofType]) => [type, ofType.length] as const);
    return Object.fromEntries(counts.filter(([, count]) => count > ofProcess));
  }
}

/** One stack of each server, with the default client of its style. */
const stacks = [...Map.groupBy(allStacks(), ({ style, server }) => `${style} ${server}`).values()].flatMap((ofServer) =>
  ofServer.slice(0, 1),
);

describe.each(stacks)("$name", ({ name: stackName, style }) => {
  let server: ServedService;

  async function makeCalls(refusal: Refusal, count: number): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const { methods = "Served" } = refusal;
    const client = await connectTo(stackName, known, { url: server.url });
    const codes = new Map<string, Set<string>>();
    for (const operation of known.operations.filter(({ method }) => method.name.startsWith(methods))) {
      const seen = new Set<string>();
      for (let first = 0; first < count; first += callsAtOnce) {
        const numbers = Array.from({ length: Math.min(callsAtOnce, count - first) }, (_, index) => first + index);
        const got = await Promise.all(numbers.map((number) => codeOf(client, operation, refusal, number)));
        for (const code of got) seen.add(code);
      }
      codes.set(operation.kind, seen);
    }
    await client.close();
    return codes;
  }

  beforeAll(async () => {
    const serve = await loadServe(stackName);
    server = await serve(service, { ...serveDefaults, maxMessageBytes });
  });
  afterAll(() => server.close());

  test.for(Object.entries(refusals))("keeps nothing of calls that were %s", async ([, refusal], { skip }) => {
    const { limitations } = await loadStack(stackName);
    skip(refusal.refused !== undefined && limitations.some(({ feature }) => feature === "metadata"));
    // What the first calls make for all later ones.
    await makeCalls(refusal, callsAtOnce);
    const begun = new BegunResources();
    const codes = await makeCalls(refusal, calls);
    expect(await begun.left()).toEqual({});
    // What GraphQL's schema does not have is an invalid document.
    const isInvalid = style === "graphql" && refusal.methods === "Removed";
    expect(codes.get("unary")).toEqual(new Set([isInvalid ? "INVALID_ARGUMENT" : refusal.code]));
  });
});
