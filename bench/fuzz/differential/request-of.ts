// Requests for an operation. Most of them fit its path and its rules.
import { create, ScalarType, type DescField, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import type { Contract, Operation, PathSegment } from "@roundtrip/contract";
import * as fc from "fast-check";
import { messageArbitrary } from "../arbitraries/message.ts";
import { ruleValues } from "../arbitraries/rule-values.ts";
import { scalarValue } from "../arbitraries/scalar-values.ts";

/** The nesting depth of recursive types. Every style supports it. */
export const maxDepth = 3;

const text = scalarValue(ScalarType.STRING) as fc.Arbitrary<string>;
const part = text.filter((value) => value !== "" && !value.includes("/"));

/** Text that a variable of a path template accepts. */
function fittingText(segments: readonly PathSegment[]): fc.Arbitrary<string> {
  const [only] = segments;
  if (segments.length === 1 && only?.kind === "one") return text.filter((value) => value !== "");
  const parts = segments.map((segment): fc.Arbitrary<readonly string[]> => {
    if (segment.kind === "literal") return fc.constant([segment.text]);
    return segment.kind === "one" ? part.map((value) => [value]) : fc.array(part, { minLength: 1, maxLength: 3 });
  });
  return fc.tuple(...parts).map((all) => all.flat().join("/"));
}

function setAlong(message: ReflectMessage, [name, ...rest]: readonly string[], value: string): void {
  const field = message.fields.find((candidate) => candidate.name === name);
  if (field === undefined) return;
  if (rest.length === 0) {
    if (field.scalar === ScalarType.STRING) message.set(field, value);
    return;
  }
  const inner = message.get(field) as ReflectMessage;
  setAlong(inner, rest, value);
  message.set(field, inner);
}

/** Requests for an operation; most of them fit its path. */
export function requestOf(operation: Operation, contract: Contract): fc.Arbitrary<Message> {
  const { input, output, readMask, bindings } = operation;
  const maskValues = readMask?.message === undefined ? undefined : maskOf(readMask, output.fields);
  const valuesOf = (field: DescField) => {
    if (field === readMask) return maskValues;
    return field.name === "update_mask" ? maskOf(field, output.fields) : ruleValues(field);
  };
  const messages = messageArbitrary(input, { registry: contract.registry, maxDepth, valuesOf });
  const { path } = bindings[0];
  if (path.variables.length === 0) return messages;
  const texts = path.variables.map(({ start, end }) => fittingText(path.segments.slice(start, end)));
  return fc.tuple(messages, fc.tuple(...texts), fc.integer({ min: 0, max: 9 })).map(([message, fitting, chance]) => {
    if (chance === 9) return message;
    // The drawn message stays unchanged, because shrinking uses it again.
    const copy = reflect(input, structuredClone(message));
    for (const [index, { fieldPath }] of path.variables.entries()) setAlong(copy, fieldPath, fitting[index] ?? "");
    return copy.message;
  });
}

function maskOf(readMask: DescField, fields: readonly DescField[]): fc.Arbitrary<unknown> {
  const { message } = readMask;
  if (message === undefined) throw new Error(`${readMask.name} is no message`);
  return fc
    .subarray(
      fields.map(({ name }) => name),
      { minLength: 1 },
    )
    .map((paths) => reflect(message, create(message, { paths })));
}

/** Applies a read mask as a service does: the answer has only the fields that it names. */
export function masked({ readMask, input, output }: Operation, request: Message, answer: Message): Message {
  if (readMask === undefined) return answer;
  const reflected = reflect(input, request);
  if (!reflected.isSet(readMask)) return answer;
  const { paths } = (reflected.get(readMask) as ReflectMessage).message as FieldMask;
  const copy = reflect(output, structuredClone(answer));
  for (const field of output.fields) if (!paths.includes(field.name)) copy.clear(field);
  return copy.message;
}
