// Changes in types that have another name in the schema. graphql-js compares types by their names, and finds nothing in these.
import type { DescEnum, DescMessage } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import type { Contract } from "@roundtrip/contract";
import type { Change } from "@roundtrip/contract/changes";
import type { ComparedContracts } from "../../basics/breaking-changes.ts";
import { breaks, safe, type Judgement } from "../../basics/judgement.ts";
import { judgeInJson } from "../../shared/breaking-changes/json-body.ts";
import { judgeJsonType } from "../../shared/breaking-changes/judge-json-type.ts";
import { judgePresence } from "../../shared/breaking-changes/judge-presence.ts";
import { graphqlModel } from "../schema/model.ts";
import { keepsJsonForm } from "./kept-forms.ts";
import { typeNames } from "./schema-names.ts";

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
      return judgeInJson(change, [], contracts);
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
