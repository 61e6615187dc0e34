// Whether a message type has validation rules, of its own or in what it holds: what has none need not be looked at.
import { hasOption, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { field as fieldOption } from "./gen/buf/validate/validate_pb.ts";

/** The number of every option of buf.validate, on fields, messages and oneofs alike. */
export const validateOption = 1159;

/** Whether there is a rule about the message as a whole, or about one of its oneofs. */
export function hasOwnRules({ proto, oneofs }: DescMessage): boolean {
  return [proto, ...oneofs.map((oneof) => oneof.proto)].some(
    ({ options }) => options?.$unknown?.some(({ no }) => no === validateOption) === true,
  );
}

/** What must be set by the protocol itself is a rule too, which a validator may be asked to check. */
function isRuled(field: DescField): boolean {
  return field.presence === Presence.LEGACY_REQUIRED || hasOption(field, fieldOption);
}

const known = new WeakMap<DescMessage, boolean>();

/** The types that a message holds, itself among them, each with those that hold it. */
function holdersIn(message: DescMessage): ReadonlyMap<DescMessage, readonly DescMessage[]> {
  const holders = new Map<DescMessage, DescMessage[]>([[message, []]]);
  // What is added meanwhile is visited too.
  for (const [holder] of holders) {
    for (const { message: held } of holder.fields) {
      if (held === undefined) continue;
      const those = holders.get(held) ?? [];
      those.push(holder);
      holders.set(held, those);
    }
  }
  return holders;
}

/** Whether a message of this type, or one inside it, has any rule. Types may hold each other: each is looked at once. */
export function hasRules(message: DescMessage): boolean {
  const found = known.get(message);
  if (found !== undefined) return found;
  const holders = holdersIn(message);
  const ruled = [...holders.keys()].filter((one) => hasOwnRules(one) || one.fields.some(isRuled));
  for (const one of holders.keys()) known.set(one, false);
  for (let one = ruled.pop(); one !== undefined; one = ruled.pop()) {
    if (known.get(one) === true) continue;
    known.set(one, true);
    ruled.push(...(holders.get(one) ?? []));
  }
  return known.get(message) === true;
}
