// The form of a stub in a file, read into a stub: which members there are, and of what kind; what they say about messages is compiled later.
import { isObject } from "@roundtrip/contract";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { failureOf } from "./failure-form.ts";
import { expected, listOf, objectOf } from "../files/form.ts";
import type { Stub, StubAnswer } from "./stub.ts";

const answerKeys = ["response", "responses", "error", "made-up"] as const;

function answerOf(json: JsonObject, path: ValuePath): StubAnswer {
  const given = answerKeys.filter((key) => Object.hasOwn(json, key));
  const { response, responses, error } = json;
  const failure = error === undefined ? undefined : failureOf(error, [...path, "error"]);
  const isFailingStream = given.length === 2 && responses !== undefined && failure !== undefined;
  if (given.length !== 1 && !isFailingStream) {
    const here = given.length === 0 ? "none of them" : given.join(" and ");
    const text = `expected one of ${answerKeys.join(", ")}, or responses and error; here is ${here}`;
    throw new FakeError("wrong-type", text, { path });
  }
  if (response !== undefined) return { kind: "response", response };
  if (responses !== undefined) {
    return { kind: "responses", responses: listOf(responses, [...path, "responses"]), failure };
  }
  if (failure !== undefined) return { kind: "error", ...failure };
  const isMadeUp = json["made-up"];
  if (isMadeUp !== true) throw expected("true", isMadeUp ?? null, [...path, "made-up"]);
  return { kind: "made-up" };
}

/** True for a stub that has its one answer beside its operation, and no list of answers. */
export function hasOneAnswer(json: JsonValue): boolean {
  return isObject(json) && !Object.hasOwn(json, "answers");
}

/**
 * A stub as it stands in a file. Throws a FakeError for what has another form.
 * @param path where it stands in its document.
 */
export function stubOf(json: JsonValue, path: ValuePath): Stub {
  const stub = objectOf(json, ["operation", "when", ...answerKeys, "answers"], "a stub", path);
  const { operation, when = {}, answers } = stub;
  if (typeof operation !== "string")
    throw expected("the name of an operation", operation ?? null, [...path, "operation"]);
  if (hasOneAnswer(json)) return { operation, when, answers: [answerOf(stub, path)] };
  const beside = answerKeys.find((key) => Object.hasOwn(stub, key));
  if (beside !== undefined) {
    throw new FakeError("wrong-type", `"${beside}" is one of the answers, or there is no list of them`, {
      path: [...path, beside],
    });
  }
  const list = listOf(answers ?? null, [...path, "answers"]);
  return {
    operation,
    when,
    answers: list.map((one, index) => {
      const at = [...path, "answers", index];
      return answerOf(objectOf(one, answerKeys, "an answer", at), at);
    }),
  };
}
