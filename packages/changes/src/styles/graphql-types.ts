// Changes of types that graphql-js' comparison by names does not judge: those that keep the JSON of values, and those in types that have another name.
import { isReceived, isSent, type Change } from "../diff/change.ts";
import { numericForms, valueTypeOf } from "../diff/value-type.ts";
import { type ComparedContracts, breaks, safe, type Judgement } from "../judgement.ts";
import { judgePresence } from "../shared/change-table.ts";
import { judgeInJson } from "../shared/json-messages.ts";
import { isSameJson, judgeJsonType } from "../shared/json-types.ts";
import { typeNames } from "./graphql-names.ts";
import type { DescField, DescEnum, DescMessage } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { hasOwnJson, type Contract } from "@roundtrip/contract";
import { graphqlModel } from "@roundtrip/styles/graphql/server";

function isNumber(field: DescField): boolean {
  return field.fieldKind !== "map" && numericForms.has(valueTypeOf(field).json);
}

/**
 * Whether a member of an input accepts earlier values: a list accepts one value, and some number types accept others. Documents whose variables are
 * whole inputs continue to work; those with a variable for the member fail.
 */
export function acceptsSame(change: Change): boolean {
  if (change.kind !== "field-type-changed" && change.kind !== "field-cardinality-changed") return false;
  const { before, after, locations } = change;
  if (isReceived(locations)) return false;
  const isText = [before, after].map((field) => valueTypeOf(field).json === "integer text");
  if (isText[0] === true && isText[1] === false) return false;
  if (change.kind === "field-cardinality-changed") return before.fieldKind === "scalar" && after.fieldKind === "list";
  return isNumber(before) && isNumber(after) && judgeJsonType(change).verdict !== "breaks";
}

/** Whether documents select nothing in the field. A FieldMask is a list. */
function isLeaf({ message }: DescField): boolean {
  return message === undefined || (hasOwnJson(message) && message.typeName !== "google.protobuf.FieldMask");
}

/** Whether a value of an answer keeps its JSON form: documents do not name the scalars and enums that they select. */
export function keepsJsonForm(change: Change): boolean {
  if (!("before" in change) || !("locations" in change) || isSent(change.locations)) return false;
  if (change.kind !== "field-type-changed" && change.kind !== "field-cardinality-changed") return false;
  const { before, after } = change;
  // A map is a list of entries, and no object.
  if (before.fieldKind === "map" || after.fieldKind === "map") return false;
  if (isSameJson(before, after) || isSameJson(after, before)) return true;
  const areLeaves = isLeaf(before) && isLeaf(after);
  const areNumberAndName = isNumber(before) ? after.enum !== undefined : isNumber(after) && before.enum !== undefined;
  return (
    change.kind === "field-type-changed" && areLeaves && !areNumberAndName && judgeJsonType(change).verdict !== "breaks"
  );
}

/** Documents do not name the types of answers, so that those that select the field may go on. */
export function judgeInMovedType(change: Change, contracts: ComparedContracts): Judgement {
  switch (change.kind) {
    case "field-removed":
    case "field-oneof-changed":
      return breaks("documents select it");
    case "field-presence-changed":
      return change.after.presence === Presence.EXPLICIT ? breaks("it may be null now") : judgePresence(change);
    case "field-type-changed":
      return keepsJsonForm(change) ? judgeJsonType(change) : breaks("its type is another one");
    case "field-cardinality-changed":
      return keepsJsonForm(change) ? safe("the JSON is the same") : breaks("one value became several, or several one");
    default:
      return judgeInJson(change, contracts);
  }
}

/** Whether a type of the schema has another name, or is gone. */
export function isMoved(change: Change, { before, after }: ComparedContracts): boolean {
  const owner = ownerBefore(change);
  if (owner === undefined) return false;
  const names = typeNames(graphqlModel(before), owner);
  const left = namesIn(after);
  return names.some((name) => !left.has(name));
}

function ownerBefore(change: Change): DescMessage | DescEnum | undefined {
  if (change.kind === "field-removed") return change.field.parent;
  if (change.kind === "enum-value-removed") return change.value.parent;
  if (!("locations" in change) || !("before" in change) || !("parent" in change.before)) return undefined;
  return change.kind.startsWith("field-") || change.kind.startsWith("enum-value-") ? change.before.parent : undefined;
}

const knownNames = new WeakMap<Contract, ReadonlySet<string>>();

function namesIn(contract: Contract): ReadonlySet<string> {
  const model = graphqlModel(contract);
  const types = [...contract.registry].filter((desc) => desc.kind === "message" || desc.kind === "enum");
  const names = knownNames.get(contract) ?? new Set(types.flatMap((type) => typeNames(model, type)));
  knownNames.set(contract, names);
  return names;
}
