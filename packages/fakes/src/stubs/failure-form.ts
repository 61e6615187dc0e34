// The form of an error in a file.
import type { JsonValue } from "@bufbuild/protobuf";
import {
  canonicalCodes,
  isCanonicalCode,
  type CanonicalCode,
  type ErrorDetails,
  type FieldViolation,
  isObject,
} from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import type { StubFailure } from "./stub.ts";
import { expected, listOf, objectOf, textOf } from "../files/form.ts";

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
function codeWords(code: string): string {
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
