// The form of a stub in a file: its members and their types. Messages are compiled later.
import { isObject } from "@roundtrip/contract";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { failureOf } from "./failure-form.ts";
import { expected, listOf, objectOf, textOf } from "../files/form.ts";
import { headerTests, type HeaderConditions } from "./header-pattern.ts";
import type { Stub, StubAnswer } from "./stub.ts";

const answerKeys = ["response", "responses", "error", "made-up"] as const;
/** What an answer may have beside one of {@link answerKeys}. */
const answerOptions = ["headers", "template"] as const;
const allAnswerKeys = [...answerKeys, ...answerOptions];

/** The members that every answer may have. */
function optionsOf({ headers, template }: JsonObject, path: ValuePath): Pick<StubAnswer, "headers" | "template"> {
  if (headers !== undefined && !isObject(headers)) throw expected("a map of texts", headers, [...path, "headers"]);
  const entries = Object.entries(headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    textOf(value, "", [...path, "headers", name]),
  ]);
  if (template !== undefined && typeof template !== "boolean") {
    throw expected("true or false", template, [...path, "template"]);
  }
  return {
    ...(headers === undefined ? {} : { headers: Object.fromEntries(entries) as Record<string, string> }),
    ...(template === undefined ? {} : { template }),
  };
}

function answerOf(json: JsonObject, path: ValuePath): StubAnswer {
  const given = answerKeys.filter((key) => Object.hasOwn(json, key));
  const { response, responses, error } = json;
  const failure = error === undefined ? undefined : failureOf(error, [...path, "error"]);
  const isFailingStream = given.length === 2 && responses !== undefined && failure !== undefined;
  if (given.length !== 1 && !isFailingStream) {
    const actual = given.length === 0 ? "none" : given.join(" and ");
    const text = `expected one of ${answerKeys.join(", ")}, or responses and error; got ${actual}`;
    throw new FakeError("wrong-type", text, { path });
  }
  const options = optionsOf(json, path);
  if (response !== undefined) return { kind: "response", response, ...options };
  if (responses !== undefined) {
    return { kind: "responses", responses: listOf(responses, [...path, "responses"]), failure, ...options };
  }
  if (failure !== undefined) return { kind: "error", ...failure, ...options };
  const isMadeUp = json["made-up"];
  if (isMadeUp !== true) throw expected("true", isMadeUp ?? null, [...path, "made-up"]);
  return { kind: "made-up", ...options };
}

/** True for a stub with a single answer and no list of answers. */
export function hasOneAnswer(json: JsonValue): boolean {
  return isObject(json) && !Object.hasOwn(json, "answers");
}

/**
 * A stub as written in a file. Throws a FakeError if the form is wrong.
 * @param path its position in the document
 */
export function stubOf(json: JsonValue, path: ValuePath): Stub {
  const stub = objectOf(json, ["operation", "when", "when-headers", ...allAnswerKeys, "answers"], "a stub", path);
  const { operation, when = {}, "when-headers": headers, answers } = stub;
  if (typeof operation !== "string")
    throw expected("the name of an operation", operation ?? null, [...path, "operation"]);
  if (headers !== undefined) headerTests(headers, [...path, "when-headers"]);
  const asked = { operation, when, ...(headers === undefined ? {} : { whenHeaders: headers as HeaderConditions }) };
  if (hasOneAnswer(json)) return { ...asked, answers: [answerOf(stub, path)] };
  const single = allAnswerKeys.find((key) => Object.hasOwn(stub, key));
  if (single !== undefined) {
    throw new FakeError("wrong-type", `give "${single}" or "answers", not both`, {
      path: [...path, single],
    });
  }
  const list = listOf(answers ?? null, [...path, "answers"]);
  return {
    ...asked,
    answers: list.map((one, index) => {
      const at = [...path, "answers", index];
      return answerOf(objectOf(one, allAnswerKeys, "an answer", at), at);
    }),
  };
}
