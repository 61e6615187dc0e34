// Names for messages that are the answer of one operation (`…Response`), for documents.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { Operation } from "./contract.ts";

/** True for a message whose name makes it the answer of one operation. */
export function isAnswer(message: DescMessage): boolean {
  return /.Response$/.test(message.name);
}

/** Names after the content of an answer: `GetCustomerNameResponse` → `CustomerName`, `ListCustomersResponse` → `CustomerPage`. */
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
 * The answer of an operation without side effects that has the same fields as this one; undefined if there is none. A write then answers
 * with the type of the read.
 */
export function readAnswerLike(message: DescMessage, operations: readonly Operation[]): DescMessage | undefined {
  return operations
    .filter(({ sideEffects, kind, output }) => sideEffects === "none" && kind === "unary" && isAnswer(output))
    .map(({ output }) => output)
    .find((output) => areAlike(output, message));
}
