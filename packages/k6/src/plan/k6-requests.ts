// Requests as k6 is to send them: over HTTP what this project's own client puts on the wire, over gRPC the message itself.
import { toJson, type JsonObject, type Message } from "@bufbuild/protobuf";
import type { Client, Contract } from "@roundtrip/contract";
import type { Plan, Step } from "@roundtrip/runner";
import { openCapture, readyStep, type Capture, type ReadyStep } from "@roundtrip/runner/parts";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import type { K6Calls } from "@roundtrip/styles";
import type { GrpcRequest, HttpRequest, K6Step, TimesInAnswer } from "./k6-plan.ts";
import type { RequestBook } from "./request-book.ts";

/** Stands for the path of a server's URL while it is found out whether its client uses that. */
const marker = "/roundtrip-marks-the-place";

/** What of a plan its steps are written by. */
export type PlannedSteps = Pick<Plan, "order" | "steps">;

/** Writes the steps of one stack's arms. */
export interface StepWriter extends AsyncDisposable {
  /** The path that a URL of the stack's servers has; empty for none. */
  readonly path: string;
  stepsOf(plan: PlannedSteps): Promise<readonly K6Step[]>;
}

function timesOf({ timesTold, operation }: ReadyStep, { reportedTimes }: Step): Pick<K6Step, "times"> {
  if (timesTold === undefined || reportedTimes === undefined) return {};
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

function grpcWriter(contract: Contract, book: RequestBook): StepWriter {
  const requestOf = ({ operation }: ReadyStep, message: Message): GrpcRequest => ({
    method: `${operation.method.parent.typeName}/${operation.method.name}`,
    message: toJson(operation.input, message, { registry: contract.registry }),
  });
  return {
    path: "",
    // oxlint-disable-next-line require-await
    async stepsOf(plan) {
      return readySteps(contract, plan).map(([ready, times]) => ({
        requests: ready.inTurn.map((message) => book.numberOf(requestOf(ready, message))),
        ...times,
      }));
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** A text as JSON, where that is an object and is written as the text was. */
function readableBody(text: string): HttpRequest["body"] {
  if (!text.startsWith("{")) return text;
  const value = JSON.parse(text) as JsonObject;
  return JSON.stringify(value) === text ? value : text;
}

async function captured(capture: Capture, path: string, call: () => Promise<unknown>): Promise<HttpRequest> {
  const { method, path: sentTo, headers, body } = await capture.requestOf(call);
  const below = sentTo.startsWith(path) ? sentTo.slice(path.length) : sentTo;
  return { method, path: below, headers, body: readableBody(body.toString()) };
}

async function httpWriter(contract: Contract, name: string, book: RequestBook): Promise<StepWriter> {
  const connect = await loadConnect(name);
  const capture = await openCapture();
  const connected = async (path: string): Promise<Client> =>
    connect(contract, { ...connectDefaults, url: `${capture.origin}${path}` });
  const client = await connected(marker);

  /** Where a client goes that is given an origin alone. */
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
  const [first] = contract.operations.filter(({ kind }) => kind === "unary");
  const known = new Map<string, Promise<HttpRequest>>();
  let path = "";
  if (first !== undefined) path = await usualPath(readyStep(contract, { operation: first.id, request: {} }));

  return {
    path,
    async stepsOf(plan) {
      const steps = readySteps(contract, plan);
      if (plan.order === "together") {
        const invoke = client.prepareTogether(steps.map(([{ operation }]) => operation));
        const all = steps.map(([{ request }]) => request);
        return [{ requests: [book.numberOf(await captured(capture, marker, () => invoke(all)))] }];
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
          requests.push(book.numberOf(await request));
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

/** A stack that k6 can call. */
export interface PlannedStack {
  readonly name: string;
  readonly calls: K6Calls;
}

/** Begins to write steps of a stack's arms, and their requests in a book. Calls go to a server of its own that answers none. */
export async function stepWriter(contract: Contract, stack: PlannedStack, book: RequestBook): Promise<StepWriter> {
  return stack.calls.module === "grpc" ? grpcWriter(contract, book) : httpWriter(contract, stack.name, book);
}
