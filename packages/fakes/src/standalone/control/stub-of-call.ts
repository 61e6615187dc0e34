// Makes a stub of a call that repeats its answer, errors with their details included.
import { isObject } from "@roundtrip/contract";
import { fromJson, toJson, type DescMessage, type JsonValue } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import { answersWithStream, operationNamed } from "../../basics/names.ts";
import { redactedText } from "../../basics/masked-copy.ts";
import { isRedacted, redactedCopy } from "../../basics/redacted.ts";
import { compileStub } from "../../stubs/compiled-stub.ts";
import { isWhole } from "../../stubs/read-message.ts";
import { checked } from "../../files/checked.ts";
import { type Stub, stubSchemas } from "../../stubs/stub-schema.ts";
import { ControlError } from "./control-error.ts";

/** A call in the form of `/calls` and `/send`. */
export interface CallToRepeat {
  readonly operation: string;
  /** In ProtoJSON, as the other messages. For a stream, stubs match the first. */
  readonly requests: readonly JsonValue[];
  readonly responses: readonly JsonValue[];
  readonly outcome: string;
  readonly message: string;
  readonly details: JsonValue;
}

/** A message as it may appear in a file, with hidden fields masked. Throws a ControlError if it is not of this type. */
function shown(type: DescMessage, json: JsonValue, { registry }: Contract, alwaysEmitImplicit = false): JsonValue {
  try {
    const masked = redactedCopy(type, fromJson(type, json, { registry }), registry);
    return toJson(type, masked, { registry, alwaysEmitImplicit });
  } catch (cause) {
    throw new ControlError(400, `not a ${type.typeName}: ${(cause as Error).message}`, { cause });
  }
}

/** Removes masked values, which cannot be matched. */
function withoutMasked(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(withoutMasked);
  if (!isObject(json)) return json;
  const kept = Object.entries(json).filter(([, value]) => value !== redactedText);
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutMasked(value)]));
}

/**
 * The condition of a stub for this request. Zero values at the top level are included, so that an empty request does not match everything; unset
 * fields are not, because GraphQL sends a mask where other styles send none.
 */
function asked(type: DescMessage, request: JsonValue, contract: Contract): JsonValue {
  const set = shown(type, request, contract);
  const all = shown(type, request, contract, true);
  if (isWhole(type) || !isObject(set) || !isObject(all)) return withoutMasked(set);
  const members = type.fields
    .filter((field) => !isRedacted(field))
    .flatMap(({ jsonName, fieldKind }): readonly (readonly [string, JsonValue])[] => {
      const value = set[jsonName] ?? (fieldKind === "scalar" || fieldKind === "enum" ? all[jsonName] : undefined);
      return value === undefined ? [] : [[jsonName, value]];
    });
  return withoutMasked(Object.fromEntries(members));
}

/** The members of an error that are not empty. */
function errorForm({ outcome, message, details }: CallToRepeat): JsonValue {
  const kept = isObject(details)
    ? Object.entries(details).filter(([, value]) => Object.keys(value ?? {}).length > 0)
    : [];
  return { code: outcome, message, ...(kept.length === 0 ? {} : { details: Object.fromEntries(kept) }) };
}

function answerForm(
  call: CallToRepeat,
  operation: Operation,
  contract: Contract,
): { readonly [name: string]: JsonValue } {
  const responses = call.responses.map((response) => shown(operation.output, response, contract));
  const error = call.outcome === "OK" ? {} : { error: errorForm(call) };
  if (answersWithStream(operation)) return { responses, ...error };
  return call.outcome === "OK" ? { response: responses[0] ?? {} } : error;
}

/** Throws a ControlError, a FakeError or a CallError for a call that this contract does not allow. */
export function stubOfCall(contract: Contract, call: CallToRepeat): Stub {
  const operation = operationNamed(contract, call.operation);
  const [first] = call.requests;
  const when = first === undefined ? {} : asked(operation.input, first, contract);
  const answer = answerForm(call, operation, contract);
  const stub = checked(stubSchemas().stub, { operation: operation.id, when, ...answer }, []);
  compileStub(contract, stub, []);
  return stub;
}
