// What can happen to a field.
import { create } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldDescriptorProtoSchema,
  OneofDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import { isFree, isScalar, noteRenaming, one, onField, scalarTypes, someMessage, type Mutation } from "./mutation.ts";

export const fieldMutations: Readonly<Record<string, Mutation>> = {
  rename: onField(
    () => true,
    (field, message, draft) => {
      const name = `renamed${draft.count}`;
      noteRenaming(draft, message.name, field.name, name);
      field.name = name;
      field.jsonName = name;
      return `renamed to ${name}`;
    },
  ),
  renameKeepingJson: onField(
    () => true,
    (field, message, draft) => {
      const name = `renamed_${draft.count}`;
      noteRenaming(draft, message.name, field.name, name);
      field.name = name;
      return `renamed to ${name}, not in JSON`;
    },
  ),
  renumber: onField(
    () => true,
    (field, _message, { count }) => {
      field.number = 40 + count;
      return `has number ${field.number}`;
    },
  ),
  swapNumbers: onField(
    () => true,
    (field, message, { random }) => {
      const other = one(message.field, random);
      if (other === undefined || other === field) return undefined;
      [field.number, other.number] = [other.number, field.number];
      return `swaps its number with ${other.name}`;
    },
  ),
  retype: onField(
    (field) => isScalar(field),
    (field, _message, { random }) => {
      const type = one(scalarTypes, random) ?? Type.STRING;
      if (type === field.type) return undefined;
      const was = Type[field.type];
      field.type = type;
      field.typeName = "";
      // Rules are for the type from before.
      field.options = undefined;
      return `is ${Type[type]} instead of ${was}`;
    },
  ),
  toEnum: onField(
    (field) => isScalar(field) && field.type !== Type.ENUM,
    (field, _message, { file, random }) => {
      const desc = one(file.enumType, random);
      if (desc === undefined) return undefined;
      field.type = Type.ENUM;
      field.typeName = `.${file.package}.${desc.name}`;
      field.options = undefined;
      return `is ${desc.name}`;
    },
  ),
  toList: onField(
    (field) => isFree(field) && field.label !== Label.REPEATED,
    (field) => {
      field.label = Label.REPEATED;
      field.options = undefined;
      return "is a list";
    },
  ),
  toOne: onField(
    (field) => isScalar(field) && field.label === Label.REPEATED,
    (field) => {
      field.label = Label.OPTIONAL;
      return "is a list no longer";
    },
  ),
  toOptional: onField(
    (field) => isFree(field) && isScalar(field) && field.label !== Label.REPEATED,
    (field, message) => {
      message.oneofDecl.push(create(OneofDescriptorProtoSchema, { name: `_${field.name}` }));
      field.proto3Optional = true;
      field.oneofIndex = message.oneofDecl.length - 1;
      return "is optional";
    },
  ),
  intoOneof: onField(
    (field) => isFree(field) && field.label !== Label.REPEATED,
    (field, message, { count }) => {
      // Oneofs of optional fields come last.
      if (message.oneofDecl.length > 0) return undefined;
      message.oneofDecl.push(create(OneofDescriptorProtoSchema, { name: `choice${count}` }));
      field.oneofIndex = 0;
      return "is in a oneof";
    },
  ),
  remove: onField(
    (field) => isFree(field),
    (field, message) => {
      message.field.splice(message.field.indexOf(field), 1);
      return "is removed";
    },
  ),
  add: (draft) => {
    const message = someMessage(draft);
    if (message === undefined) return undefined;
    const type = one(scalarTypes, draft.random) ?? Type.STRING;
    const name = `added${draft.count}`;
    const label = draft.random() < 0.5 ? Label.OPTIONAL : Label.REPEATED;
    message.field.push(
      create(FieldDescriptorProtoSchema, { name, jsonName: name, number: 60 + draft.count, type, label }),
    );
    return `${message.name}.${name} is added`;
  },
};
