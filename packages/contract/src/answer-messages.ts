// Messages that are the answer of one operation (`…Response`) rather than data with a name of its own: what documents call them.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { Operation } from "./contract.ts";

/** True for a message that is named as the answer of one operation. */
export function isAnswer(message: DescMessage): boolean {
  return /.Response$/.test(message.name);
}

/** Names by what is in an answer: `GetCustomerNameResponse` → `CustomerName`, `ListCustomersResponse` → `CustomerPage`; else none. */
export function answerNames({ name, fields }: DescMessage): readonly string[] {
  const [, verb, rest = ""] = /^(Get|List)([A-Z].*)Response$/.exec(name) ?? [];
  if (verb === "Get") return [rest];
  if (verb !== "List") return [];
  const element = fields.find((field) => field.fieldKind === "list")?.message?.name;
  return [...(element === undefined ? [] : [`${element}Page`]), `${rest}Page`];
}

function isSameField(one: DescField, other: DescField | undefined): boolean {
  return (
    one.fieldKind !== "map" &&
    one.oneof === undefined &&
    other?.oneof === undefined &&
    one.name === other?.name &&
    one.fieldKind === other.fieldKind &&
    one.scalar === other.scalar &&
    one.enum === other.enum &&
    one.message === other.message &&
    one.presence === other.presence
  );
}

function areAlike(a: DescMessage, b: DescMessage): boolean {
  return a.fields.length === b.fields.length && a.fields.every((field, index) => isSameField(field, b.fields[index]));
}

/**
 * The answer of an operation without side effects that has the same fields as this one; undefined when there is none. What a write
 * answers is then the type that a read answers.
 */
export function readAnswerLike(message: DescMessage, operations: readonly Operation[]): DescMessage | undefined {
  return operations
    .filter(({ sideEffects, kind, output }) => sideEffects === "none" && kind === "unary" && isAnswer(output))
    .map(({ output }) => output)
    .find((output) => areAlike(output, message));
}
