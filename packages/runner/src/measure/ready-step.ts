// Prepares a plan's step: its operation, its request as a message, and the messages of a stream of requests.
import { create, fromJson, ScalarType, type JsonValue, type Message, type DescMessage } from "@bufbuild/protobuf";
import { incompressibleBytes, type Contract, type Operation, type OperationKind } from "@roundtrip/contract";
import { RunnerError } from "../basics/runner-error.ts";
import type { ChunkSource, Step, ReportedTimes } from "../study/study.ts";
import { DurationSchema, type Duration } from "@bufbuild/protobuf/wkt";

/** Milliseconds by answer; NaN if it has none. */
export interface AnswerTimes {
  readonly queueMs: (answer: Message) => number;
  readonly serviceMs: (answer: Message) => number;
}

/** Throws an Error for an unknown field, or one that is not a duration. */
function durationIn(answer: DescMessage, name: string): (answer: Message) => number {
  const field = answer.fields.find((candidate) => candidate.name === name);
  if (field?.fieldKind !== "message" || field.message.typeName !== DurationSchema.typeName) {
    throw new Error(`${answer.typeName} has no field ${name} of type ${DurationSchema.typeName}`);
  }
  const { localName } = field;
  return (message) => {
    const duration = (message as Message & Readonly<Record<string, unknown>>)[localName] as Duration | undefined;
    return duration === undefined ? Number.NaN : Number(duration.seconds) * 1_000 + duration.nanos / 1e6;
  };
}

/** Throws an Error for unknown fields, and for fields that are not durations. */
function answerTimes(answer: DescMessage, { queue, service }: ReportedTimes): AnswerTimes {
  return { queueMs: durationIn(answer, queue), serviceMs: durationIn(answer, service) };
}

export interface ReadyStep {
  readonly operation: Operation;
  readonly request: Message;
  /** The stream of requests, or the only one: made once, so that repeating a step costs only the sending. */
  readonly requests: readonly Message[];
  /** The requests of tasks in rotation: one or more. */
  readonly inTurn: readonly Message[];
  readonly answerTimes: AnswerTimes | undefined;
}

const seed = 1;

/** The `needs` that a step must declare for each kind of operation. */
const needOf = {
  unary: undefined,
  server_streaming: "serverStream",
  client_streaming: "clientStream",
  bidi_streaming: undefined,
} as const satisfies Record<OperationKind, Step["needs"]>;

function chunkMessages({ input }: Operation, request: Message, source: ChunkSource): readonly Message[] {
  const { field: name, sizeBytes, chunkBytes } = source;
  const field = input.fields.find((candidate) => candidate.name === name);
  if (field?.fieldKind !== "scalar" || field.scalar !== ScalarType.BYTES) {
    throw new Error(`${input.typeName} has no field ${name} of type bytes`);
  }
  if (!(chunkBytes >= 1 && sizeBytes >= 0)) throw new Error(`${sizeBytes} bytes in chunks of ${chunkBytes}`);
  const bytes = incompressibleBytes(sizeBytes, seed);
  return Array.from({ length: Math.ceil(sizeBytes / chunkBytes) }, (_, index) => {
    const at = index * chunkBytes;
    return Object.assign(create(input), request, { [field.localName]: bytes.subarray(at, at + chunkBytes) });
  });
}

/** Throws a RunnerError `bad-plan` for names that the contract does not have, or a stream that the step does not declare. */
export function readyStep(contract: Contract, step: Step): ReadyStep {
  const { needs, source, inTurn = [], reportedTimes } = step;
  try {
    const operation = contract.operation(step.operation);
    const { kind } = operation;
    if (kind === "bidi_streaming") throw new Error("bidirectional streams are not supported");
    if (needOf[kind] !== needs)
      throw new Error(`its step needs ${needOf[kind] ?? "no stream"}, not ${needs ?? "none"}`);
    const messageOf = (json: JsonValue): Message => fromJson(operation.input, json, { registry: contract.registry });
    const request = messageOf(step.request);
    const requests = source === undefined ? [request] : chunkMessages(operation, request, source);
    return {
      operation,
      request,
      requests,
      inTurn: inTurn.length === 0 ? [request] : inTurn.map(messageOf),
      answerTimes: reportedTimes && answerTimes(operation.output, reportedTimes),
    };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new RunnerError("bad-plan", `${step.operation}: ${why}`, { cause });
  }
}
