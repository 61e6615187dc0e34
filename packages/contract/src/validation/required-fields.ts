// Checks that a request has its required fields: those that proto2 requires, and those that `google.api.field_behavior` marks as REQUIRED.
import type { DescField, DescMessage, DescOneof, Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence as Presence, type FieldMask } from "@bufbuild/protobuf/wkt";
import { maxViolations, type FieldViolation } from "../basics/call-error.ts";
import { containsType } from "../descriptors/components.ts";
import { isSentAlways, messagesIn, updateMaskOf } from "./field-behavior.ts";
import { CostMeter, messageCost } from "./rule-cost.ts";

/** The violations of a request, in the order of its fields; empty if no required field is missing. Throws RESOURCE_EXHAUSTED for too many messages. */
export type MissingFields = (request: Message) => readonly FieldViolation[];

function isRequired(field: DescField): boolean {
  return field.oneof === undefined && (field.presence === Presence.LEGACY_REQUIRED || isSentAlways(field));
}

/** Whether one field of the group must be set: all are marked as required, and at most one can be set. */
function isRequiredGroup({ fields }: DescOneof): boolean {
  return fields.length > 0 && fields.every((field) => isSentAlways(field));
}

function hasOwn({ fields, oneofs }: DescMessage): boolean {
  return fields.some((field) => isRequired(field)) || oneofs.some((group) => isRequiredGroup(group));
}

/** Whether a required field can be reached from a type. */
const leadsToRequired = containsType(hasOwn);

function missing(path: string, description = "value is required"): FieldViolation {
  return { field: path, description, reason: "required" };
}

/** What is expected of a field: that it is set, that it is complete if it is set, or nothing. */
type Expected = "set" | "complete" | "nothing";
type Expects = (field: DescField) => Expected;

const everything: Expects = () => "set";

/** Where in a request the check is, and what it has found so far. */
interface Visit {
  readonly prefix: string;
  readonly expects: Expects;
  readonly found: FieldViolation[];
  /** Each message costs its fields. */
  readonly meter: CostMeter;
}

/** What a partial update expects of the messages beside its mask: what the mask names, or without a mask whatever is set. */
function expectedBeside(mask: DescField | undefined, request: ReflectMessage): Expects {
  if (mask?.fieldKind !== "message") return everything;
  const value = request.isSet(mask) ? (request.get(mask).message as FieldMask) : undefined;
  const paths = new Set(value?.paths);
  if (paths.has("*")) return everything;
  return ({ name }) => (paths.size === 0 ? "complete" : paths.has(name) ? "set" : "nothing");
}

function visit(message: ReflectMessage, { prefix, expects, found, meter }: Visit): void {
  meter.spend(messageCost + message.fields.length);
  const beside = prefix === "" ? expectedBeside(updateMaskOf(message.desc), message) : everything;
  for (const field of message.fields) {
    const path = `${prefix}${field.name}`;
    const expected = expects(field);
    if (!message.isSet(field)) {
      const isExpected = field.presence === Presence.LEGACY_REQUIRED || expected === "set";
      if (isExpected && isRequired(field)) found.push(missing(path));
    } else if (field.message !== undefined && leadsToRequired(field.message) && expected !== "nothing") {
      for (const [index, inner] of messagesIn(message, field)) {
        if (found.length >= maxViolations) return;
        visit(inner, { prefix: `${path}${index}.`, expects: beside, found, meter });
      }
    }
  }
  for (const group of message.desc.oneofs) {
    const isExpected = isRequiredGroup(group) && group.fields.some((field) => expects(field) === "set");
    if (isExpected && message.oneofCase(group) === undefined)
      found.push(missing(`${prefix}${group.name}`, "exactly one field is required in oneof"));
  }
}

/** Undefined for a type without required fields. */
export function requiredFields(input: DescMessage): MissingFields | undefined {
  if (!leadsToRequired(input)) return undefined;
  return (request) => {
    const found: FieldViolation[] = [];
    visit(reflect(input, request, false), { prefix: "", expects: everything, found, meter: new CostMeter() });
    return found;
  };
}
