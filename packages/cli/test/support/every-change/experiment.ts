// Decides by calls what a change of a contract breaks: clients of the contract before call a server of the contract after, in one style, over sockets.
import { create, fromJson, toJson, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import type { Contract, Handler, Operation } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { connectDefaults, loadConnect, loadServe, serveDefaults } from "@roundtrip/stacks";
import type { ChangeVerdict } from "@roundtrip/styles";
import { isDeepStrictEqual } from "node:util";
import { strictReader } from "../check/plain-graphql.ts";
import { relayTo } from "../check/relay.ts";
import { failingDocument } from "./graphql-documents.ts";

const stackOf = {
  grpc: "grpc-js",
  rest: "rest-express",
  "json-rpc": "json-rpc-2",
  soap: "soap-node-http",
  graphql: "graphql-apollo",
} as const;

export type TriedStyle = keyof typeof stackOf;

/** One message as ProtoJSON: in the words of the contract before, and the same in those of the contract after. */
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

/** Whether an experiment allows a verdict of `check`: what fails at the edge of a type may be called either. */
export function allows(tried: ChangeVerdict, verdict: ChangeVerdict): boolean {
  if (tried === "breaks") return verdict === "breaks";
  return tried === "may break" ? verdict !== "safe" : verdict !== "breaks";
}

interface Call {
  readonly request: Message;
  /** What the handler has to receive; undefined for anything. */
  readonly arrives: unknown;
  readonly answer: Message;
  /** The answer as the contract before writes it. */
  readonly reads: JsonValue;
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

/** The message in the body of an answer, where readers of plain JSON find it. */
function plainAnswer(style: TriedStyle, body: string): unknown {
  const json = JSON.parse(body) as unknown;
  return style === "json-rpc" ? (json as { readonly result: unknown }).result : json;
}

function partOf(answer: JsonValue, { bindings, output }: Operation): JsonValue {
  const field = output.fields.find(({ name }) => name === bindings[0].responseBody);
  return field === undefined ? answer : ((answer as Record<string, JsonValue>)[field.jsonName] ?? {});
}

function sameWords({ before }: Words): Words {
  return { before, after: before };
}

/** One server of the contract after and one client of the contract before. */
export class Exchange implements AsyncDisposable {
  readonly #ends: (() => Promise<unknown>)[] = [];
  #received: Message | undefined;
  #answer: Message | undefined;
  /** The same with a server of the contract before: what fails there fails without the change. */
  #control: Exchange | undefined;
  #try: ((operation: Operation, call: Call) => Promise<string | undefined>) | undefined;

  readonly style: TriedStyle;
  readonly before: Contract;
  readonly after: Contract;

  private constructor(style: TriedStyle, before: Contract, after: Contract) {
    this.style = style;
    this.before = before;
    this.after = after;
  }

  static async open(style: TriedStyle, before: Contract, after: Contract): Promise<Exchange> {
    const exchange = new Exchange(style, before, after);
    await exchange.#start();
    if (before !== after) exchange.#control = await Exchange.open(style, before, before);
    return exchange;
  }

  async #start(): Promise<void> {
    const { style, before, after } = this;
    const handlers = after.operations.map(({ id, output, kind }): [string, Handler] => [
      id,
      (request: Message) => {
        if (kind !== "unary") throw new Error("streams are not tried");
        this.#received = request;
        return this.#answer ?? create(output);
      },
    ]);
    const [serve, connect] = await Promise.all([loadServe(stackOf[style]), loadConnect(stackOf[style])]);
    const server = await serve(serviceOf(after, new Map(handlers)), serveDefaults);
    this.#ends.unshift(() => server.close());
    const relay = style === "grpc" || style === "soap" ? undefined : await relayTo(server.url);
    if (relay !== undefined) this.#ends.unshift(() => relay.close());
    const client = await connect(before, { ...connectDefaults, url: relay?.url ?? server.url });
    this.#ends.unshift(() => client.close());
    const isAsSchemaSays = style === "graphql" ? await strictReader(before) : undefined;
    this.#try = async (operation, { request, arrives, answer, reads }) => {
      this.#received = undefined;
      this.#answer = answer;
      const response = await client.prepare(operation)(request, { timeoutMs: 3000 });
      const now = after.operations.find(({ id }) => id === operation.id);
      if (this.#received === undefined || now === undefined) return "another operation was called";
      const received = toJson(now.input, this.#received as Message, { registry: after.registry });
      if (arrives !== undefined && !isDeepStrictEqual(received, arrives))
        return `${JSON.stringify(arrives)} arrived as ${JSON.stringify(received)}`;
      const read = toJson(operation.output, response, { registry: before.registry });
      if (!includes(read, reads)) return `${JSON.stringify(reads)} was read as ${JSON.stringify(read)}`;
      if (relay === undefined) return undefined;
      if (isAsSchemaSays !== undefined) return isAsSchemaSays(relay.seen.body);
      const part = style === "rest" ? partOf(reads, operation) : reads;
      return includes(plainAnswer(style, relay.seen.body), part)
        ? undefined
        : `${JSON.stringify(part)} is ${relay.seen.body} in JSON`;
    };
  }

  async #failure(operation: Operation, call: () => Call): Promise<string | undefined> {
    try {
      return await this.#try?.(operation, call());
    } catch (thrown) {
      return (thrown as Error).message;
    }
  }

  /** What happens to callers of an operation that send such requests, or receive such answers. */
  async decide(operation: Operation, direction: "sent" | "received", probes: Probes): Promise<Finding> {
    const found = await this.#byCalls(operation, direction, probes);
    if (found.verdict !== "safe" || this.style !== "graphql") return found;
    const why = await failingDocument(this, operation, direction);
    return why === undefined ? found : { verdict: "may break", why };
  }

  async #byCalls(operation: Operation, direction: "sent" | "received", { values, edges }: Probes): Promise<Finding> {
    const now = this.after.operations.find(({ id }) => id === operation.id);
    const control = this.#control;
    const isSent = direction === "sent";
    const call = (words: Words) => (): Call => {
      if (now === undefined) throw new Error("its operation is gone");
      const nothing = { before: {}, after: undefined };
      const [request, answer] = isSent ? [words, { before: {}, after: {} }] : [nothing, words];
      const [older, newer] = [{ registry: this.before.registry }, { registry: this.after.registry }];
      return {
        request: fromJson(operation.input, request.before, older),
        arrives: request.after === undefined ? undefined : written(now.input, request.after, this.after),
        answer: fromJson(now.output, answer.after ?? {}, newer),
        reads: written(operation.output, answer.before, this.before),
      };
    };
    for (const [verdict, tried] of [
      ["breaks", values],
      ["may break", edges],
    ] as const) {
      for (const words of tried) {
        // One at a time: what the handler received belongs to the call that was just made.
        // oxlint-disable-next-line no-await-in-loop
        const why = await this.#failure(operation, call(words));
        if (why === undefined && words.after !== undefined) continue;
        const possible = { values: [sameWords(words)], edges: [] };
        // oxlint-disable-next-line no-await-in-loop
        if ((await control?.decide(operation, direction, possible))?.verdict === "breaks") continue;
        if (why !== undefined) return { verdict, why: `${JSON.stringify(words.before)}: ${why}` };
        return { verdict: "may break", why: `${JSON.stringify(words.before)} is lost` };
      }
    }
    return { verdict: "safe", why: undefined };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#control?.[Symbol.asyncDispose]();
    // oxlint-disable-next-line no-await-in-loop
    for (const end of this.#ends) await end();
  }
}

export const triedStyles = Object.keys(stackOf) as readonly TriedStyle[];
