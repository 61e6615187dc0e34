// Checks that a request has its required fields: those that proto2 requires, and those that `google.api.field_behavior` marks as REQUIRED.
import type { DescField, DescMessage, DescOneof, Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { maxViolations, type FieldViolation } from "../basics/call-error.ts";
import { wholeField } from "../calls/field-masks.ts";
import { containsType } from "../descriptors/components.ts";
import type { Contract } from "../descriptors/contract.ts";
import { isSentAlways, messagesIn } from "./field-behavior.ts";
import { type Written, writtenIn, writtenOf } from "./partial-updates.ts";
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

/** Where in a request the check is, and what it has found so far. */
interface Visit {
  readonly contract: Contract;
  /** Whether masks are ignored. */
  readonly isWhole: boolean;
  readonly prefix: string;
  readonly written: Written;
  readonly found: FieldViolation[];
  /** Each message costs its fields. */
  readonly meter: CostMeter;
}

function visit(message: ReflectMessage, { contract, isWhole, prefix, written, found, meter }: Visit): void {
  meter.spend(messageCost + message.fields.length);
  const fields = isWhole ? undefined : (written ?? writtenOf(contract, message));
  for (const field of message.fields) {
    const path = `${prefix}${field.name}`;
    const branch = fields === undefined ? wholeField : fields.get(field);
    if (!message.isSet(field)) {
      const isExpected = field.presence === Presence.LEGACY_REQUIRED || branch === wholeField;
      if (isExpected && isRequired(field)) found.push(missing(path));
    } else if (field.message !== undefined && leadsToRequired(field.message) && branch !== undefined) {
      for (const [index, inner] of messagesIn(message, field)) {
        if (found.length >= maxViolations) return;
        const inside = branch === wholeField ? writtenIn(contract, message, field, inner) : branch;
        visit(inner, { contract, isWhole, prefix: `${path}${index}.`, written: inside, found, meter });
      }
    }
  }
  for (const group of message.desc.oneofs) {
    const isExpected = fields === undefined || group.fields.some((field) => fields.has(field));
    if (isExpected && isRequiredGroup(group) && message.oneofCase(group) === undefined)
      found.push(missing(`${prefix}${group.name}`, "exactly one field is required in oneof"));
  }
}

/** Undefined for a type without required fields. */
export function requiredFields(contract: Contract, input: DescMessage, isWhole: boolean): MissingFields | undefined {
  if (!leadsToRequired(input)) return undefined;
  return (request) => {
    const found: FieldViolation[] = [];
    visit(reflect(input, request, false), {
      contract,
      isWhole,
      prefix: "",
      written: undefined,
      found,
      meter: new CostMeter(),
    });
    return found;
  };
}
