// Generated contracts: a file of enums, nested messages, and one service with HTTP bindings.
import { create, isFieldSet, setExtension } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  MethodOptions_IdempotencyLevel as Level,
  MethodOptionsSchema,
  type FileDescriptorProto,
  type MethodOptions,
} from "@bufbuild/protobuf/wkt";
import { http } from "@roundtrip/contract/gen/google/api/annotations_pb";
import { HttpRuleSchema } from "@roundtrip/contract/gen/google/api/http_pb";
import * as fc from "fast-check";
import { fieldNames, madeUpMessage, messageSpec, type MessageSpec } from "./made-up-message.ts";

interface OperationSpec {
  readonly kind: "unary" | "server" | "client" | "both";
  readonly input: number;
  readonly output: number;
  readonly verb: "get" | "post" | "put" | "patch" | "delete" | "none";
  readonly readsOnly: boolean;
  /** Selects the request field in the path, among the possible ones. */
  readonly pathField: number | undefined;
  readonly takesRest: boolean;
  readonly customVerb: boolean;
  /** Selects the request field that is the body; undefined uses all remaining fields. */
  readonly bodyField: number | undefined;
  readonly responseField: number | undefined;
}

const index = fc.nat({ max: 20 });
const nowAndThen = fc.option(index, { nil: undefined, freq: 2 });
const rarely = fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: index });

const operationSpec: fc.Arbitrary<OperationSpec> = fc.record({
  kind: fc.oneof(fc.constant("unary" as const), fc.constantFrom("server" as const, "client" as const, "both" as const)),
  input: index,
  output: index,
  verb: fc.constantFrom("none", "post", "get", "put", "patch", "delete"),
  readsOnly: fc.boolean(),
  pathField: nowAndThen,
  takesRest: fc.boolean(),
  customVerb: fc.boolean(),
  bodyField: nowAndThen,
  responseField: rarely,
});

interface EnumSpec {
  readonly values: readonly { readonly name: string; readonly number: number }[];
  /** Several names may share a number, and zero is an ordinary value. */
  readonly alias: boolean;
}

const enumValue = fc.record({
  name: fc.constantFrom("RED", "GREEN", "V2", "true", "Mixed", "ZERO", "COLOUR0_ODD"),
  number: fc.constantFrom(1, 2, -1, -(2 ** 31), 2 ** 31 - 1, 7),
});

const enumSpec: fc.Arbitrary<EnumSpec> = fc.record({
  alias: fc.boolean(),
  values: fc.uniqueArray(enumValue, { maxLength: 4, selector: ({ name }) => name }),
});

/** Enums share one scope, so the names of their values contain the name of the enum. The zero value is "unspecified" or an ordinary value. */
function enumProto(spec: EnumSpec, at: number) {
  const prefix = `COLOUR${at}`;
  const zero = { name: `${prefix}_${spec.alias ? "NONE" : "UNSPECIFIED"}`, number: 0 };
  const seen = new Set([0]);
  const others = spec.values
    .map(({ name, number }) => ({ name: `${prefix}_${name}`, number }))
    .filter(({ number }) => spec.alias || (!seen.has(number) && seen.add(number) !== undefined));
  const hasAlias = new Set(others.map(({ number }) => number)).size < others.length;
  return { name: `Colour${at}`, value: [zero, ...others], ...(hasAlias ? { options: { allowAlias: true } } : {}) };
}

const inPath = new Set([Type.STRING, Type.INT32, Type.INT64, Type.UINT64, Type.BOOL, Type.ENUM, Type.SINT32]);

/** Zero if it is not set. */
const { oneofIndex } = FieldDescriptorProtoSchema.field;

/** One of these; undefined if there are none or `which` is undefined. */
function pick<T>(from: readonly T[], which: number | undefined): T | undefined {
  return which === undefined || from.length === 0 ? undefined : from[which % from.length];
}

function methodOptions(spec: OperationSpec, at: number, file: FileDescriptorProto): MethodOptions {
  const options = create(MethodOptionsSchema);
  const takesStream = spec.kind === "client" || spec.kind === "both";
  // A stream of requests is a body, which GET and DELETE do not have.
  const verb = takesStream && (spec.verb === "get" || spec.verb === "delete") ? "post" : spec.verb;
  if (spec.readsOnly || verb === "get") options.idempotencyLevel = Level.NO_SIDE_EFFECTS;
  if (verb === "none") return options;
  const input = file.messageType[spec.input % file.messageType.length];
  const output = file.messageType[spec.output % file.messageType.length];
  const fit = (input?.field ?? []).filter(
    (field) => field.label !== Label.REPEATED && !isFieldSet(field, oneofIndex) && inPath.has(field.type),
  );
  const taken = pick(fit, spec.pathField);
  const pattern = taken?.type === Type.STRING && spec.takesRest ? "=**" : "";
  const path = `/v1/op${at}${taken === undefined ? "" : `/{${taken.name}${pattern}}`}${spec.customVerb && pattern === "" ? ":act" : ""}`;
  const hasBody = verb === "post" || verb === "put" || verb === "patch";
  const bodyField = pick(
    (input?.field ?? []).filter((field) => field !== taken),
    spec.bodyField,
  );
  const rule = create(HttpRuleSchema, {
    pattern: { case: verb, value: path },
    body: hasBody ? (bodyField?.name ?? "*") : "",
    responseBody: pick(output?.field ?? [], spec.responseField)?.name ?? "",
  });
  setExtension(options, http, rule);
  return options;
}

function fileOf(
  messages: readonly MessageSpec[],
  names: readonly string[],
  enums: readonly EnumSpec[],
  operations: readonly OperationSpec[],
): FileDescriptorProto {
  const scope = { messages: messages.length, enums: enums.length, protoPackage: "made.up.v1" };
  // Names are drawn once for the whole file; each message starts at a different name.
  const messageType = messages.map((spec, at) => {
    const own = spec.fields.map((_, field) => names[(at * 3 + field) % names.length] ?? "");
    return madeUpMessage(spec, at, own, scope);
  });
  const file = create(FileDescriptorProtoSchema, {
    name: "made/up/v1/up.proto",
    package: scope.protoPackage,
    syntax: "proto3",
    dependency: ["google/api/annotations.proto", ...wellKnownFiles],
    enumType: enums.map(enumProto),
    messageType,
  });
  file.service = create(FileDescriptorProtoSchema, {
    service: [
      {
        name: "Service",
        method: operations.map((spec, at) => ({
          name: `Do${at}`,
          inputType: `.made.up.v1.Message${spec.input % messages.length}`,
          outputType: `.made.up.v1.Message${spec.output % messages.length}`,
          clientStreaming: spec.kind === "client" || spec.kind === "both",
          serverStreaming: spec.kind === "server" || spec.kind === "both",
          options: methodOptions(spec, at, file),
        })),
      },
    ],
  }).service;
  return file;
}

const wellKnownFiles = ["any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers"].map(
  (name) => `google/protobuf/${name}.proto`,
);

/** Files in proto3 with a service. Together, its requests and answers use every feature of the language. */
export const madeUpFile: fc.Arbitrary<FileDescriptorProto> = fc
  .tuple(
    fc.array(messageSpec, { minLength: 1, maxLength: 4 }),
    fieldNames(8),
    fc.array(enumSpec, { minLength: 1, maxLength: 2 }),
    fc.array(operationSpec, { minLength: 1, maxLength: 4 }),
  )
  .map(([messages, names, enums, operations]) => fileOf(messages, names, enums, operations));
