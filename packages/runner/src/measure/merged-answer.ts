// Merges the answers of a plan's steps into one object, so that the answers of different plans can be compared.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { AnswerPosition } from "../study/study.ts";

/** One step's answer in ProtoJSON, and its position in the merged answer. */
export interface StepAnswer {
  readonly answer: JsonObject;
  readonly into?: AnswerPosition | undefined;
}

/**
 * Merges answers into one object. Without a position, an answer's fields become members; of several with one name the last is kept, and a list that
 * answers are put into begins empty.
 */
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
