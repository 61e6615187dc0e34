// The form of a stub in a file, read into a stub: which members there are, and of what kind; what they say about messages is compiled later.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { CanonicalCode, ErrorDetails, FieldViolation } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/nearest-name";
import { FakeError, type ValuePath } from "../fake-error.ts";
import { isObject, jsonText } from "./json-text.ts";
import type { Stub, StubAnswer, StubFailure } from "./stub.ts";

const answerKeys = ["response", "responses", "error", "made-up"] as const;

function expected(what: string, json: JsonValue, path: ValuePath): FakeError {
  return new FakeError("wrong-type", `expected ${what}, here is ${jsonText(json)}`, { path });
}

/** An object that has no members but these. */
function objectOf(json: JsonValue, keys: readonly string[], what: string, path: ValuePath): JsonObject {
  if (!isObject(json)) throw expected(`${what}: an object with ${keys.join(", ")}`, json, path);
  const stray = Object.keys(json).find((key) => !keys.includes(key));
  if (stray === undefined) return json;
  const text = `there is no "${stray}" in ${what} (it has ${keys.join(", ")})${suggestion(stray, keys)}`;
  throw new FakeError("unknown-field", text, { path: [...path, stray] });
}

function textOf(json: JsonValue | undefined, otherwise: string, path: ValuePath): string {
  if (json === undefined) return otherwise;
  if (typeof json !== "string") throw expected("a text", json, path);
  return json;
}

function listOf(json: JsonValue, path: ValuePath): readonly JsonValue[] {
  if (!Array.isArray(json)) throw expected("a list", json, path);
  return json;
}

function violationOf(json: JsonValue, path: ValuePath): FieldViolation {
  const { field, description, reason } = objectOf(json, ["field", "description", "reason"], "a violation", path);
  return {
    field: textOf(field, "", [...path, "field"]),
    description: textOf(description, "", [...path, "description"]),
    reason: textOf(reason, "", [...path, "reason"]),
  };
}

function detailsOf(json: JsonValue, path: ValuePath): Partial<ErrorDetails> {
  const keys = ["reason", "domain", "metadata", "violations"];
  const { reason, domain, metadata, violations } = objectOf(json, keys, "the details of an error", path);
  const at = (key: string): ValuePath => [...path, key];
  if (metadata !== undefined && !isObject(metadata)) throw expected("a map of texts", metadata, at("metadata"));
  const entries = Object.entries(metadata ?? {}).map(([key, value]) => [
    key,
    textOf(value, "", [...at("metadata"), key]),
  ]);
  return {
    ...(reason === undefined ? {} : { reason: textOf(reason, "", at("reason")) }),
    ...(domain === undefined ? {} : { domain: textOf(domain, "", at("domain")) }),
    ...(metadata === undefined ? {} : { metadata: Object.fromEntries(entries) as Record<string, string> }),
    ...(violations === undefined
      ? {}
      : {
          violations: listOf(violations, at("violations")).map((one, index) =>
            violationOf(one, [...at("violations"), index]),
          ),
        }),
  };
}

/** `NOT_FOUND` → `not found`: what an error says that was given no words. */
function codeWords(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}

/** An error. That there is such a code is looked at when the stub is compiled. */
function failureOf(json: JsonValue, path: ValuePath): StubFailure {
  const { code, message, details } = objectOf(json, ["code", "message", "details"], "an error", path);
  if (typeof code !== "string") throw expected("the code of an error", code ?? null, [...path, "code"]);
  return {
    code: code as CanonicalCode,
    message: textOf(message, codeWords(code), [...path, "message"]),
    details: details === undefined ? {} : detailsOf(details, [...path, "details"]),
  };
}

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
