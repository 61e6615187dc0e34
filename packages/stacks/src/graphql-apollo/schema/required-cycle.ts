// Messages that must be given inside themselves.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { mustBeGiven } from "@roundtrip/contract/field-rules";

/** True when a message must be given inside itself. Nobody can keep such a rule, and GraphQL refuses to write it down. */
export function closesRequiredCycle(field: DescField): boolean {
  const seen = new Set<DescMessage>();
  const leadsBack = (message: DescMessage | undefined): boolean => {
    if (message === field.parent) return true;
    if (message === undefined || seen.has(message)) return false;
    seen.add(message);
    return message.fields.some(
      (inner) => inner.fieldKind === "message" && mustBeGiven(inner) && leadsBack(inner.message),
    );
  };
  return field.fieldKind === "message" && leadsBack(field.message);
}
