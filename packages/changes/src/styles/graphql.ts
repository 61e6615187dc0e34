// How contract changes affect existing GraphQL callers: the differences between the two schemas, refined by facts that schemas do not show.
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import type { Contract } from "@roundtrip/contract";
import { isOfExtension, travels } from "../diff/types.ts";
import { isReceived, isSent, type Change, type FieldChange } from "../diff/change.ts";
import { valueTypeOf } from "../diff/value-type.ts";
import { isAbout } from "./graphql-names.ts";
import { buildSchema, type GraphQLSchema } from "graphql";
import {
  perContracts,
  type BreakingChanges,
  type ComparedContracts,
  type LeftOver,
  breaks,
  gravest,
  mayBreak,
  safe,
  type Judgement,
} from "../judgement.ts";
import { judgeJsonType } from "../shared/json-types.ts";
import { judgeInJson } from "../shared/json-messages.ts";
import { judgePresence } from "../shared/change-table.ts";
import { judgeRules } from "../shared/rules.ts";
import { acceptsSame, keepsJsonForm, isMoved, judgeInMovedType } from "./graphql-types.ts";
import { isDangerous, reassignedFields, schemaDifferences, type SchemaDifference } from "./graphql-schema.ts";
import { graphqlModel, sdlOf } from "@roundtrip/styles/graphql/server";

/** Judges a change that does not change the schema. */
function judgeWithoutDifference(change: Change, contracts: ComparedContracts): Judgement {
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
    case "field-utf8-changed":
      return safe("text is UTF-8 in its documents");
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

/** Judges a change by one difference. Schemas do not show in which direction an enum is used or which documents name a type. */
function judgeByDifference(change: Change, { kind, text }: SchemaDifference): Judgement {
  if (kind === "value-removed" && "locations" in change && !isSent(change.locations)) {
    return change.kind === "enum-value-removed" && !change.isAlias
      ? safe("callers only received it")
      : breaks(`callers receive an unknown name: ${text}`);
  }
  if (kind === "value-added" && "locations" in change && !isReceived(change.locations))
    return safe("nobody sends it yet");
  if (kind === "field-type-changed" && change.kind === "field-presence-changed" && hasOtherType(change))
    return change.after.presence === Presence.EXPLICIT ? breaks(text) : judgePresence(change);
  if (kind === "field-type-changed" && acceptsSame(change))
    return mayBreak(`for documents with a variable of the field's type: ${text}`);
  if (kind === "field-type-changed" && keepsJsonForm(change))
    return mayBreak(`for callers that check it against the schema: ${text}`);
  if (change.kind === "type-moved" && !isSent(change.locations)) {
    return mayBreak(`for documents with a fragment on the type: ${text}`);
  }
  return breaks(text);
}

/** The schema has no types of what is in an Any: it is JSON. */
function judge(change: Change, contracts: ComparedContracts): Judgement {
  const { isDirect, isInAny } = travels(change, contracts);
  const direct = isOfExtension(change) ? safe("the schema has no extensions") : judgeInSchema(change, contracts);
  if (!isInAny) return direct;
  const packed =
    change.kind === "field-added" && isReceived(change.locations)
      ? breaks("callers that read the JSON of an Any refuse an unknown field")
      : judgeInJson(change, contracts);
  return isDirect ? gravest([direct, packed], direct) : packed;
}

function judgeInSchema(change: Change, contracts: ComparedContracts): Judgement {
  const { all, models } = differences(contracts);
  // A new field adds a value to the mask enum of its message, which only requests use.
  const relevant = all.filter(
    (difference) =>
      isAbout(difference, change, models) && (difference.kind !== "value-added" || change.kind.startsWith("enum-")),
  );
  const [first] = relevant;
  if (first === undefined)
    return isMoved(change, contracts) ? judgeInMovedType(change, contracts) : judgeWithoutDifference(change, contracts);
  const breaking = relevant
    .filter((difference) => !isDangerous(difference))
    .map((difference) => judgeByDifference(change, difference));
  const [worst] = breaking;
  if (worst !== undefined) return gravest(breaking, worst);
  const judged = judgeByDifference(change, first);
  return judged.verdict === "safe" ? judged : mayBreak(first.text);
}

function schemaOf(contract: Contract): GraphQLSchema {
  return buildSchema(sdlOf(contract), { noLocation: true });
}

/** All differences between the schemas of two contracts, with what they are compared by. */
const differences = perContracts(({ before, after }) => {
  const models = { before: graphqlModel(before), after: graphqlModel(after) };
  return { models, all: [...schemaDifferences(schemaOf(before), schemaOf(after)), ...reassignedFields(models)] };
});

/** Differences that no change explains. Those of whole types follow from others: a type disappears with its last field, and each field has a difference. */
function leftOver(changes: readonly Change[], contracts: ComparedContracts): readonly LeftOver[] {
  const { all, models } = differences(contracts);
  return all
    .filter(({ kind }) => kind !== "type-removed" && kind !== "member-removed")
    .filter((difference) => !changes.some((change) => isAbout(difference, change, models)))
    .map((difference) => {
      const { where, text } = difference;
      return { where, what: text, judgement: (isDangerous(difference) ? mayBreak : breaks)(text) };
    });
}

export const breakingChanges: BreakingChanges = {
  notCarried: ["client_streaming", "bidi_streaming"],
  judge,
  leftOver,
};
