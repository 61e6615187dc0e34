// Compares answers before measuring: arms that do the same work must give the same values, otherwise no number is reported.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isDeepStrictEqual } from "node:util";
import type { PlannedArm } from "../study/planned-arm.ts";
import { RunnerError } from "../basics/runner-error.ts";

/** The value at a path such as `["products", "name"]`: of each item in a row, where it leads through lists, however these are divided. */
function valueAt(value: JsonValue, [name, ...further]: readonly string[]): JsonValue {
  if (name === undefined || value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.flatMap((item) => valueAt(item, [name, ...further]));
  return valueAt(value[name] ?? null, further);
}

function picked(answer: JsonObject, keys: readonly string[]): JsonObject {
  if (keys.length === 0) return answer;
  return Object.fromEntries(keys.map((key) => [key, valueAt(answer, key.split("."))]));
}

function shown(value: JsonValue | undefined): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function differingKey(expected: JsonObject, actual: JsonObject): string {
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...keys].toSorted().find((name) => !isDeepStrictEqual(expected[name], actual[name])) ?? "";
}

/** Compares an answer without a counterpart with what its task expects. */
function verifyAlone({ id, expected }: PlannedArm, answer: JsonObject): void {
  const key = Object.keys(expected).find((name) => !isDeepStrictEqual(expected[name], answer[name]));
  if (key === undefined) return;
  throw new RunnerError(
    "answers-differ",
    `${id} does not answer as expected: "${key}" is ${shown(answer[key])}, not ${shown(expected[key])}; no number is given`,
  );
}

/** What else to do if the versions of an arm's server are meant to differ. */
function adviceFor(arm: PlannedArm, differing: PlannedArm): string {
  if (arm.configuration.version === differing.configuration.version) return "";
  return `; if head is meant to answer otherwise, add --answers-may-differ ${arm.task}`;
}

/** Arms with the same key must give the same answer. */
function comparedKey({ answerKey, answersMayDiffer, configuration: { version } }: PlannedArm): string {
  return answersMayDiffer ? `${version?.name} ${answerKey}` : answerKey;
}

/** Compares the answers of arms that do the same, and a single server's with the expected one. Throws `answers-differ` at the first difference. */
export function verifyAnswers(arms: readonly PlannedArm[], answers: ReadonlyMap<string, JsonObject>): void {
  for (const group of Map.groupBy(arms, comparedKey).values()) {
    const [first, ...later] = group.map((arm) => ({
      arm,
      answer: picked(answers.get(arm.id) ?? {}, arm.answerFields),
    }));
    for (const next of later) {
      if (first === undefined || isDeepStrictEqual(first.answer, next.answer)) continue;
      const key = differingKey(first.answer, next.answer);
      throw new RunnerError(
        "answers-differ",
        `${first.arm.id} and ${next.arm.id} do not answer alike: "${key}" is ${shown(first.answer[key])} and ${shown(next.answer[key])}; no number is given${adviceFor(first.arm, next.arm)}`,
      );
    }
    // What a task expects is what base answers.
    if (first?.arm.answersMayDiffer === true) continue;
    if (new Set(group.map(({ stack }) => stack)).size > 1) continue;
    for (const arm of group) verifyAlone(arm, answers.get(arm.id) ?? {});
  }
}
