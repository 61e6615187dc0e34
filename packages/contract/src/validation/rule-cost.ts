// What it costs to check the rules of a request, found before they are checked: the library cannot be interrupted, and a few bytes can cost it minutes.
import { getOption, hasOption, ScalarType, type DescField, type DescMessage, type Registry } from "@bufbuild/protobuf";
import {
  isReflectMessage,
  pathToString,
  type Path,
  type ReflectList,
  type ReflectMap,
  type ReflectMessage,
} from "@bufbuild/protobuf/reflect";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import type { FieldRules, StringRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { CallError, type FieldViolation } from "../basics/call-error.ts";
import { memoize } from "../descriptors/components.ts";
import { expressionCost, type Expression } from "./expression-cost.ts";
import { hasOwnRules, hasRules } from "./field-rules.ts";
import type { ExpressionRules, RuleParser } from "./macro-nesting.ts";

/** What the rules of a request may cost, in steps. One is about half a microsecond. */
export const maxRuleCost = 100_000;

export const messageCost = 3;
const entryCost = 6;
/** The library has expressions for rules of well-known messages, such as of a timestamp. */
const wellKnownCost = 20;
export const numberCost = 1 / 2;

/** Messages that must differ are compared one with another. */
const perPairOfMessages = 1 / 256;

/** What a character costs. Patterns of a contract are interpreted, some formats are read by a parser, and others have a compiled expression. */
function characterCost({ pattern, wellKnown, $unknown }: StringRules): number {
  if (pattern !== "" || $unknown !== undefined) return 1;
  if (wellKnown.case === undefined) return 1 / 64;
  return /^(?:ip|uri|address|hostAndPort)/.test(wellKnown.case) ? 1 / 2 : 1 / 16;
}

function tooCostly(): CallError {
  return new CallError(
    "RESOURCE_EXHAUSTED",
    `the request has too many values to check their rules (cost above ${maxRuleCost})`,
  );
}

/** Adds up what it costs to check a request. */
export class CostMeter {
  /** Where the walk through the request is. */
  readonly path: Path = [];
  /** Lists, maps and texts that are too long. */
  readonly tooLong: FieldViolation[] = [];
  cost = 0;

  /** Throws {@link tooCostly} above the limit. */
  spend(cost: number): void {
    this.cost += cost;
    if (this.cost > maxRuleCost) throw tooCostly();
  }

  visit(step: Path[number], cost: Cost, value: unknown): void {
    this.path.push(step);
    cost(value, this);
    this.path.pop();
  }

  /** Notes a broken rule in the words of the library. */
  addTooLong(reason: string, description: string): void {
    this.tooLong.push({ field: pathToString(this.path), description, reason });
  }
}

type Cost = (value: unknown, meter: CostMeter) => void;

/** What a value costs: always, and what depends on it. */
interface ValueCost {
  readonly each: number;
  readonly more: readonly Cost[];
}

const free: ValueCost = { each: 0, more: [] };

function isFree({ each, more }: ValueCost): boolean {
  return each === 0 && more.length === 0;
}

/** The cost of a value as a whole. */
function whole({ each, more }: ValueCost): Cost {
  return (value, meter) => {
    meter.spend(each);
    for (const cost of more) cost(value, meter);
  };
}

/** What an item costs that must differ from all others. The library makes a text of bytes. */
function distinctCost({ scalar }: DescField): ValueCost {
  if (scalar === ScalarType.STRING) return { each: 1, more: [] };
  if (scalar !== ScalarType.BYTES) return { each: numberCost, more: [] };
  return { each: 3, more: [(value, meter) => meter.spend(textOf(value).length / 16)] };
}

function textOf(value: unknown): string | Uint8Array {
  const text = isReflectMessage(value) ? value.get(value.desc.fields[0] as DescField) : value;
  return text as string | Uint8Array;
}

function pathsOf(mask: unknown): readonly string[] {
  return ((mask as ReflectMessage).message as FieldMask).paths;
}

function textCost(rules: StringRules): Cost {
  const { maxLen } = rules;
  const perCharacter = characterCost(rules);
  return (value, meter) => {
    const { length } = textOf(value);
    // Two UTF-16 units are at least one character.
    if (maxLen > 0n && length > 2 * Number(maxLen))
      meter.addTooLong("string.max_len", `must be at most ${maxLen} characters`);
    meter.spend(length * perCharacter);
  };
}

/** What the rules of a request cost. */
export interface RequestCost {
  /** In steps. */
  readonly cost: number;
  /** Not empty for a request that costs more than the limit: its lists, maps and texts that the rules say are too long. */
  readonly tooLong: readonly FieldViolation[];
}

/** Finds what the rules of a request cost. Throws RESOURCE_EXHAUSTED if it is above the limit, but by its rules nothing is too long. */
export type FindRuleCost = (request: ReflectMessage) => RequestCost;

export function ruleCosts({ parse, options }: RuleParser, registry: Registry): FindRuleCost {
  const costOf = (text: string): Cost => {
    let expression: Expression | undefined;
    try {
      expression = parse(text).expr;
    } catch {
      // A rule that cannot be parsed is reported when it is compiled.
    }
    if (expression === undefined) return () => {};
    const costFor = (value: unknown): number => expressionCost(expression, value, maxRuleCost);
    let ofNumber: number | undefined;
    return (value, meter) => {
      const isNumber = typeof value !== "object" && typeof value !== "string";
      meter.spend(isNumber ? (ofNumber ??= costFor(value)) : costFor(value));
    };
  };
  const expressionsIn = ({ cel, celExpression = [] }: ExpressionRules): readonly Cost[] =>
    [...cel.map(({ expression }) => expression), ...celExpression].map((text) => costOf(text));

  let allPredefined: readonly Cost[] | undefined;
  /** Of all predefined rules if there is one: which of them it is does not matter for a limit. */
  const predefined = ({ type }: FieldRules): readonly Cost[] => {
    if (type.value?.$unknown === undefined) return [];
    return (allPredefined ??= [...registry].flatMap((desc) =>
      desc.kind === "extension" ? expressionsIn(getOption(desc, options.predefined)) : [],
    ));
  };
  const expressionsOf = (rules: FieldRules | undefined): readonly Cost[] =>
    rules === undefined ? [] : [...expressionsIn(rules), ...predefined(rules)];

  const typeCost = ({ type }: FieldRules): ValueCost => {
    switch (type.case) {
      case undefined:
        return free;
      case "string":
        return { each: 1, more: [textCost(type.value)] };
      case "bytes":
        if (type.value.pattern === "") return { each: 1, more: [] };
        return { each: 1, more: [(value, meter) => meter.spend(textOf(value).length)] };
      case "fieldMask": {
        const perPath = wellKnownCost * (1 + type.value.in.length + type.value.notIn.length);
        const ofPaths: Cost = (mask, meter) => meter.spend(perPath * pathsOf(mask).length);
        return { each: wellKnownCost, more: [ofPaths] };
      }
      case "timestamp":
      case "duration":
      case "any":
        return { each: wellKnownCost, more: [] };
      default:
        return { each: numberCost, more: [] };
    }
  };

  /** The cost of a value, of an item of a list, or of a key or value of a map. */
  const valueCost = (message: DescMessage | undefined, rules: FieldRules | undefined): ValueCost => {
    const { each, more } = rules === undefined ? free : typeCost(rules);
    const inner: Cost = (value, meter) => messageCosts(message as DescMessage)(value, meter);
    const hasInner = message !== undefined && hasRules(message);
    return { each, more: [...more, ...expressionsOf(rules), ...(hasInner ? [inner] : [])] };
  };

  const listCost = (field: DescField & { fieldKind: "list" }, rules: FieldRules | undefined): Cost => {
    const list = rules?.type.case === "repeated" ? rules.type.value : undefined;
    const item = valueCost(field.message, list?.items);
    const distinct = list?.unique === true ? distinctCost(field) : free;
    const more = [...item.more, ...distinct.more];
    // The library goes through the messages of a field that has rules.
    const each = item.each + distinct.each + (rules !== undefined && field.message !== undefined ? numberCost : 0);
    const perPair = list?.unique === true && field.message !== undefined ? perPairOfMessages : 0;
    const maxItems = list !== undefined && list.maxItems > 0n ? Number(list.maxItems) : Number.POSITIVE_INFINITY;
    return (value, meter) => {
      const { size } = value as ReflectList;
      if (size > maxItems) meter.addTooLong("repeated.max_items", `must contain no more than ${maxItems} item(s)`);
      meter.spend(size * each + size * size * perPair);
      if (more.length === 0) return;
      for (let index = 0; index < size; index += 1) {
        const element = (value as ReflectList).get(index);
        for (const cost of more) meter.visit({ kind: "list_sub", index }, cost, element);
      }
    };
  };

  const mapCost = (field: DescField & { fieldKind: "map" }, rules: FieldRules | undefined): Cost => {
    const map = rules?.type.case === "map" ? rules.type.value : undefined;
    const keys = valueCost(undefined, map?.keys);
    const values = valueCost(field.message, map?.values);
    const maxPairs = map !== undefined && map.maxPairs > 0n ? Number(map.maxPairs) : Number.POSITIVE_INFINITY;
    const isVisited = !isFree(keys) || !isFree(values) || (rules !== undefined && field.message !== undefined);
    const more = keys.more.length + values.more.length > 0;
    return (value, meter) => {
      const { size } = value as ReflectMap;
      if (size > maxPairs) meter.addTooLong("map.max_pairs", `map must be at most ${maxPairs} entries`);
      if (isVisited) meter.spend(size * (entryCost + keys.each + values.each));
      if (!more) return;
      for (const [key, inner] of value as ReflectMap) {
        const step = { kind: "map_sub", key: key as string } as const;
        for (const cost of keys.more) meter.visit(step, cost, key);
        for (const cost of values.more) meter.visit(step, cost, inner);
      }
    };
  };

  const fieldCost = (field: DescField): Cost | undefined => {
    const rules = hasOption(field, options.field) ? getOption(field, options.field) : undefined;
    if (rules === undefined && (field.message === undefined || !hasRules(field.message))) return undefined;
    if (field.fieldKind !== "list" && field.fieldKind !== "map") return whole(valueCost(field.message, rules));
    const inner = field.fieldKind === "list" ? listCost(field, rules) : mapCost(field, rules);
    return whole({ each: 0, more: [...expressionsOf(rules), inner] });
  };

  /** Types may contain each other: the costs of their fields are found with the first message. */
  const messageCosts = memoize((message: DescMessage): Cost => {
    const own = hasOwnRules(message) ? expressionsIn(getOption(message, options.message)) : [];
    const fields = message.fields.flatMap((field) => {
      const cost = fieldCost(field);
      return cost === undefined ? [] : [{ field, cost }];
    });
    return (value, meter) => {
      const reflected = value as ReflectMessage;
      meter.spend(messageCost);
      for (const cost of own) cost(reflected, meter);
      for (const { field, cost } of fields) if (reflected.isSet(field)) meter.visit(field, cost, reflected.get(field));
    };
  });

  return (request) => {
    const meter = new CostMeter();
    try {
      messageCosts(request.desc)(request, meter);
      return { cost: meter.cost, tooLong: [] };
    } catch (thrown) {
      if (thrown instanceof CallError && meter.tooLong.length > 0) return meter;
      throw thrown;
    }
  };
}
