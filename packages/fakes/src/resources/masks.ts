// Read masks of a fake: where their paths start, and how an answer is reduced to them.
import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import type { Operation } from "@roundtrip/contract";
import { type MaskedFields, picked, readTrees } from "@roundtrip/contract/field-masks";
import { type Resource, soleMessageField } from "@roundtrip/contract/resources";
import { suggestion } from "@roundtrip/contract/text";
import { maskProperty } from "./request-properties.ts";

/** The message inside an answer that the mask applies to. @param resource what the operation is about, if that is known */
export function insideOf({ output }: Operation, resource?: Resource): DescField | undefined {
  if (output === resource?.message) return undefined;
  const own = output.fields.find(({ fieldKind, message }) => fieldKind !== "map" && message === resource?.message);
  if (own?.message !== undefined) return own;
  if (!/(?:Response|Reply|Result)$/.test(output.name)) return undefined;
  return soleMessageField(output, "message") ?? soleMessageField(output, "list");
}

export const maskNames = ["read_mask", "field_mask", "fields"];

/** Reduces an answer to the fields that a request asks for. */
export type Reading = (answer: Message) => Message;

const whole: Reading = (answer) => answer;

/** Reduces the messages in one field of an answer, single or repeated, to a mask. */
function pickedInside(output: DescMessage, field: DescField, tree: MaskedFields, answer: Message): Message {
  const copy = Object.assign(create(output), answer);
  const properties = copy as unknown as Record<string, Message | readonly Message[] | undefined>;
  const cut = (message: Message): Message => picked(field.message as DescMessage, tree, message);
  const inside = properties[field.localName];
  if (Array.isArray(inside)) properties[field.localName] = inside.map(cut);
  else if (inside !== undefined) properties[field.localName] = cut(inside as Message);
  return copy;
}

/**
 * The read masks of an operation's requests (AIP-157). Paths start at the answer or, if it wraps the requested message, at that message: both are
 * in use. The result validates a request before any lookup: it throws INVALID_ARGUMENT for unknown fields.
 * @param inside the field of the answer that contains the requested message
 */
export function readMasks({ input, output }: Operation, inside: DescField | undefined): (request: Message) => Reading {
  const mask = maskProperty(input, maskNames);
  if (mask === undefined) return () => whole;
  const descs = [output, ...(inside?.message === undefined ? [] : [inside.message])];
  return (request) => {
    const [outer, inner] = readTrees(descs, mask.read(request), mask.name, suggestion) ?? [];
    if (outer === undefined) return whole;
    return (answer) => {
      const outside = outer.size === 0 ? answer : picked(output, outer, answer);
      return inside === undefined || inner === undefined || inner.size === 0
        ? outside
        : pickedInside(output, inside, inner, outside);
    };
  };
}
