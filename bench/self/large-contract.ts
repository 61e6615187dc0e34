// A contract of any size, like large real ones: resources with nested parts, and the standard methods of each.
import { create, fromJson, toBinary, type JsonObject } from "@bufbuild/protobuf";
import { file_google_protobuf_timestamp, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

/** Messages for each resource: the resource, a part of it, and the requests and answers of its methods. */
const messagesPerResource = 7;

function field(name: string, number: number, type: string): JsonObject {
  const kind =
    /^[A-Z]/.test(type) || type.startsWith(".")
      ? { type: "TYPE_MESSAGE", typeName: type }
      : { type: `TYPE_${type.toUpperCase()}` };
  const jsonName = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { name, jsonName, number, ...kind };
}

function resourceFile(index: number): JsonObject {
  const name = `Thing${index}`;
  const packageName = `acme.things${index}.v1`;
  const own = (type: string): string => `.${packageName}.${type}`;
  const list = { label: "LABEL_REPEATED" };
  const messageType = [
    {
      name,
      field: [
        field("name", 1, "string"),
        field("display_name", 2, "string"),
        field("create_time", 3, ".google.protobuf.Timestamp"),
        field("size_bytes", 4, "int64"),
        { ...field("parts", 5, own("Part")), ...list },
        field("mail_address", 6, "string"),
      ],
    },
    {
      name: "Part",
      field: [field("label", 1, "string"), field("weight", 2, "double"), field("inner", 3, own("Part"))],
    },
    { name: `Get${name}Request`, field: [field("name", 1, "string")] },
    { name: `List${name}sRequest`, field: [field("page_size", 1, "int32"), field("page_token", 2, "string")] },
    {
      name: `List${name}sResponse`,
      field: [{ ...field("things", 1, own(name)), ...list }, field("next_page_token", 2, "string")],
    },
    { name: `Create${name}Request`, field: [field("thing", 1, own(name))] },
    { name: `Update${name}Request`, field: [field("thing", 1, own(name))] },
  ];
  const method = [
    [`Get${name}`, name],
    [`List${name}s`, `List${name}sResponse`],
    [`Create${name}`, name],
    [`Update${name}`, name],
  ].map(([called = "", answer = ""]) => ({
    name: called,
    inputType: own(`${called}Request`),
    outputType: own(answer),
  }));
  return {
    name: `acme/things${index}/v1/things.proto`,
    package: packageName,
    syntax: "proto3",
    dependency: ["google/protobuf/timestamp.proto"],
    messageType,
    service: [{ name: `${name}Service`, method }],
  };
}

export function largeImage(messages: number): Uint8Array {
  const resources = Math.ceil(messages / messagesPerResource);
  const { file } = fromJson(FileDescriptorSetSchema, {
    file: Array.from({ length: resources }, (_, index) => resourceFile(index + 1)),
  });
  const set = create(FileDescriptorSetSchema, { file: [file_google_protobuf_timestamp.proto, ...file] });
  return toBinary(FileDescriptorSetSchema, set);
}
