// Merges the answers of a plan's steps into one object, so that the answers of different plans can be compared.
import { type JsonObject, type JsonValue, ScalarType, toJson, type Message } from "@bufbuild/protobuf";
import type { AnswerPosition } from "../study/study.ts";
import type { Contract, Operation } from "@roundtrip/contract";
import { crc32 } from "node:zlib";

/** In ProtoJSON, with its position in the merged answer. */
export interface StepAnswer {
  readonly answer: JsonObject;
  readonly into?: AnswerPosition | undefined;
}

/** Merges answers: without a position, fields become members, and later ones replace earlier ones. A list that answers are put into begins empty. */
export function mergedAnswer(answers: readonly StepAnswer[]): JsonObject {
  const merged: JsonObject = {};
  const lists = new Map<string, JsonValue[]>();
  for (const { answer, into } of answers) {
    if (into === undefined) Object.assign(merged, answer);
    else if (into.index === undefined) merged[into.member] = answer;
    else {
      const list = lists.get(into.member) ?? [];
      list[into.index] = answer;
      lists.set(into.member, list);
      merged[into.member] = list;
    }
  }
  return merged;
}

/** The answers of one step at its position: each once, if they are a list. */
export function placedAnswers(answers: readonly JsonObject[], into: AnswerPosition | undefined): readonly StepAnswer[] {
  if (into?.eachBy === undefined) return answers.map((answer) => ({ answer, into }));
  const { member, eachBy } = into;
  const each = new Map(answers.map((answer) => [Number(answer[eachBy]), answer]));
  return [...each]
    .toSorted(([left], [right]) => left - right)
    .map(([, answer], index) => ({ answer, into: { member, index } }));
}

/** A single answer in ProtoJSON. A stream with only bytes gives `{ [field]: { sizeBytes, crc32 } }`, any other `{ messages: […] }`. */
export async function streamAnswer(
  { registry }: Contract,
  { kind, output }: Operation,
  answers: AsyncIterable<Message>,
): Promise<JsonObject> {
  const [field, ...others] = output.fields;
  const areBytes = others.length === 0 && field?.fieldKind === "scalar" && field.scalar === ScalarType.BYTES;
  const messages: JsonObject[] = [];
  let sizeBytes = 0;
  let checksum = 0;
  for await (const answer of answers) {
    if (kind === "server_streaming" && areBytes) {
      const bytes = (answer as Message & Record<string, unknown>)[field.localName] as Uint8Array;
      sizeBytes += bytes.length;
      checksum = crc32(bytes, checksum);
    } else messages.push(toJson(output, answer, { registry }) as JsonObject);
  }
  if (kind !== "server_streaming") return messages[0] ?? {};
  return areBytes ? { [field.jsonName]: { sizeBytes, crc32: checksum } } : { messages };
}
