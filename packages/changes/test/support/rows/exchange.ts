// A client of the contract before calls a server of the contract after, in one style, over sockets, and says what did not arrive.
import { strictReader } from "../plain-graphql.ts";
import { relayTo } from "../relay.ts";
import { failingDocument } from "./graphql-documents.ts";
import type { ChangeVerdict } from "../../../src/index.ts";
import { create, fromJson, toJson, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import type { Client, Contract, Handler, Operation, StreamHandler } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { connectDefaults, loadConnect, loadServe, serveDefaults } from "@roundtrip/stacks";
import { isDeepStrictEqual } from "node:util";

/** One message as ProtoJSON, or the list of a stream's: in the words of the contract before, and the same in those of the contract after. */
export interface Words {
  readonly before: JsonValue;
  /** Undefined if the contract after cannot say it. */
  readonly after: JsonValue | undefined;
}

/** What one direction is tried with. */
export interface Probes {
  /** Ordinary values: if one does not arrive, the change breaks. */
  readonly values: readonly Words[];
  /** Values at the edge of a type, and values that are new: if one does not arrive, the change may break. */
  readonly edges: readonly Words[];
}

export interface Finding {
  readonly verdict: ChangeVerdict;
  readonly why: string | undefined;
}

const stackOf = {
  grpc: "grpc-js",
  rest: "rest-express",
  "json-rpc": "json-rpc-2",
  soap: "soap-node-http",
  graphql: "graphql-apollo",
  connect: "connect-node",
} as const;

export type TriedStyle = keyof typeof stackOf;

export const triedStyles = Object.keys(stackOf) as readonly TriedStyle[];

interface Call {
  readonly requests: readonly Message[];
  /** What the handler has to receive; undefined for anything. */
  readonly arrives: readonly unknown[] | undefined;
  readonly answers: readonly Message[];
  /** The answers as the contract before writes them. */
  readonly reads: readonly JsonValue[];
}

/** ProtoJSON as the contract writes it; as it is where the contract cannot read it. */
function written(type: DescMessage, json: JsonValue, { registry }: Contract): JsonValue {
  try {
    return toJson(type, fromJson(type, json, { registry }), { registry });
  } catch {
    return json;
  }
}

/** Whether all that `part` has is in `whole`; an empty or absent value is the same. */
function includes(whole: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return isDeepStrictEqual(whole, part);
  const members = (typeof whole === "object" ? whole : null) as Readonly<Record<string, unknown>> | null;
  return Object.entries(part).every(([name, value]) => includes(members?.[name], value));
}

function inOrder(json: JsonValue): readonly JsonValue[] {
  return Array.isArray(json) ? json : [json];
}

/** What a reader of plain JSON finds wrong with the body of an answer. */
type PlainReader = (operation: Operation, body: string, reads: JsonValue) => string | undefined;

function plainReader(style: "rest" | "json-rpc"): PlainReader {
  return ({ bindings, output }, body, reads) => {
    const json = JSON.parse(body) as unknown;
    const message = style === "json-rpc" ? (json as { readonly result: unknown }).result : json;
    const field = output.fields.find(({ name }) => style === "rest" && name === bindings[0].responseBody);
    const part = field === undefined ? reads : ((reads as Record<string, JsonValue>)[field.jsonName] ?? {});
    return includes(message, part) ? undefined : `${JSON.stringify(part)} is ${body} in JSON`;
  };
}

async function readerOf(style: TriedStyle, before: Contract): Promise<PlainReader | undefined> {
  if (style === "rest" || style === "json-rpc") return plainReader(style);
  if (style !== "graphql") return undefined;
  const isAsSchemaSays = await strictReader(before);
  return (_, body, reads) => isAsSchemaSays(body, reads);
}

async function answersOf(client: Client, operation: Operation, requests: readonly Message[]): Promise<Message[]> {
  const options = { timeoutMs: 30_000 };
  const [request] = requests;
  if (operation.kind !== "unary") return Array.fromAsync(client.prepareStream(operation)(requests, options));
  return request === undefined ? [] : [await client.prepare(operation)(request, options)];
}

export interface ExchangeOptions {
  readonly style: TriedStyle;
  readonly before: Contract;
  readonly after: Contract;
  /** The names that operations have after, by those before; without an entry, the same. */
  readonly moved?: Readonly<Record<string, string>>;
  /** Settings of the client. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** One server of the contract after and one client of the contract before. */
export class Exchange implements AsyncDisposable {
  readonly #ends: (() => Promise<unknown>)[] = [];
  readonly #options: ExchangeOptions;
  #received: readonly [operation: Operation | undefined, messages: readonly Message[]] = [undefined, []];
  #answers: readonly Message[] = [];
  /** The same with a server of the contract before: what fails there fails without the change. Started when a call fails. */
  #control: Exchange | undefined;
  #try: ((operation: Operation, call: Call) => Promise<string | undefined>) | undefined;

  private constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  static async open(options: ExchangeOptions): Promise<Exchange> {
    const exchange = new Exchange(options);
    await exchange.#start();
    return exchange;
  }

  #handlerOf(operation: Operation): Handler | StreamHandler {
    const answers = (): readonly Message[] => (this.#answers.length > 0 ? this.#answers : [create(operation.output)]);
    if (operation.kind === "unary")
      return (request: Message) => {
        this.#received = [operation, [request]];
        return answers()[0] ?? create(operation.output);
      };
    const receive = async (requests: AsyncIterable<Message>): Promise<void> => {
      this.#received = [operation, await Array.fromAsync(requests)];
    };
    return async function* (requests: AsyncIterable<Message>) {
      await receive(requests);
      yield* answers();
    };
  }

  #after(operation: Operation): Operation | undefined {
    const { after, moved = {} } = this.#options;
    return after.operations.find(({ id }) => id === (moved[operation.id] ?? operation.id));
  }

  async #start(): Promise<void> {
    const { style, before, after, settings = {} } = this.#options;
    const handlers = after.operations.map((operation) => [operation.id, this.#handlerOf(operation)] as const);
    const [serve, connect] = await Promise.all([loadServe(stackOf[style]), loadConnect(stackOf[style])]);
    const server = await serve(serviceOf(after, new Map(handlers)), serveDefaults);
    this.#ends.unshift(() => server.close());
    const read = await readerOf(style, before);
    const relay = read === undefined ? undefined : await relayTo(server.url);
    if (relay !== undefined) this.#ends.unshift(() => relay.close());
    const client = await connect(before, { ...connectDefaults, url: relay?.url ?? server.url, settings });
    this.#ends.unshift(() => client.close());
    this.#try = async (operation, { requests, arrives, answers, reads }) => {
      this.#received = [undefined, []];
      this.#answers = answers;
      const responses = await answersOf(client, operation, requests);
      const [called, messages] = this.#received;
      if (called === undefined || called !== this.#after(operation)) return "another operation was called";
      const received = messages.map((message) => toJson(called.input, message, { registry: after.registry }));
      if (arrives !== undefined && !isDeepStrictEqual(received, arrives))
        return `${JSON.stringify(arrives)} arrived as ${JSON.stringify(received)}`;
      const all = responses.map((response) => toJson(operation.output, response, { registry: before.registry }));
      if (all.length !== reads.length || !reads.every((expected, index) => includes(all[index], expected)))
        return `${JSON.stringify(reads)} was read as ${JSON.stringify(all)}`;
      const isPlain = operation.kind === "unary" && relay?.seen.type.startsWith("application/") === true;
      return isPlain ? read?.(operation, relay.seen.body, reads[0] ?? null) : undefined;
    };
  }

  #callOf(operation: Operation, isSent: boolean, words: Words): Call {
    const { before, after } = this.#options;
    const now = this.#after(operation);
    const [older, newer] = [{ registry: before.registry }, { registry: after.registry }];
    if (isSent) {
      const requests = inOrder(words.before).map((json) => fromJson(operation.input, json, older));
      const isKnown = words.after !== undefined && now !== undefined;
      const arrives = isKnown ? inOrder(words.after).map((json) => written(now.input, json, after)) : undefined;
      return { requests, arrives, answers: [], reads: [{}] };
    }
    return {
      requests: [create(operation.input)],
      arrives: undefined,
      answers: now === undefined ? [] : inOrder(words.after ?? {}).map((json) => fromJson(now.output, json, newer)),
      reads: inOrder(words.before).map((json) => written(operation.output, json, before)),
    };
  }

  async #failure(operation: Operation, isSent: boolean, words: Words): Promise<string | undefined> {
    try {
      return await this.#try?.(operation, this.#callOf(operation, isSent, words));
    } catch (thrown) {
      return (thrown as Error).message;
    }
  }

  async #byCalls(operation: Operation, isSent: boolean, { values, edges }: Probes): Promise<Finding> {
    for (const [verdict, tried] of [
      ["breaks", values],
      ["may break", edges],
    ] as const) {
      for (const words of tried) {
        // One at a time: what the handler received belongs to the call that was just made.
        // oxlint-disable-next-line no-await-in-loop
        const why = await this.#failure(operation, isSent, words);
        if (why === undefined && words.after !== undefined) continue;
        // oxlint-disable-next-line no-await-in-loop
        if (!(await this.#isPossible(operation, isSent, words))) continue;
        const sample = JSON.stringify(words.before);
        return why === undefined
          ? { verdict: "may break", why: `${sample} is lost` }
          : { verdict, why: `${sample}: ${why}` };
      }
    }
    return { verdict: "safe", why: undefined };
  }

  /** Whether the call works without the change. */
  async #isPossible(operation: Operation, isSent: boolean, { before: words }: Words): Promise<boolean> {
    const { before, after } = this.#options;
    if (before === after) return true;
    this.#control ??= await Exchange.open({ ...this.#options, after: before, moved: {} });
    const failure = this.#control.#failure(operation, isSent, { before: words, after: words });
    return (await failure) === undefined;
  }

  /** What happens to callers of an operation that send such requests, or receive such answers. */
  async decide(operation: Operation, direction: "sent" | "received", probes: Probes): Promise<Finding> {
    const found = await this.#byCalls(operation, direction === "sent", probes);
    if (found.verdict !== "safe" || this.#options.style !== "graphql") return found;
    const why = await failingDocument(this.#options, operation, direction);
    return why === undefined ? found : { verdict: "may break", why };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#control?.[Symbol.asyncDispose]();
    // oxlint-disable-next-line no-await-in-loop
    for (const end of this.#ends) await end();
  }
}

/** Settings of the clients of a style: Connect sends binary messages, or JSON. */
function clientsOf(style: TriedStyle): readonly Readonly<Record<string, string>>[] {
  return style === "connect" ? [{}, { encoding: "json" }] : [{}];
}

export class Experiment implements AsyncDisposable {
  readonly #exchanges: readonly Exchange[];

  private constructor(exchanges: readonly Exchange[]) {
    this.#exchanges = exchanges;
  }

  static async open(options: Omit<ExchangeOptions, "settings">): Promise<Experiment> {
    const clients = clientsOf(options.style);
    return new Experiment(await Promise.all(clients.map((settings) => Exchange.open({ ...options, settings }))));
  }

  /** What happens to callers of an operation that send such requests, or receive such answers. What only another client than the first finds may break. */
  async decide(operation: Operation, direction: "sent" | "received", probes: Probes): Promise<Finding> {
    const all = this.#exchanges.map((exchange) => exchange.decide(operation, direction, probes));
    const [first, ...others] = await Promise.all(all);
    if (first === undefined) throw new Error("a style has a client");
    const other = others.find(({ verdict }) => verdict !== "safe");
    return first.verdict === "safe" && other !== undefined ? { ...other, verdict: "may break" } : first;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#exchanges.map((exchange) => exchange[Symbol.asyncDispose]()));
  }
}
