// How contract changes affect existing GraphQL callers: graphql-js's findings between the two schemas, refined by facts that schemas do not show.
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import type { Contract } from "@roundtrip/contract";
import {
  isOfExtension,
  isReceived,
  isSent,
  travels,
  valueTypeOf,
  type Change,
  type FieldChange,
} from "@roundtrip/contract/changes";
import {
  BreakingChangeType,
  buildSchema,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLSchema,
} from "graphql";
import type { BreakingChanges, ComparedContracts, ToolFinding } from "../basics/breaking-changes.ts";
import { breaks, gravest, mayBreak, safe, type Judgement } from "../basics/judgement.ts";
import { judgeJsonType } from "../shared/breaking-changes/judge-json-type.ts";
import { judgeInJson } from "../shared/breaking-changes/json-body.ts";
import { judgePresence } from "../shared/breaking-changes/judge-presence.ts";
import { judgeRules } from "../shared/breaking-changes/judge-rules.ts";
import { acceptsSame, keepsJsonForm } from "./schema-changes/kept-forms.ts";
import { isMoved, judgeInMovedType } from "./schema-changes/moved-types.ts";
import { takenField, takenFields } from "./schema-changes/taken-fields.ts";
import { schemaFinding } from "./schema-changes/schema-finding.ts";
import { graphqlModel } from "./schema/model.ts";
import { sdlOf } from "./schema/schema.ts";

/** Judges a change that does not change the schema. */
function judgeWithoutFinding(change: Change, contracts: ComparedContracts): Judgement {
  switch (change.kind) {
    case "field-rules-changed":
    case "message-rules-changed":
    case "field-added":
      return judgeRules(change, contracts);
    case "field-type-changed":
      // The schema type and the JSON form stay the same: only values can differ.
      return judgeJsonType(change);
    case "field-presence-changed":
      return judgePresence(change);
    case "field-default-changed":
      return mayBreak("an absent value means something else to each side");
    case "field-renumbered":
    case "enum-value-renumbered":
      return safe("the schema has names, not numbers");
    case "binding-added":
    case "binding-removed":
    case "binding-changed":
      return safe("GraphQL does not use HTTP bindings");
    case "operation-moved":
      return safe("its field has the same name and type");
    case "enum-value-alias-first":
      return isReceived(change.locations)
        ? breaks("callers receive another name of its number")
        : mayBreak("it may be read as another value");
    case "enum-closed":
      return safe("the schema has names only");
    case "enum-opened":
      return isReceived(change.locations)
        ? mayBreak("callers receive null for a number without a name")
        : safe("the schema has names only");
    case "enum-value-added":
      return safe(
        isReceived(change.locations) ? "callers receive null, as for an absent value" : "nobody sends it yet",
      );
    case "operation-added":
      return safe("nobody asks for it yet");
    case "streaming-changed":
    case "operation-removed":
      return safe("GraphQL did not carry it");
    case "field-removed":
      return safe("the schema did not have it");
    default:
      return safe("the schema is the same");
  }
}

/** Whether the type of the field changed too, which is a change of its own. */
function hasOtherType({ before, after, locations }: FieldChange): boolean {
  return !isSent(locations) && valueTypeOf(before).text !== valueTypeOf(after).text;
}

/** Judges a change by one finding. graphql-js does not know in which direction an enum is used or which documents name a type. */
function judgeByFinding(change: Change, { rule, text }: ToolFinding): Judgement {
  if (rule === "VALUE_REMOVED_FROM_ENUM" && "locations" in change && !isSent(change.locations)) {
    return change.kind === "enum-value-removed" && !change.isAlias
      ? safe("callers only received it")
      : breaks(`callers receive an unknown name: ${text}`);
  }
  if (rule === "VALUE_ADDED_TO_ENUM" && "locations" in change && !isReceived(change.locations))
    return safe("nobody sends it yet");
  if (rule === "FIELD_CHANGED_KIND" && change.kind === "field-presence-changed" && hasOtherType(change))
    return change.after.presence === Presence.EXPLICIT ? breaks(text) : judgePresence(change);
  if (rule === "FIELD_CHANGED_KIND" && acceptsSame(change))
    return mayBreak(`for documents with a variable of the field's type: ${text}`);
  if (rule === "FIELD_CHANGED_KIND" && keepsJsonForm(change))
    return mayBreak(`for callers that check it against the schema: ${text}`);
  if (change.kind === "type-moved" && !isSent(change.locations)) {
    return mayBreak(`for documents with a fragment on the type: ${text}`);
  }
  return breaks(text);
}

function isBreaking({ rule }: ToolFinding): boolean {
  return rule in BreakingChangeType || rule === takenField;
}

/** The schema has no types of what is in an Any: it is JSON. */
function judge(change: Change, found: readonly ToolFinding[], contracts: ComparedContracts): Judgement {
  const { isDirect, isInAny } = travels(change, contracts);
  const direct = isOfExtension(change) ? safe("the schema has no extensions") : judgeInSchema(change, found, contracts);
  if (!isInAny) return direct;
  const packed =
    change.kind === "field-added" && isReceived(change.locations)
      ? breaks("callers that read the JSON of an Any refuse an unknown field")
      : judgeInJson(change, [], contracts);
  return isDirect ? gravest([direct, packed], direct) : packed;
}

function judgeInSchema(change: Change, found: readonly ToolFinding[], contracts: ComparedContracts): Judgement {
  // A new field adds a value to the mask enum of its message, which only requests use.
  const relevant = found.filter(({ rule }) => rule !== "VALUE_ADDED_TO_ENUM" || change.kind.startsWith("enum-"));
  const [first] = relevant;
  if (first === undefined)
    return isMoved(change, contracts) ? judgeInMovedType(change, contracts) : judgeWithoutFinding(change, contracts);
  const breaking = relevant.filter(isBreaking).map((finding) => judgeByFinding(change, finding));
  const [worst] = breaking;
  if (worst !== undefined) return gravest(breaking, worst);
  const judged = judgeByFinding(change, first);
  return judged.verdict === "safe" ? judged : mayBreak(first.text);
}

function schemaOf(contract: Contract): GraphQLSchema {
  return buildSchema(sdlOf(contract), { noLocation: true });
}

/** Schema changes that do not affect earlier documents: those do not name new, optional elements. */
const harmless: ReadonlySet<string> = new Set([
  DangerousChangeType.OPTIONAL_ARG_ADDED,
  DangerousChangeType.OPTIONAL_INPUT_FIELD_ADDED,
]);

async function findings({ before, after }: ComparedContracts): Promise<readonly ToolFinding[]> {
  const [older, newer] = [schemaOf(before), schemaOf(after)];
  const models = { before: graphqlModel(before), after: graphqlModel(after) };
  const found = [...findBreakingChanges(older, newer), ...findDangerousChanges(older, newer)]
    .filter(({ type }) => !harmless.has(type))
    .map(({ type, description }) => schemaFinding(type, description, models));
  return [...found, ...takenFields(models)];
}

export const breakingChanges: BreakingChanges = {
  notCarried: ["client_streaming", "bidi_streaming"],
  usesBuf: false,
  findings,
  judge,
  judgeFinding: (finding) => (isBreaking(finding) ? breaks : mayBreak)(finding.text),
};
