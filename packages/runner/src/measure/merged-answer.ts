// What a plan answers as a whole: the answers of its steps, each at its place, so that plans of other shapes can be held against each other.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { AnswerPosition } from "../study/study.ts";

/** One step's answer in ProtoJSON, and where it belongs. */
export interface StepAnswer {
  readonly answer: JsonObject;
  readonly into?: AnswerPosition | undefined;
}

/**
 * All of them in one object. Without a place, an answer's fields are the whole's own; of several with one name the last is kept, and a list that
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
