// A call that was made, as a stub that answers so from then on: with all that it was answered, errors with their details.
import { isObject } from "@roundtrip/contract";
import { fromJson, toJson, type DescMessage, type JsonValue } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import { answersWithStream } from "../../faults/operation-rules.ts";
import { operationNamed } from "../../basics/operation-named.ts";
import { isRedacted, redactedCopy, redactedText } from "../../recording/redacted.ts";
import { compileStub } from "../../stubs/compiled-stub.ts";
import { isWhole } from "../../stubs/read-message.ts";
import { stubOf } from "../../stubs/stub-form.ts";
import type { Stub } from "../../stubs/stub.ts";
import { ControlFault } from "./control-fault.ts";

/** What is told of a call: as `/calls` and `/send` have it. */
export interface CallToRepeat {
  readonly operation: string;
  /** In ProtoJSON, as the other messages. Of a stream, the first is what stubs are matched by. */
  readonly requests: readonly JsonValue[];
  readonly responses: readonly JsonValue[];
  readonly outcome: string;
  readonly message: string;
  readonly details: JsonValue;
}

/** A message as a file may have it: fields that must not be shown are masked. Throws a ControlFault for what is no such message. */
function shown(type: DescMessage, json: JsonValue, { registry }: Contract, alwaysEmitImplicit = false): JsonValue {
  try {
    const masked = redactedCopy(type, fromJson(type, json, { registry }), registry);
    return toJson(type, masked, { registry, alwaysEmitImplicit });
  } catch (cause) {
    throw new ControlFault(400, `here is no ${type.typeName}: ${(cause as Error).message}`, { cause });
  }
}

/** Without what is masked: nothing can be asked for by it. */
function withoutMasked(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(withoutMasked);
  if (!isObject(json)) return json;
  const kept = Object.entries(json).filter(([, value]) => value !== redactedText);
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutMasked(value)]));
}

/**
 * What a stub asks for to answer this request. Values of its own that are zero are said, so that a request for nothing does not stand for all;
 * what is not set is not, for GraphQL sends a mask where others send none.
 */
function asked(type: DescMessage, request: JsonValue, contract: Contract): JsonValue {
  const set = shown(type, request, contract);
  const all = shown(type, request, contract, true);
  if (isWhole(type) || !isObject(set) || !isObject(all)) return withoutMasked(set);
  const said = type.fields
    .filter((field) => !isRedacted(field))
    .flatMap(({ jsonName, fieldKind }): readonly (readonly [string, JsonValue])[] => {
      const value = set[jsonName] ?? (fieldKind === "scalar" || fieldKind === "enum" ? all[jsonName] : undefined);
      return value === undefined ? [] : [[jsonName, value]];
    });
  return withoutMasked(Object.fromEntries(said));
}

/** What is said of an error, and nothing of what is not. */
function errorForm({ outcome, message, details }: CallToRepeat): JsonValue {
  const said = isObject(details)
    ? Object.entries(details).filter(([, value]) => Object.keys(value ?? {}).length > 0)
    : [];
  return { code: outcome, message, ...(said.length === 0 ? {} : { details: Object.fromEntries(said) }) };
}

function answerForm(
  call: CallToRepeat,
  operation: Operation,
  contract: Contract,
): { readonly [name: string]: JsonValue } {
  const responses = call.responses.map((one) => shown(operation.output, one, contract));
  const error = call.outcome === "OK" ? {} : { error: errorForm(call) };
  if (answersWithStream(operation)) return { responses, ...error };
  return call.outcome === "OK" ? { response: responses[0] ?? {} } : error;
}

/** Throws a ControlFault, a FakeError or a CallError for what cannot have been a call of this contract. */
export function stubOfCall(contract: Contract, call: CallToRepeat): Stub {
  const operation = operationNamed(contract, call.operation);
  const [first] = call.requests;
  const when = first === undefined ? {} : asked(operation.input, first, contract);
  const stub = stubOf({ operation: operation.id, when, ...answerForm(call, operation, contract) }, []);
  compileStub(contract, stub, []);
  return stub;
}
