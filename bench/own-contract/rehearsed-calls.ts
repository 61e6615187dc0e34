// Makes calls once before the measurement, to check that they are answered and to know their answers.
import { fromJson, toJson, type JsonObject, type JsonValue, type Message } from "@bufbuild/protobuf";
import { CallError, isObject, type Client, type Operation } from "@roundtrip/contract";
import { streamAnswer } from "@roundtrip/runner";

const timeoutMs = 10_000;

/** The answer of a call as later steps see it: a message in ProtoJSON, or a list of them for a stream. */
export interface Rehearsed {
  readonly answer: JsonValue;
  /** As in the answer of a plan. */
  readonly measured: JsonObject;
}

function objectOf(json: JsonValue): JsonObject {
  return isObject(json) ? json : {};
}

async function* noted(answers: AsyncIterable<Message>, into: Message[]): AsyncIterable<Message> {
  for await (const answer of answers) {
    into.push(answer);
    yield answer;
  }
}

/** Rejects with the server's CallError. */
export async function rehearse(client: Client, operation: Operation, request: Message): Promise<Rehearsed> {
  const { contract } = client;
  const { registry } = contract;
  if (operation.kind === "unary") {
    const message = await client.prepare(operation)(request, { timeoutMs });
    const answer = toJson(operation.output, message, { registry });
    return { answer, measured: objectOf(answer) };
  }
  const messages: Message[] = [];
  const answers = client.prepareStream(operation)([request], { timeoutMs });
  const measured = await streamAnswer(contract, operation, noted(answers, messages));
  const list = messages.map((message) => toJson(operation.output, message, { registry }));
  return { answer: operation.kind === "server_streaming" ? list : (list[0] ?? {}), measured };
}

export function rehearseJson(client: Client, operation: Operation, request: JsonValue): Promise<Rehearsed> {
  return rehearse(client, operation, fromJson(operation.input, request, { registry: client.contract.registry }));
}

/** An error in one line, with the violated rules by field. */
export function failureText(thrown: unknown): string {
  const { code, message, details } = CallError.from(thrown);
  const violations = details.violations.map(({ field, description }) =>
    field === "" ? description : `${field}: ${description}`,
  );
  const why = violations.length === 0 ? message : violations.join("; ");
  return `${code}: ${why.replaceAll("\n", " ")}`;
}
