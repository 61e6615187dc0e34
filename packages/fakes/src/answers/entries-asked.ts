// Entries of a made-up list, which have what the request asks for: a list of offers in Oslo has offers in Oslo.
import type { DescMessage, Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { Contract, Operation } from "@roundtrip/contract";
import { nounAfter } from "@roundtrip/contract/resources";
import { comparedFields, type Equality, equalities } from "../resources/list-filter.ts";
import { hasRulesInside } from "./rules.ts";

/** What the answers of an operation repeat. */
export interface Echo {
  /** Copies from a request to an answer. False when there was nothing to copy. */
  readonly copy: (request: Message, answer: Message) => boolean;
  /** Whether the answer has rules about what is repeated. */
  readonly hasRules: boolean;
}

export const nothing: Echo = { copy: () => false, hasRules: false };

function wrapped(wrapper: DescMessage, value: unknown): ReflectMessage {
  const made = reflect(wrapper);
  const [inner] = wrapper.fields;
  if (inner !== undefined) made.set(inner, value);
  return made;
}

/** Entries take turns where several values are asked for. */
function setAsked(entry: ReflectMessage, { inside, field, wanted }: Equality, index: number): void {
  const owner = inside === undefined ? entry : entry.get(inside);
  const value = wanted[index % wanted.length];
  if (field.fieldKind === "list") (owner.message as unknown as Record<string, unknown>)[field.localName] = [value];
  else if (field.fieldKind === "message") owner.set(field, wrapped(field.message, value));
  else owner.set(field, value);
  if (inside !== undefined) entry.set(inside, owner);
}

/** The fields that a request for a list compares with those of its entries, as it does for stored resources. */
export function entriesAsked(contract: Contract, operation: Operation): Echo {
  const { input, output, method } = operation;
  const [list, ...more] = output.fields.filter(
    ({ fieldKind, message }) => fieldKind === "list" && message !== undefined,
  );
  const entry = list?.message;
  if (nounAfter("list", method.name) === undefined || entry === undefined || more.length > 0) return nothing;
  const compared = comparedFields(contract, operation, entry);
  if (compared.length === 0) return nothing;
  const askedIn = equalities(input, compared);
  const copy: Echo["copy"] = (request, answer) => {
    const asked = askedIn(request);
    const entries = (answer as unknown as Record<string, readonly Message[]>)[list?.localName ?? ""] ?? [];
    for (const [index, message] of entries.entries())
      for (const each of asked) setAsked(reflect(entry, message, false), each, index);
    return asked.length > 0 && entries.length > 0;
  };
  return { copy, hasRules: hasRulesInside(output) };
}
