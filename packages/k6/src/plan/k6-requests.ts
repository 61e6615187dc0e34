// The requests that k6 sends: over HTTP the bytes that this project's own client sends, over gRPC the message.
import { toJson, type JsonObject, type Message } from "@bufbuild/protobuf";
import { type Client, type Contract, linkedClient } from "@roundtrip/contract";
import type { Plan, Step } from "@roundtrip/runner";
import { isOneExchange, openCapture, readyStep, type Capture, type ReadyStep } from "@roundtrip/runner/parts";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import type { K6GrpcRequest, K6HttpRequest, K6Step, PlannedRequest, TimesInAnswer } from "./k6-plan.ts";

/** The requests of a plan, each once. Steps refer to them by number. */
export class RequestTable {
  readonly requests: PlannedRequest[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(request: PlannedRequest): number {
    const text = JSON.stringify(request);
    const number = this.#numbers.get(text) ?? this.requests.push(request) - 1;
    this.#numbers.set(text, number);
    return number;
  }
}

/** A path in the server's URL that shows whether the client uses that path. */
const marker = "/roundtrip-path-marker";

/** The members of a plan that determine its steps. */
export type PlannedSteps = Pick<Plan, "order" | "steps">;

/** Writes the steps of one stack's arms, and adds their requests to a table. */
export interface StepWriter extends AsyncDisposable {
  /** The path in the URLs of the stack's servers; empty if they have none. Known when the first steps are written. */
  readonly path: string;
  stepsOf(plan: PlannedSteps): Promise<readonly K6Step[]>;
}

function timesOf({ answerTimes, operation }: ReadyStep, { reportedTimes }: Step): Pick<K6Step, "times"> {
  if (answerTimes === undefined || reportedTimes === undefined) return {};
  const inJson = (name: string): string =>
    operation.output.fields.find((field) => field.name === name)?.jsonName ?? name;
  const times: TimesInAnswer = { queue: inJson(reportedTimes.queue), service: inJson(reportedTimes.service) };
  return { times };
}

function readySteps(contract: Contract, plan: PlannedSteps): readonly (readonly [ReadyStep, Pick<K6Step, "times">])[] {
  return plan.steps.map((step) => {
    const ready = readyStep(contract, step);
    return [ready, timesOf(ready, step)] as const;
  });
}

export function grpcWriter(contract: Contract, table: RequestTable): StepWriter {
  const requestOf = ({ operation }: ReadyStep, message: Message): K6GrpcRequest => ({
    method: `${operation.method.parent.typeName}/${operation.method.name}`,
    message: toJson(operation.input, message, { registry: contract.registry }),
  });
  return {
    path: "",
    // oxlint-disable-next-line require-await
    async stepsOf(plan) {
      return readySteps(contract, plan).map(([ready, times]) => ({
        requests: ready.inTurn.map((message) => table.numberOf(requestOf(ready, message))),
        ...times,
      }));
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Parses a JSON object if writing it again gives the same text. */
function readableBody(text: string): K6HttpRequest["body"] {
  if (!text.startsWith("{")) return text;
  const value = JSON.parse(text) as JsonObject;
  return JSON.stringify(value) === text ? value : text;
}

async function captured(capture: Capture, path: string, call: () => Promise<unknown>): Promise<K6HttpRequest> {
  const { method, path: sentTo, headers, body } = await capture.requestOf(call);
  const below = sentTo.startsWith(path) ? sentTo.slice(path.length) : sentTo;
  return { method, path: below, headers, body: readableBody(body.toString()) };
}

/** Writes the requests of a stack's own client, which it captures with a server that does not answer. */
export async function httpWriter(contract: Contract, name: string, table: RequestTable): Promise<StepWriter> {
  const connect = await loadConnect(name);
  const capture = await openCapture();
  const connected = async (path: string): Promise<Client> =>
    connect(contract, { ...connectDefaults, url: `${capture.origin}${path}` });
  const client = await connected(marker);

  /** The path that a client calls when its URL has none. */
  const usualPath = async (ready: ReadyStep): Promise<string> => {
    const plain = await connected("");
    try {
      const call = (through: Client) => (): Promise<unknown> => through.prepare(ready.operation)(ready.request);
      const { path } = await captured(capture, "", call(client));
      return path.startsWith(marker) ? (await captured(capture, "", call(plain))).path : "";
    } finally {
      await plain.close();
    }
  };
  const known = new Map<string, Promise<K6HttpRequest>>();
  let path: string | undefined;

  return {
    get path() {
      return path ?? "";
    },
    async stepsOf(plan) {
      const steps = readySteps(contract, plan);
      // With a request of the plan: clients send no request without the values of its path or its required fields.
      const [first] = steps;
      if (first !== undefined) path ??= await usualPath(first[0]);
      if (isOneExchange(plan.order)) {
        const operations = steps.map(([{ operation }]) => operation);
        const invoke =
          plan.order === "linked" ? linkedClient(client).prepareLinked(operations) : client.prepareTogether(operations);
        const all = steps.map(([{ request }]) => request);
        return [{ requests: [table.numberOf(await captured(capture, marker, () => invoke(all)))] }];
      }
      const written: K6Step[] = [];
      for (const [{ operation, inTurn }, times] of steps) {
        const invoke = client.prepare(operation);
        const requests: number[] = [];
        for (const message of inTurn) {
          const key = `${operation.id} ${JSON.stringify(toJson(operation.input, message, { registry: contract.registry }))}`;
          const request = known.get(key) ?? captured(capture, marker, () => invoke(message));
          known.set(key, request);
          // oxlint-disable-next-line no-await-in-loop -- a capture takes one call at a time
          requests.push(table.numberOf(await request));
        }
        written.push({ requests, ...times });
      }
      return written;
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await capture[Symbol.asyncDispose]();
    },
  };
}
