// Calls that the page sends to the fake itself over a stack, as a client would.
import { toJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import { CallError, type CallOptions, type Client, type Contract } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { connectDefaults, loadConnect, type Settings } from "@roundtrip/stacks";
import { operationNamed, sessionMetadataName } from "../../basics/names.ts";
import { usualStack } from "../../fake/serve-fake.ts";
import { bodyOf, ControlError, listIn, maybeTextIn, textIn } from "./control-error.ts";
import { otherMethods } from "./other-methods.ts";
import { Router } from "express";
import type { StandaloneFake } from "../standalone-fake.ts";

const mostAtOnce = 16;

/** `POST /send` with `{ "stack", "operation", "request" or "requests", "session" }` returns the outcome of the call. */
export function sendRoutes({ fake }: StandaloneFake, clients: ClientPool): Router {
  const router = Router();
  let inFlight = 0;
  router
    .route("/send")
    .post(async (request, response) => {
      const body = bodyOf(request, ["stack", "operation", "request", "requests", "session"]);
      const { request: single, requests: several } = body;
      if ((single === undefined) === (several === undefined)) throw new ControlError(400, "give request or requests");
      const requests = single === undefined ? listIn(body, "requests") : [single];
      if (inFlight >= mostAtOnce)
        throw new ControlError(503, `at most ${mostAtOnce} calls can be in flight: try again later`);
      inFlight += 1;
      try {
        const call = {
          stack: textIn(body, "stack"),
          operation: textIn(body, "operation"),
          requests,
          session: maybeTextIn(body, "session") ?? "",
        };
        response.json(await sendCall(clients, fake.contract, call));
      } finally {
        inFlight -= 1;
      }
    })
    .all(otherMethods);
  return router;
}

export interface CallToSend {
  readonly stack: string;
  readonly operation: string;
  /** In ProtoJSON; several for a stream of requests. */
  readonly requests: readonly JsonValue[];
  readonly session: string;
}

export interface SentCall {
  readonly outcome: string;
  readonly message: string;
  readonly details: CallError["details"] | undefined;
  readonly responses: readonly JsonValue[];
  /** Whether there were more answers than are shown. */
  readonly isCut: boolean;
  readonly durationMs: number;
}

export interface FakeAddress {
  readonly url: string;
  readonly ca: string | undefined;
  readonly settings: Settings;
}

const timeoutMs = 30_000;
const mostResponses = 100;

/** Clients of a fake's own servers, one for each stack, until the contract changes. */
export class ClientPool {
  readonly #targets: ReadonlyMap<string, FakeAddress>;
  readonly #clients = new Map<string, Promise<Client>>();
  #contract: Contract | undefined;

  constructor(targets: ReadonlyMap<string, FakeAddress>) {
    this.#targets = targets;
  }

  /** @param selector a stack or its style. Rejects with a ControlError for one that is not served. */
  async client(selector: string, contract: Contract): Promise<Client> {
    const stack = this.#targets.has(selector) ? selector : (usualStack(selector) ?? selector);
    const target = this.#targets.get(stack);
    if (target === undefined) {
      const served = [...this.#targets.keys()];
      const hint = `${suggestion(selector, served)} (valid: ${served.join(", ")})`;
      throw new ControlError(400, `the fake serves no stack ${JSON.stringify(selector)}${hint}`);
    }
    if (contract !== this.#contract) await this.close();
    this.#contract = contract;
    const before = this.#clients.get(stack);
    if (before !== undefined) return before;
    const connected = loadConnect(stack).then((connect) => connect(contract, { ...connectDefaults, ...target }));
    this.#clients.set(stack, connected);
    return connected;
  }

  async close(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(clients.map(async (client) => (await client).close()));
  }
}

/** Sends the call and returns its outcome. Rejects with a ControlError for an invalid request. */
export async function sendCall(clients: ClientPool, contract: Contract, call: CallToSend): Promise<SentCall> {
  const operation = operationNamed(contract, call.operation);
  const { registry } = contract;
  // Loaded with the first call.
  const { readMessage } = await import("../../stubs/read-message.ts");
  const read = (request: JsonValue): Message => readMessage(operation.input, request, ["request"], registry);
  const requests = call.requests.map(read);
  const [first] = requests;
  const takesStream = operation.kind === "client_streaming" || operation.kind === "bidi_streaming";
  if (!takesStream && requests.length !== 1) throw new ControlError(400, `${operation.id} takes one request`);
  const client = await clients.client(call.stack, contract);
  const options: CallOptions = {
    timeoutMs,
    ...(call.session === "" ? {} : { metadata: new Map([[sessionMetadataName, call.session]]) }),
  };
  const responses: JsonValue[] = [];
  const keep = (answer: Message): void => void responses.push(toJson(operation.output, answer, { registry }));
  let isCut = false;
  let error: CallError | undefined;
  const startedAt = performance.now();
  try {
    if (operation.kind === "unary" && first !== undefined) keep(await client.prepare(operation)(first, options));
    else {
      for await (const answer of client.prepareStream(operation)(requests, options)) {
        isCut = responses.length === mostResponses;
        if (isCut) break;
        keep(answer);
      }
    }
  } catch (thrown) {
    error = CallError.from(thrown);
  }
  const durationMs = performance.now() - startedAt;
  return {
    outcome: error?.code ?? "OK",
    message: error?.message ?? "",
    details: error?.details,
    responses,
    isCut,
    durationMs,
  };
}
