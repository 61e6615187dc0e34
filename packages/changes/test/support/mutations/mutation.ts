// What a mutation of a contract is, and where it acts.
import type { Random } from "./sample-message.ts";
import {
  FieldDescriptorProto_Type as Type,
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  type FileDescriptorProto,
} from "@bufbuild/protobuf/wkt";

export interface Draft {
  readonly file: FileDescriptorProto;
  readonly renamed: Record<string, string>;
  readonly random: Random;
  /** Different for each mutation of a contract. */
  readonly count: number;
}

/** Changes the draft, and says what it did; undefined when there is nothing that it could do. */
export type Mutation = (draft: Draft) => string | undefined;

export const scalarTypes = [
  Type.DOUBLE,
  Type.FLOAT,
  Type.INT64,
  Type.UINT64,
  Type.INT32,
  Type.FIXED64,
  Type.FIXED32,
  Type.BOOL,
  Type.STRING,
  Type.BYTES,
  Type.UINT32,
  Type.SFIXED32,
  Type.SFIXED64,
  Type.SINT32,
  Type.SINT64,
] as const;

export function one<T>(values: readonly T[], random: Random): T | undefined {
  return values[Math.floor(random() * values.length)];
}

export function someMessage({ file, random }: Draft): DescriptorProto | undefined {
  return one(file.messageType, random);
}

export function isFree({ proto3Optional, oneofIndex }: FieldDescriptorProto): boolean {
  return !proto3Optional && oneofIndex === undefined;
}

export function isScalar({ type }: FieldDescriptorProto): boolean {
  return type !== Type.MESSAGE && type !== Type.GROUP;
}

function someField(
  draft: Draft,
  isFit: (field: FieldDescriptorProto) => boolean,
): { readonly message: DescriptorProto; readonly field: FieldDescriptorProto } | undefined {
  const message = someMessage(draft);
  const field = one(message?.field.filter((candidate) => isFit(candidate)) ?? [], draft.random);
  return message === undefined || field === undefined ? undefined : { message, field };
}

export function onField(
  isFit: (field: FieldDescriptorProto) => boolean,
  act: (field: FieldDescriptorProto, message: DescriptorProto, draft: Draft) => string | undefined,
): Mutation {
  return (draft) => {
    const found = someField(draft, isFit);
    if (found === undefined) return undefined;
    const { message, field } = found;
    const name = `${message.name}.${field.name}`;
    const done = act(field, message, draft);
    return done === undefined ? undefined : `${name} ${done}`;
  };
}

export function onEnum(act: (desc: EnumDescriptorProto, draft: Draft) => string | undefined): Mutation {
  return (draft) => {
    const desc = one(draft.file.enumType, draft.random);
    if (desc === undefined) return undefined;
    const done = act(desc, draft);
    return done === undefined ? undefined : `${desc.name} ${done}`;
  };
}

/** Notes what a member of a message, enum or service is called, by the names from before, however often owner and member were renamed. */
export function noteRenaming({ renamed }: Draft, owner: string, before: string, after: string): void {
  const firstOwner = Object.keys(renamed).find((name) => renamed[name] === owner) ?? owner;
  const is = (name: string): boolean =>
    name.startsWith(`${firstOwner}.`) && renamed[name] === `${firstOwner}.${before}`;
  const origin = Object.keys(renamed).find((name) => is(name)) ?? `${firstOwner}.${before}`;
  renamed[origin] = `${firstOwner}.${after}`;
}

export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
