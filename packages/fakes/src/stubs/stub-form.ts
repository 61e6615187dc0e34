// Stubs and errors as files have them: their members and their types. Messages are compiled later.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import {
  type CanonicalCode,
  canonicalCodes,
  type ErrorDetails,
  type FieldViolation,
  isCanonicalCode,
  isObject,
} from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import type { Stub, StubAnswer, StubFailure } from "./stub.ts";
import { expected, listOf, objectOf, textOf } from "../files/form.ts";
import { type HeaderConditions, headerTests } from "./patterns.ts";
import { yaml } from "../files/located-documents.ts";
import { isEveryRequest } from "./request-pattern.ts";

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
  if (metadata !== undefined && !isObject(metadata)) throw expected("a map of strings", metadata, at("metadata"));
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

/** `NOT_FOUND` → `not found`: the default message of an error. */
export function codeWords(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}

/** An error as written in a file. {@link checkFailure} checks the code. */
export function failureOf(json: JsonValue, path: ValuePath): StubFailure {
  const { code, message, details } = objectOf(json, ["code", "message", "details"], "an error", path);
  if (typeof code !== "string") throw expected("the code of an error", code ?? null, [...path, "code"]);
  return {
    code: code as CanonicalCode,
    message: textOf(message, codeWords(code), [...path, "message"]),
    details: details === undefined ? {} : detailsOf(details, [...path, "details"]),
  };
}

/** Throws a FakeError for an unknown code. */
export function checkFailure({ code }: StubFailure, path: ValuePath): void {
  if (isCanonicalCode(code)) return;
  const codes = Object.keys(canonicalCodes);
  const text = `unknown error code "${String(code)}"${suggestion(String(code), codes)} (valid: ${codes.join(", ")})`;
  throw new FakeError("wrong-type", text, { path: [...path, "code"] });
}

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

function errorForm({ code, message, details }: StubFailure): object {
  return { code, message, ...(Object.keys(details).length === 0 ? {} : { details }) };
}

function optionsForm({ headers, template }: StubAnswer): object {
  return { ...(headers === undefined ? {} : { headers }), ...(template === undefined ? {} : { template }) };
}

function answerForm(answer: StubAnswer): object {
  return { ...messagesForm(answer), ...optionsForm(answer) };
}

function messagesForm(answer: StubAnswer): object {
  switch (answer.kind) {
    case "response":
      return { response: answer.response };
    case "responses": {
      const { responses, failure } = answer;
      return { responses, ...(failure === undefined ? {} : { error: errorForm(failure) }) };
    }
    case "error":
      return { error: errorForm(answer) };
    case "made-up":
      return { "made-up": true };
  }
}

export function stubForm({ operation, when, whenHeaders, answers }: Stub): JsonValue {
  const [only] = answers;
  const said = only !== undefined && answers.length === 1 ? answerForm(only) : { answers: answers.map(answerForm) };
  const headers = whenHeaders === undefined ? {} : { "when-headers": whenHeaders };
  return { operation, ...(isEveryRequest(when) ? {} : { when }), ...headers, ...said };
}

/** A text that {@link parseStubs} reads as these stubs. */
export function writeStubs(stubs: readonly Stub[]): string {
  return yaml().stringify(stubs.map(stubForm), { aliasDuplicateObjects: false, lineWidth: 120 });
}
