// The comments of a contract, found by what they stand above: they become the descriptions of every generated document.
import type {
  DescEnum,
  DescEnumValue,
  DescField,
  DescFile,
  DescMessage,
  DescMethod,
  DescOneof,
  DescService,
} from "@bufbuild/protobuf";

/** What a comment can stand above. */
export type Described = DescMessage | DescField | DescOneof | DescEnum | DescEnumValue | DescService | DescMethod;

// Field numbers in descriptor.proto: how source_code_info spells the place of an element.
const inFile = { message: 4, enum: 5, service: 6 } as const;
const inMessage = { field: 2, message: 3, enum: 4, oneof: 8 } as const;
const methodInService = 2;
const valueInEnum = 2;

function pathOf(desc: Described): readonly number[] {
  switch (desc.kind) {
    case "rpc":
      return [...pathOf(desc.parent), methodInService, desc.parent.methods.indexOf(desc)];
    case "service":
      return [inFile.service, desc.file.services.indexOf(desc)];
    case "message":
      return desc.parent === undefined
        ? [inFile.message, desc.file.messages.indexOf(desc)]
        : [...pathOf(desc.parent), inMessage.message, desc.parent.nestedMessages.indexOf(desc)];
    case "enum":
      return desc.parent === undefined
        ? [inFile.enum, desc.file.enums.indexOf(desc)]
        : [...pathOf(desc.parent), inMessage.enum, desc.parent.nestedEnums.indexOf(desc)];
    case "enum_value":
      return [...pathOf(desc.parent), valueInEnum, desc.parent.values.indexOf(desc)];
    case "field":
      return [...pathOf(desc.parent), inMessage.field, desc.parent.fields.indexOf(desc)];
    case "oneof":
      return [...pathOf(desc.parent), inMessage.oneof, desc.parent.proto.oneofDecl.indexOf(desc.proto)];
  }
}

function fileOf(desc: Described): DescFile {
  return desc.kind === "message" || desc.kind === "enum" || desc.kind === "service" ? desc.file : desc.parent.file;
}

const byFile = new WeakMap<DescFile, ReadonlyMap<string, string>>();

function commentsOf(file: DescFile): ReadonlyMap<string, string> {
  const known = byFile.get(file);
  if (known !== undefined) return known;
  const comments = new Map<string, string>();
  for (const { path, leadingComments } of file.proto.sourceCodeInfo?.location ?? []) {
    if (leadingComments !== "") comments.set(path.join("."), leadingComments.replaceAll(/^ /gm, "").trim());
  }
  byFile.set(file, comments);
  return comments;
}

/** The comment above an element, without comment marks; empty without one, or when the image was built without source info. */
export function commentAbove(desc: Described): string {
  return commentsOf(fileOf(desc)).get(pathOf(desc).join(".")) ?? "";
}
