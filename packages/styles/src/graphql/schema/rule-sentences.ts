// The rules of a contract in words, since GraphQL has no keywords for them: `1 to 200 characters. Matches ….`
import { type DescEnum, type DescField, type DescOneof, ScalarType } from "@bufbuild/protobuf";
import { isRequiredOneof } from "@roundtrip/contract/declared-rules";
import { innerSchemaRulesOf, schemaRulesOf } from "@roundtrip/contract/schema-rules";
import { enumNames } from "../values/enums.ts";

/** The keywords of {@link schemaRulesOf}. */
interface Keywords extends Readonly<
  Partial<
    Record<
      | "minLength"
      | "maxLength"
      | "minItems"
      | "maxItems"
      | "minProperties"
      | "maxProperties"
      | "exclusiveMinimum"
      | "exclusiveMaximum",
      number
    >
  >
> {
  /** Of 64 bits as text. */
  readonly minimum?: number | string;
  readonly maximum?: number | string;
  readonly pattern?: string;
  readonly format?: string;
  readonly uniqueItems?: boolean;
  readonly enum?: readonly unknown[];
  readonly not?: Keywords;
  readonly anyOf?: readonly Keywords[];
  readonly allOf?: readonly Keywords[];
}

function rangeSentences(least: Keywords["minimum"], most: Keywords["maximum"], unit = ""): readonly string[] {
  const counted = (count: number | string): string =>
    `${count}${count === 1 ? unit.replace(/ies$/, "y").replace(/s$/, "") : unit}.`;
  if (least !== undefined && most !== undefined) return [`${least === most ? "" : `${least} to `}${counted(most)}`];
  if (least !== undefined) return [`At least ${counted(least)}`];
  return most === undefined ? [] : [`At most ${counted(most)}`];
}

const formats: Readonly<Record<string, string>> = {
  email: "Email address.",
  hostname: "Host name.",
  ipv4: "IPv4 address.",
  ipv6: "IPv6 address.",
  uri: "URI.",
  "uri-reference": "URI reference.",
  uuid: "UUID.",
};

/** Values of a rule, enums by their names in GraphQL. The value that is null there has none. */
function valuesText(values: readonly unknown[], names: DescEnum | undefined): string {
  const shown = values.flatMap((value) => {
    if (names === undefined) return [JSON.stringify(value)];
    const number = names.values.find(({ name }) => name === value)?.number;
    return enumNames(names).nameOf.get(number ?? -1) ?? [];
  });
  return shown.join(", ");
}

interface Value {
  readonly names: DescEnum | undefined;
  readonly isInteger: boolean;
}

function refusalSentences({ not, anyOf, ...refused }: Keywords, value: Value): readonly string[] {
  // A rule that zero passes too is a double negation: of zero, and of the rule.
  const unlessUnset = not?.anyOf?.[1];
  if (unlessUnset !== undefined) return [`If set: ${sentencesOf(unlessUnset, value).join(" ")}`];
  if (anyOf !== undefined) return anyOf.flatMap((each) => refusalSentences(each, value));
  if (refused.enum === undefined) return sentencesOf(refused, value).map((sentence) => `Not: ${sentence}`);
  const text = valuesText(refused.enum, value.names);
  return text === "" ? [] : [`Not ${text}.`];
}

/** Of a value, or of a list or map as a whole. */
function sentencesOf(rules: Keywords, value: Value): readonly string[] {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, pattern, format, enum: values } = rules;
  const isAbove = above !== undefined && value.isInteger;
  const isBelow = below !== undefined && value.isInteger;
  return [
    ...rangeSentences(rules.minLength, rules.maxLength, " characters"),
    ...rangeSentences(rules.minItems, rules.maxItems, " items"),
    ...rangeSentences(rules.minProperties, rules.maxProperties, " entries"),
    ...rangeSentences(isAbove ? above + 1 : minimum, isBelow ? below - 1 : maximum),
    ...(above === undefined || isAbove ? [] : [`Above ${above}.`]),
    ...(below === undefined || isBelow ? [] : [`Below ${below}.`]),
    ...(format === undefined ? [] : [formats[format] ?? `${format}.`]),
    ...(pattern === undefined ? [] : [`Matches \`${pattern}\`.`]),
    ...(values === undefined ? [] : [`One of ${valuesText(values, value.names)}.`]),
    ...(rules.uniqueItems === true ? ["Without duplicates."] : []),
    ...(rules.not === undefined ? [] : refusalSentences(rules.not, value)),
    ...(rules.allOf ?? []).flatMap((each) => sentencesOf(each, value)),
  ];
}

function eachSentences(what: string, rules: Keywords, value: Value): readonly string[] {
  const text = sentencesOf(rules, value).join(" ");
  return text === "" ? [] : [`Each ${what}: ${text}`];
}

const fractions: ReadonlySet<ScalarType | undefined> = new Set([ScalarType.DOUBLE, ScalarType.FLOAT]);

/** What the rules ask of a request's member, in sentences. */
export function ruleSentences(desc: DescField | DescOneof): readonly string[] {
  if (desc.kind === "oneof") return isRequiredOneof(desc) ? ["Required."] : [];
  const value: Value = { names: desc.enum, isInteger: !fractions.has(desc.scalar) };
  const { keys, values } = innerSchemaRulesOf(desc, "bounds");
  return [
    ...sentencesOf(schemaRulesOf(desc, "bounds"), value),
    ...eachSentences("key", keys, { names: undefined, isInteger: false }),
    ...eachSentences(desc.fieldKind === "list" ? "item" : "value", values, value),
  ];
}
