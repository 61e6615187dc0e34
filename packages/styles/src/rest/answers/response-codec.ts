// Converts response messages to JSON bodies and back: the whole message, the field that `response_body` names, or no body.
import { create, type JsonObject, type JsonValue, type Message } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import type { Contract, HttpBinding, Operation } from "@roundtrip/contract";
import { jsonReader, jsonSubject, jsonWriter } from "../../shared/proto-json/exact-json.ts";
import { shortForm, type MessageJsonForm } from "../../shared/proto-json/json-form.ts";
import { messageFromJson } from "../../shared/proto-json/message-from-json.ts";
import { messageToJson, needsRegistry } from "../../shared/proto-json/message-to-json.ts";
import { messageToForm } from "../../shared/proto-json/message-to-form.ts";

/** Whether an operation answers 204 No Content: its answer is `google.protobuf.Empty`. */
export function answersNothing({ output, kind }: Operation): boolean {
  return output.typeName === EmptySchema.typeName && kind !== "server_streaming";
}

/** Writes a response's JSON; undefined for a response without body. */
export type WriteResponse = (response: Message) => string | undefined;

/** Reads a response body. Throws an Error if it does not match the contract. */
export type ReadResponse = (body: Uint8Array) => Message;

function bodyName(
  { output }: Operation,
  { responseBody }: HttpBinding,
  { hasContractNames }: MessageJsonForm,
): string | undefined {
  const field = output.fields.find((one) => one.name === responseBody);
  return hasContractNames ? field?.name : field?.jsonName;
}

export function messageWriter(
  { registry }: Contract,
  operation: Operation,
  binding: HttpBinding,
  form: MessageJsonForm = shortForm,
): (message: Message) => string {
  const { output } = operation;
  const write =
    form === shortForm
      ? messageToJson(output, needsRegistry(output) ? { registry } : undefined)
      : messageToForm(output, registry, form);
  const stringify = jsonWriter(jsonSubject(output, binding.responseBody));
  const name = bodyName(operation, binding, form);
  if (name === undefined) return (response) => stringify(write(response));
  const { hasContractNames } = form;
  const defaults = messageToForm(output, registry, { hasContractNames, hasUnsetFields: true })(
    create(output),
  ) as JsonObject;
  const absent = Object.hasOwn(defaults, name) ? (defaults[name] as JsonValue) : null;
  return (response) => {
    const json = write(response) as JsonObject;
    return stringify(Object.hasOwn(json, name) ? (json[name] as JsonValue) : absent);
  };
}

export function responseWriter(
  contract: Contract,
  operation: Operation,
  binding: HttpBinding,
  form: MessageJsonForm = shortForm,
): WriteResponse {
  return answersNothing(operation) ? () => undefined : messageWriter(contract, operation, binding, form);
}

const utf8 = new TextDecoder();

/** Compiles a reader of one message. Ignores unknown fields, because the server may be newer than the caller. */
export function messageReader(
  { registry }: Contract,
  operation: Operation,
  binding: HttpBinding,
): (json: JsonValue) => Message {
  const { output } = operation;
  const readMessage = messageFromJson(output, { registry, ignoreUnknownFields: true });
  const name = bodyName(operation, binding, shortForm);
  return (json) => readMessage(name === undefined ? json : { [name]: json });
}

export function responseReader(contract: Contract, operation: Operation, binding: HttpBinding): ReadResponse {
  const { output } = operation;
  if (answersNothing(operation)) return () => create(output);
  const parse = jsonReader(jsonSubject(output, binding.responseBody));
  const read = messageReader(contract, operation, binding);
  return (body) => read(parse(utf8.decode(body)));
}
