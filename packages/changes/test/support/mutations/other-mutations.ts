// What can happen to enums, messages and operations.
import { create } from "@bufbuild/protobuf";
import { EnumValueDescriptorProtoSchema, MethodDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { noteRenaming, one, onEnum, someMessage, type Mutation } from "./mutation.ts";

export const otherMutations: Readonly<Record<string, Mutation>> = {
  renameValue: onEnum((desc, draft) => {
    const value = one(desc.value.slice(1), draft.random);
    if (value === undefined) return undefined;
    const name = `${desc.name.toUpperCase()}_OTHER${draft.count}`;
    noteRenaming(draft, desc.name, value.name, name);
    value.name = name;
    return `has a value renamed to ${name}`;
  }),
  renumberValue: onEnum((desc, { random, count }) => {
    const value = one(desc.value.slice(1), random);
    if (value === undefined) return undefined;
    value.number = 40 + count;
    return `has another number for ${value.name}`;
  }),
  addValue: onEnum((desc, { count }) => {
    const name = `${desc.name.toUpperCase()}_MORE${count}`;
    desc.value.push(create(EnumValueDescriptorProtoSchema, { name, number: 60 + count }));
    return `has a value more, ${name}`;
  }),
  removeValue: onEnum((desc) => {
    if (desc.value.length < 3) return undefined;
    return `has lost ${desc.value.pop()?.name}`;
  }),
  renameMessage: (draft) => {
    const message = someMessage(draft);
    if (message === undefined) return undefined;
    const [before, after] = [message.name, `Other${draft.count}`];
    const full = (name: string): string => `.${draft.file.package}.${name}`;
    const moved = (name: string): string =>
      name === full(before) ? full(after) : name.replace(`${full(before)}.`, `${full(after)}.`);
    for (const { field } of draft.file.messageType) for (const each of field) each.typeName = moved(each.typeName);
    for (const { method } of draft.file.service) {
      for (const rpc of method) {
        rpc.inputType = moved(rpc.inputType);
        rpc.outputType = moved(rpc.outputType);
      }
    }
    draft.renamed[before] = after;
    message.name = after;
    return `${before} is ${after}`;
  },
  renameMethod: (draft) => {
    const service = one(draft.file.service, draft.random);
    const method = one(service?.method ?? [], draft.random);
    if (service === undefined || method === undefined) return undefined;
    const name = `Renamed${draft.count}`;
    noteRenaming(draft, service.name, method.name, name);
    const before = method.name;
    method.name = name;
    return `${before} is ${name}`;
  },
  removeMethod: (draft) => {
    const service = one(draft.file.service, draft.random);
    if (service === undefined || service.method.length < 2) return undefined;
    return `${service.method.pop()?.name} is removed`;
  },
  addMethod: (draft) => {
    const service = one(draft.file.service, draft.random);
    const method = one(service?.method ?? [], draft.random);
    if (service === undefined || method === undefined) return undefined;
    const { inputType, outputType } = method;
    service.method.push(create(MethodDescriptorProtoSchema, { name: `Added${draft.count}`, inputType, outputType }));
    return `Added${draft.count} is added`;
  },
};
