// Response messages to JSON bodies and back: the whole message, the one field that `response_body` names, or nothing at all.
import {
  create,
  fromJson,
  toJson,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type Message,
} from "@bufbuild/protobuf";
import { AnySchema, EmptySchema } from "@bufbuild/protobuf/wkt";
import type { Contract, HttpBinding, Operation } from "@roundtrip/contract";

/** Whether an operation answers 204 No Content: `google.protobuf.Empty` says that there is nothing to say. */
export function answersNothing({ output }: Operation): boolean {
  return output.typeName === EmptySchema.typeName;
}

/** Writes a response's JSON; undefined for a response without body. */
export type WriteResponse = (response: Message) => string | undefined;

/** Reads a response's body. Throws an Error for a body that is not of the contract. */
export type ReadResponse = (body: Buffer) => Message;

function bodyName({ output }: Operation, { responseBody }: HttpBinding): string | undefined {
  return output.fields.find((field) => field.name === responseBody)?.jsonName;
}

/** Whether a message can hold what only a registry knows: an Any, or extensions. Options cost each answer a copy of them. */
function needsRegistry(message: DescMessage, seen = new Set<DescMessage>()): boolean {
  if (seen.has(message)) return false;
  seen.add(message);
  return (
    message.typeName === AnySchema.typeName ||
    message.proto.extensionRange.length > 0 ||
    message.fields.some((field) => field.message !== undefined && needsRegistry(field.message, seen))
  );
}

/** Compiles how responses of an operation are written. Fields with their default value are left out, as ProtoJSON asks. */
export function responseWriter({ registry }: Contract, operation: Operation, binding: HttpBinding): WriteResponse {
  if (answersNothing(operation)) return () => undefined;
  const { output } = operation;
  const options = needsRegistry(output) ? { registry } : undefined;
  const name = bodyName(operation, binding);
  if (name === undefined) return (response) => JSON.stringify(toJson(output, response, options));
  const defaults = toJson(output, create(output), { registry, alwaysEmitImplicit: true }) as JsonObject;
  const absent = Object.hasOwn(defaults, name) ? (defaults[name] as JsonValue) : null;
  return (response) => {
    const json = toJson(output, response, options) as JsonObject;
    return JSON.stringify(Object.hasOwn(json, name) ? json[name] : absent);
  };
}

/** Compiles how responses of an operation are read. Unknown fields are passed over: the server may be newer than the caller. */
export function responseReader({ registry }: Contract, operation: Operation, binding: HttpBinding): ReadResponse {
  const { output } = operation;
  if (answersNothing(operation)) return () => create(output);
  const options = { registry, ignoreUnknownFields: true };
  const name = bodyName(operation, binding);
  return (body) => {
    const json = JSON.parse(body.toString()) as JsonValue;
    return fromJson(output, name === undefined ? json : { [name]: json }, options);
  };
}
