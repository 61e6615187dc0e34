// How contract changes affect existing GraphQL callers: by the names and types that elements have in the schemas of both contracts.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { type Contract, hasOwnJson } from "@roundtrip/contract";
import { findEdges } from "@roundtrip/contract/resources";
import { type Direction, type Edge, edgesOf, typeText } from "@roundtrip/styles/graphql/server";
import { isReceived, isSent, type Change, type FieldChange, type TypeMoved, type ValueChange } from "../diff/change.ts";
import { operationPairs } from "../diff/operation-changes.ts";
import { isOfExtension, travels } from "../diff/types.ts";
import { numericForms, valueTypeOf } from "../diff/value-type.ts";
import {
  breaks,
  gravest,
  mayBreak,
  perContracts,
  safe,
  type BreakingChanges,
  type ComparedContracts,
  type Judgement,
  type LeftOver,
} from "../judgement.ts";
import { inEveryStyle, judgeBy, judgePresence, withoutBindings } from "../shared/change-table.ts";
import { judgeInJson } from "../shared/json-messages.ts";
import { isSameJson, judgeJsonType } from "../shared/json-types.ts";
import { judgeAddedField } from "../shared/rules.ts";
import {
  elementOf,
  ownerOf,
  rootFieldOf,
  schemaOf,
  typeNameOf,
  valueNameOf,
  type Element,
  type Schema,
} from "./graphql-elements.ts";

interface Schemas {
  readonly before: Schema;
  readonly after: Schema;
}

const schemasOf = perContracts(({ before, after }): Schemas => ({ before: schemaOf(before), after: schemaOf(after) }));

const sameSchema = safe("the schema is the same");

/** The gravest judgement over the directions in which it travels. */
function inDirections(
  { locations }: Pick<FieldChange, "locations">,
  judgeIn: (direction: Direction) => Judgement,
): Judgement {
  const directions: readonly Direction[] = [
    ...(isSent(locations) ? (["input", "patch"] as const) : []),
    ...(isReceived(locations) ? (["output"] as const) : []),
  ];
  return gravest(directions.map(judgeIn), sameSchema);
}

/** Judges a change of a field by its elements in both schemas. */
function byElements(
  change: FieldChange,
  contracts: ComparedContracts,
  judgeElements: (older: Element, newer: Element, direction: Direction) => Judgement,
): Judgement {
  const { before, after } = schemasOf(contracts);
  return inDirections(change, (direction) => {
    const older = elementOf(before, change.before, direction);
    if (older === undefined) return safe("the schema did not have it");
    const newer = elementOf(after, change.after, direction);
    return newer === undefined ? breaks(`${older.where} was removed`) : judgeElements(older, newer, direction);
  });
}

function ofName(change: FieldChange, contracts: ComparedContracts): Judgement {
  return byElements(change, contracts, (older, newer) =>
    older.name === newer.name ? safe("its field has the same name") : breaks(`${older.where} was removed`),
  );
}

function isNumber(field: DescField): boolean {
  return field.fieldKind !== "map" && numericForms.has(valueTypeOf(field).json);
}

/**
 * Whether a member of an input accepts earlier values: a list accepts one value, and some number types accept others. Documents whose variables are
 * whole inputs continue to work; those with a variable for the member fail.
 */
function acceptsSame(change: FieldChange): boolean {
  const { kind, before, after, locations } = change;
  if (isReceived(locations)) return false;
  const isText = [before, after].map((field) => valueTypeOf(field).json === "integer text");
  if (isText[0] === true && isText[1] === false) return false;
  if (kind === "field-cardinality-changed") return before.fieldKind === "scalar" && after.fieldKind === "list";
  return isNumber(before) && isNumber(after) && judgeJsonType(change).verdict !== "breaks";
}

/** Whether documents select nothing in the field. A FieldMask is a list. */
function isLeaf({ message }: DescField): boolean {
  return message === undefined || (hasOwnJson(message) && message.typeName !== "google.protobuf.FieldMask");
}

/** Whether a value of an answer keeps its JSON form: documents do not name the scalars and enums that they select. */
function keepsJsonForm(change: FieldChange): boolean {
  const { kind, before, after, locations } = change;
  // A map is a list of entries, and no object.
  if (isSent(locations) || before.fieldKind === "map" || after.fieldKind === "map") return false;
  if (isSameJson(before, after) || isSameJson(after, before)) return true;
  const areNumberAndName = isNumber(before) ? after.enum !== undefined : isNumber(after) && before.enum !== undefined;
  const areLeaves = isLeaf(before) && isLeaf(after) && !areNumberAndName;
  return kind === "field-type-changed" && areLeaves && judgeJsonType(change).verdict !== "breaks";
}

function ofType(change: FieldChange, contracts: ComparedContracts): Judgement {
  const judged = byElements(change, contracts, (older, newer, direction) => {
    const [wanted, given] = direction === "output" ? [older, newer] : [newer, older];
    if (older.nullableType === newer.nullableType && (given.isNonNull || !wanted.isNonNull)) return sameSchema;
    const text = `${older.where} changed type from ${older.type} to ${newer.type}`;
    if (acceptsSame(change) && !older.isArgument)
      return mayBreak(`for documents with a variable of the field's type: ${text}`);
    return keepsJsonForm(change) ? mayBreak(`for callers that check it against the schema: ${text}`) : breaks(text);
  });
  if (judged !== sameSchema || change.kind !== "field-type-changed") return judged;
  // The schema type and the JSON form stay the same: only values can differ.
  return judgeJsonType(change);
}

function ofPresence(change: FieldChange, contracts: ComparedContracts): Judgement {
  return byElements(change, contracts, (older, newer, direction) => {
    const [wanted, given] = direction === "output" ? [older, newer] : [newer, older];
    return wanted.isNonNull && !given.isNonNull
      ? breaks(`${older.where} changed type from ${older.type} to ${newer.type}`)
      : judgePresence(change);
  });
}

/** Documents name the types of their variables, and those of answers in fragments only. */
function ofTypeMoved({ before, after, locations }: TypeMoved, contracts: ComparedContracts): Judgement {
  const schemas = schemasOf(contracts);
  const isEmpty = [before, after].map((type) => type.kind === "message" && type.fields.length === 0);
  const isOtherForm =
    isEmpty[0] !== isEmpty[1] || [before, after].some((type) => type.kind === "message" && hasOwnJson(type));
  return inDirections({ locations }, (direction) => {
    const older = typeNameOf(schemas.before, before, direction);
    const newer = typeNameOf(schemas.after, after, direction);
    if (isOtherForm) return breaks(`${after.typeName} has another form than ${before.typeName}`);
    if (older === newer || older === undefined) return safe("its type has the same name");
    return direction === "output"
      ? mayBreak(`for documents with a fragment on the type: ${older} was removed`)
      : breaks(`${older} was removed`);
  });
}

function ofRenamedValue({ before, after }: ValueChange): Judgement {
  const name = valueNameOf(before);
  return name === undefined || name === valueNameOf(after)
    ? safe("its name in the schema is the same")
    : breaks(`${name} was removed from enum type ${before.parent.name}`);
}

type RootChange = Extract<Change, { kind: "operation-moved" | "streaming-changed" | "side-effects-changed" }>;

function isOfRoot(change: Change): change is RootChange {
  return ["operation-moved", "streaming-changed", "side-effects-changed"].includes(change.kind);
}

function ofOperation({ before, after }: RootChange, contracts: ComparedContracts): Judgement {
  const schemas = schemasOf(contracts);
  const older = rootFieldOf(schemas.before, before);
  if (older === undefined) return safe("GraphQL did not carry it");
  return older === rootFieldOf(schemas.after, after)
    ? safe("its field has the same name and type")
    : breaks(`${older} was removed`);
}

const judgeInSchema = judgeBy({
  ...inEveryStyle,
  ...withoutBindings("GraphQL does not use HTTP bindings"),
  "operation-added": safe("nobody asks for it yet"),
  "operation-removed": ({ operation }, contracts) => {
    const root = rootFieldOf(schemasOf(contracts).before, operation);
    return root === undefined ? safe("GraphQL did not carry it") : breaks(`${root} was removed`);
  },
  "operation-moved": ofOperation,
  "streaming-changed": ofOperation,
  "side-effects-changed": ofOperation,
  "type-added": sameSchema,
  "type-removed": sameSchema,
  "type-moved": ofTypeMoved,
  "field-added": judgeAddedField,
  "field-removed": (change, contracts) =>
    inDirections(change, (direction) => {
      const element = elementOf(schemasOf(contracts).before, change.field, direction);
      return element === undefined ? safe("the schema did not have it") : breaks(`${element.where} was removed`);
    }),
  "field-renamed": ofName,
  "field-oneof-changed": ofName,
  "field-renumbered": safe("the schema has names, not numbers"),
  "field-type-changed": ofType,
  "field-cardinality-changed": ofType,
  "field-presence-changed": ofPresence,
  "enum-value-added": ({ value, locations }) => {
    const name = valueNameOf(value);
    return name !== undefined && isReceived(locations)
      ? mayBreak(`${name} was added to enum type ${value.parent.name}`)
      : safe("nobody sends it yet");
  },
  "enum-value-removed": ({ value, isAlias, locations }) => {
    const name = valueNameOf(value);
    if (name === undefined) return sameSchema;
    if (!isSent(locations) && !isAlias) return safe("callers only received it");
    return breaks(`${name} was removed from enum type ${value.parent.name}`);
  },
  "enum-value-renamed": ofRenamedValue,
  "enum-value-renumbered": safe("the schema has names, not numbers"),
  "enum-value-alias-first": ofRenamedValue,
  "enum-closed": safe("the schema has names only"),
  "enum-opened": ({ locations }) =>
    isReceived(locations)
      ? mayBreak("callers receive null for a number without a name")
      : safe("the schema has names only"),
});

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

/** Oneofs whose members are in the later message, but not under the same name. */
function renamedChoices(before: DescMessage, after: DescMessage, schemas: Schemas): readonly string[] {
  const names = new Set(schemas.after.model.parts(after).map(({ name }) => name));
  const kept = new Set(after.oneofs.flatMap(({ fields }) => fields.map(({ number }) => number)));
  return schemas.before.model
    .parts(before)
    .filter((part) => "members" in part && part.members.some(({ field }) => kept.has(field.number)))
    .flatMap(({ name }) => (names.has(name) ? [] : [name]));
}

/** What a message has lost although no change says so: its name, which another type took, and the names of its oneofs. */
function renamedIn(before: DescMessage, after: DescMessage, schemas: Schemas): readonly string[] {
  const choices = renamedChoices(before, after, schemas);
  const renamed = (["input", "patch", "output"] as const).flatMap((direction) => {
    const owner = ownerOf(schemas.before, before, direction);
    if (owner === undefined) return [];
    const older = typeNameOf(schemas.before, before, direction);
    const newer = typeNameOf(schemas.after, after, direction);
    const isRenamed = older !== undefined && newer !== undefined && older !== newer;
    return [
      ...(isRenamed ? [`${older} is ${newer} now`] : []),
      ...choices.map((choice) => `${owner}.${choice} was removed`),
    ];
  });
  return [...new Set(renamed)];
}

interface Found {
  readonly what: string;
  readonly why: string;
}

/** Why the later contract has no such edge. */
function whyLost({ kind, source }: Edge, after: DescMessage, contract: Contract): string {
  if (kind === "list") return "no List reads it by this parent";
  const field = after.fields.find(({ number }) => number === source.number);
  if (field === undefined) return `the field ${source.name} was removed`;
  const { plain: others, references } = findEdges(contract);
  if (references.some((reference) => reference.field === field)) return `the edge of ${field.name} has another name`;
  const plain = others.find((reference) => reference.field === field);
  return plain === undefined ? `${field.name} refers to no resource` : `${field.name} is no edge: ${plain.reason}`;
}

/** Edges that a message has no more, or that lead elsewhere: their names depend on other fields, and they on other methods. */
function lostEdges(before: DescMessage, after: DescMessage, contracts: ComparedContracts): readonly Found[] {
  const schemas = schemasOf(contracts);
  const owner = typeNameOf(schemas.before, before, "output");
  if (owner === undefined) return [];
  const { model } = schemas.after;
  const types = new Map([
    ...model.parts(after).map((part) => [part.name, typeText(model.typeOf(part, "output"))] as const),
    ...edgesOf(model)
      .of(after)
      .map(({ name, type }) => [name, typeText(type)] as const),
  ]);
  return edgesOf(schemas.before.model)
    .of(before)
    .flatMap((edge) => {
      const [older, newer] = [typeText(edge.type), types.get(edge.name)];
      const name = `${owner}.${edge.name}`;
      if (newer === undefined) {
        return [{ what: `${name} was removed`, why: whyLost(edge, after, contracts.after) }];
      }
      const what = `${name} changed type from ${older} to ${newer}`;
      return newer === older ? [] : [{ what, why: what }];
    });
}

/**
 * What no change explains, because names depend on other elements: operations whose names collide get longer ones, in the contract's order, so that a
 * new operation, or another order, may give a field to another operation.
 */
function leftOver(changes: readonly Change[], contracts: ComparedContracts): readonly LeftOver[] {
  const schemas = schemasOf(contracts);
  const judged = new Set(changes.flatMap((change) => (isOfRoot(change) ? [change.before.id] : [])));
  const roots = operationPairs(contracts.before, contracts.after).flatMap(([older, newer]) => {
    const [had, has] = [rootFieldOf(schemas.before, older), rootFieldOf(schemas.after, newer)];
    const isSame = had === undefined || had === has || judged.has(older.id);
    const what = `${had} is ${has ?? "gone"} now`;
    return isSame ? [] : [{ where: older.id, what, why: what }];
  });
  const types = [...contracts.before.registry].flatMap((desc) => {
    const newer = desc.kind === "message" ? contracts.after.registry.getMessage(desc.typeName) : undefined;
    if (desc.kind !== "message" || newer === undefined) return [];
    const renamed = renamedIn(desc, newer, schemas).map((what) => ({ what, why: what }));
    return [...renamed, ...lostEdges(desc, newer, contracts)].map((found) => ({ ...found, where: desc.typeName }));
  });
  return [...roots, ...types].map(({ where, what, why }) => ({ where, what, judgement: breaks(why) }));
}

export const breakingChanges: BreakingChanges = {
  notCarried: ["client_streaming", "bidi_streaming"],
  judge,
  leftOver,
};
