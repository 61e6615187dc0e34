// Prepares a plan's steps as repeatable calls on a client. Differences between kinds of calls are resolved once, not while the clock runs.
import { type JsonObject, type Message, toJson } from "@bufbuild/protobuf";
import {
  type Client,
  type Contract,
  type Invoke,
  type InvokeStream,
  type Operation,
  withMetadata,
} from "@roundtrip/contract";
import type { CallTimer, CallLog } from "./call-timer.ts";
import { streamAnswer } from "./merged-answer.ts";
import type { AnswerTimes, ReadyStep } from "./ready-step.ts";

export interface ReadyCall {
  /** @param intendedAtMs when it was to begin; NaN for now. */
  readonly timed: (task: number, step: number, intendedAtMs: number) => Promise<void>;
  readonly answer: () => Promise<JsonObject>;
}

export interface CallSettings {
  readonly contract: Contract;
  readonly client: Client;
  readonly callLog: CallLog;
  readonly timer: CallTimer;
}

/** A response in ProtoJSON. */
export function jsonOf(contract: Contract, { output }: Operation, response: Message): JsonObject {
  const json = toJson(output, response, { registry: contract.registry });
  return json !== null && typeof json === "object" && !Array.isArray(json) ? json : {};
}

/** One prepared invoke per operation, as a client program would keep it. */
function preparedOnce<I>(prepare: (operation: Operation) => I): (operation: Operation) => I {
  const prepared = new Map<Operation, I>();
  return (operation) => {
    const invoke = prepared.get(operation) ?? prepare(operation);
    prepared.set(operation, invoke);
    return invoke;
  };
}

/** A call whose answer contains the server's times, which are read after the clock has stopped. */
function reportingCall(
  { callLog: { recorder }, timer: { timed } }: CallSettings,
  { queueMs, serviceMs }: AnswerTimes,
  invokeFor: (task: number) => Promise<Message>,
): ReadyCall["timed"] {
  return async (task, step, intendedAtMs) => {
    let response: Message | undefined;
    const row = await timed(task, step, intendedAtMs, async () => {
      response = await invokeFor(task);
    });
    if (response !== undefined) recorder.recordReported(row, queueMs(response), serviceMs(response));
  };
}

function unaryCall(settings: CallSettings, invoke: Invoke, ready: ReadyStep): ReadyCall {
  const { operation, request, inTurn, answerTimes } = ready;
  const { timed } = settings.timer;
  const call = () => invoke(request);
  const callFor = (task: number) => invoke(inTurn[task % inTurn.length] as Message);
  const answer: ReadyCall["answer"] = async () => jsonOf(settings.contract, operation, await call());
  if (answerTimes !== undefined) return { timed: reportingCall(settings, answerTimes, callFor), answer };
  const timedCall: ReadyCall["timed"] =
    inTurn.length === 1
      ? async (task, step, intendedAtMs) => void (await timed(task, step, intendedAtMs, call))
      : async (task, step, intendedAtMs) => void (await timed(task, step, intendedAtMs, () => callFor(task)));
  return { timed: timedCall, answer };
}

async function ended(answers: AsyncIterable<Message>): Promise<void> {
  for await (const _ of answers);
}

function streamCall(settings: CallSettings, invoke: InvokeStream, { operation, requests }: ReadyStep): ReadyCall {
  const { contract, timer, callLog } = settings;
  const { timed, timedStream } = timer;
  const noticed = function* () {
    for (const one of requests) {
      callLog.recorder.countMessage();
      yield one;
    }
  };
  const open = () => invoke(noticed());
  return {
    timed:
      operation.kind === "server_streaming"
        ? (task, step, intendedAtMs) => timedStream(task, step, intendedAtMs, open)
        : async (task, step, intendedAtMs) => void (await timed(task, step, intendedAtMs, () => ended(open()))),
    answer: () => streamAnswer(contract, operation, open()),
  };
}

export function readyCalls(settings: CallSettings, steps: readonly ReadyStep[]): readonly ReadyCall[] {
  const { client } = settings;
  const invokeOf = preparedOnce((operation) => client.prepare(operation));
  const streamOf = preparedOnce((operation) => client.prepareStream(operation));
  return steps.map((ready) =>
    ready.operation.kind === "unary"
      ? unaryCall(settings, invokeOf(ready.operation), ready)
      : streamCall(settings, streamOf(ready.operation), ready),
  );
}

/** The client with the token sent in each call; unchanged if no variable is given, or it is empty. */
export function bearerClient(client: Client, tokenVariable: string | undefined): Client {
  const token = tokenVariable === undefined ? undefined : process.env[tokenVariable];
  if (token === undefined || token === "") return client;
  return withMetadata(client, new Map([["authorization", `Bearer ${token}`]]));
}
