// Equal answers first: arms that do the same work must give the same values, or no number is given at all.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isDeepStrictEqual } from "node:util";
import type { Arm } from "./arm.ts";
import { RunnerError } from "./runner-error.ts";

function picked(answer: JsonObject, keys: readonly string[]): JsonObject {
  if (keys.length === 0) return answer;
  return Object.fromEntries(keys.map((key) => [key, answer[key] ?? null]));
}

function shown(value: JsonValue | undefined): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function firstDifference(expected: JsonObject, actual: JsonObject): string {
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  const key = [...keys].toSorted().find((name) => !isDeepStrictEqual(expected[name], actual[name])) ?? "";
  return `"${key}" is ${shown(expected[key])} and ${shown(actual[key])}`;
}

/** Compares the answers of all arms that do the same work. Throws `answers-differ` with the first difference. */
export function verifyAnswers(arms: readonly Arm[], answers: ReadonlyMap<string, JsonObject>): void {
  for (const group of Map.groupBy(arms, (arm) => arm.answerKey).values()) {
    const [first, ...others] = group.map((arm) => ({
      arm,
      answer: picked(answers.get(arm.id) ?? {}, arm.answerFields),
    }));
    for (const other of others) {
      if (first === undefined || isDeepStrictEqual(first.answer, other.answer)) continue;
      const difference = firstDifference(first.answer, other.answer);
      throw new RunnerError(
        "answers-differ",
        `${first.arm.id} and ${other.arm.id} do not answer alike: ${difference}; no number is given`,
      );
    }
  }
}
