// Whether a message type, or a type in it, has validation rules. Messages without rules need no validation.
import { hasOption, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { field as fieldOption } from "../gen/buf/validate/validate_pb.ts";

/** The number of every option of buf.validate, on fields, messages and oneofs alike. */
export const validateOption = 1159;

/** Whether the message itself or one of its oneofs has a rule. */
export function hasOwnRules({ proto, oneofs }: DescMessage): boolean {
  return [proto, ...oneofs.map((oneof) => oneof.proto)].some(
    ({ options }) => options?.$unknown?.some(({ no }) => no === validateOption) === true,
  );
}

/** A field that proto2 requires counts as a rule, because a validator can check it. */
function isRuled(field: DescField): boolean {
  return field.presence === Presence.LEGACY_REQUIRED || hasOption(field, fieldOption);
}

const known = new WeakMap<DescMessage, boolean>();

/** The types in a message, including its own type, each with the types that contain it. */
function holdersIn(message: DescMessage): ReadonlyMap<DescMessage, readonly DescMessage[]> {
  const holders = new Map<DescMessage, DescMessage[]>([[message, []]]);
  // The loop also visits types that are added meanwhile.
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

/** Whether a message of this type, or one inside it, has any rule. Types can contain each other; each is checked once. */
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
