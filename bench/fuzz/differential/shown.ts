// A failing case for people: the contract in protobuf's language, the request and the reply as lines.
import { getExtension, hasExtension } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  type DescriptorProto,
  type FieldDescriptorProto,
  type FileDescriptorProto,
  type MethodDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import { CallError, type Contract } from "@roundtrip/contract";
import { http } from "@roundtrip/contract/gen/google/api/annotations_pb";
import { messageLines } from "./message-lines.ts";
import type { Sample } from "./sample.ts";

function typeOf({ type, typeName }: FieldDescriptorProto): string {
  return typeName === "" ? (Type[type]?.toLowerCase() ?? "") : typeName.replace(/^\.(made\.up\.v1\.)?/, "");
}

function fieldLine(field: FieldDescriptorProto, { nestedType, oneofDecl }: DescriptorProto): string {
  const entry = nestedType.find(({ name }) => field.typeName.endsWith(`.${name}`));
  const [key, value] = entry?.field ?? [];
  if (key !== undefined && value !== undefined) {
    return `  map<${typeOf(key)}, ${typeOf(value)}> ${field.name} = ${field.number};`;
  }
  const { oneofIndex, proto3Optional, label } = field;
  const oneof = oneofIndex === undefined || proto3Optional ? "" : `  // of oneof ${oneofDecl[oneofIndex]?.name ?? ""}`;
  const prefix = proto3Optional ? "optional " : label === Label.REPEATED ? "repeated " : "";
  return `  ${prefix}${typeOf(field)} ${field.name} = ${field.number};${oneof}`;
}

function methodLines({ name, inputType, outputType, options }: MethodDescriptorProto): string[] {
  const rule = options !== undefined && hasExtension(options, http) ? getExtension(options, http) : undefined;
  const { case: verb, value: path } = rule?.pattern ?? {};
  const binding =
    rule === undefined
      ? ""
      : `  // ${verb}: "${typeof path === "string" ? path : ""}" body: "${rule.body}" response_body: "${rule.responseBody}"`;
  const types = [inputType, outputType].map((type) => type.replace(".made.up.v1.", ""));
  return [`  rpc ${name}(${types[0]}) returns (${types[1]});${binding}`];
}

/** The file as one would write it, as far as made-up contracts go. */
export function shownContract({ enumType, messageType, service }: FileDescriptorProto): string {
  const enums = enumType.map(
    ({ name, value }) => `enum ${name} { ${value.map((one) => `${one.name} = ${one.number};`).join(" ")} }`,
  );
  const messages = messageType.map(
    (message) => `message ${message.name} {\n${message.field.map((field) => fieldLine(field, message)).join("\n")}\n}`,
  );
  const services = service.map(({ name, method }) => `service ${name} {\n${method.flatMap(methodLines).join("\n")}\n}`);
  return [...enums, ...messages, ...services].join("\n");
}

/** The operation with its HTTP binding, the request, and what the handler replies. */
export function shownSample({ operation, request, reply }: Sample, { registry }: Contract): string {
  const { method, path, body, responseBody } = operation.bindings[0];
  const lines = [...messageLines("request", operation.input, request, registry)];
  if (reply instanceof CallError)
    lines.push(["reply", `${reply.code} ${JSON.stringify(reply.message)} ${JSON.stringify(reply.details)}`]);
  else lines.push(...messageLines("reply", operation.output, reply, registry));
  return [
    `${operation.id} (${method} ${path.source} body: "${body}" response_body: "${responseBody}")`,
    ...lines.map(([place, value]) => `  ${place} = ${value}`),
  ].join("\n");
}
