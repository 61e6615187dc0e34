// What it costs to evaluate an expression (CEL) of a rule for a value, found without evaluating it: evaluation is synchronous, and nothing can interrupt
// it. The lists that macros go through are known, so that the items of all lists of a message count as what they are, and pairs of items as pairs.
import type { parse } from "@bufbuild/cel";
import { ScalarType, type DescField } from "@bufbuild/protobuf";
import { isReflectList, isReflectMap, isReflectMessage, type ReflectMessage } from "@bufbuild/protobuf/reflect";

export type Expression = NonNullable<ReturnType<typeof parse>["expr"]>;

// Costs of steps, in the time of one: half a microsecond.

/** What an evaluation costs beside its expression. */
const evaluationCost = 4;
const perListedItem = 1 / 4;
/** A macro that makes a list copies it for each item, and `unique` compares each item with all before. */
const perPairOfItems = 1 / 32;
const perScannedCharacter = 1 / 64;
const perComparedCharacter = 1 / 1024;

/** Operators, and functions that compare or count characters. Others, such as `matches`, take about a step for each. */
const scanning: ReadonlySet<string> = new Set([
  ..."_&&_ _||_ !_ _?_:_ _==_ _!=_ _<_ _<=_ _>_ _>=_ _+_ _[_] @in @not_strictly_false".split(" "),
  ..."size contains startsWith endsWith unique".split(" "),
]);
/** Functions that take no longer for a long list. */
const constantForLists: ReadonlySet<string> = new Set(["size", "_+_", "_&&_", "_||_", "_?_:_", "_[_]"]);

/** The values that a part of an expression has, all together: it has one for each iteration of the macros around it. */
interface Values {
  /** Undefined for what is computed. */
  readonly known: readonly unknown[] | undefined;
  /** The elements of these values, if known. */
  readonly elements: readonly unknown[] | undefined;
  /** The elements of a value, and its characters, on average. */
  readonly size: number;
  readonly characters: number;
}

const plain: Values = { known: undefined, elements: [], size: 0, characters: 0 };

function sizeOf(value: unknown): number {
  return isReflectList(value) || isReflectMap(value) ? value.size : 0;
}

function charactersOf(value: unknown): number {
  return typeof value === "string" || value instanceof Uint8Array ? value.length : 0;
}

/** The values, which are part of a message. */
function valuesOf(known: readonly unknown[]): Values {
  if (isReflectMessage(known[0])) return { known, elements: [], size: 0, characters: 0 };
  let size = 0;
  let characters = 0;
  for (const value of known) {
    size += sizeOf(value);
    characters += charactersOf(value);
  }
  const count = Math.max(known.length, 1);
  return { known, elements: undefined, size: size / count, characters: characters / count };
}

/** Whether values of a field have neither elements nor characters. */
function isNumber({ fieldKind, scalar }: DescField): boolean {
  if (fieldKind === "enum") return true;
  return fieldKind === "scalar" && scalar !== ScalarType.STRING && scalar !== ScalarType.BYTES;
}

/** The values of a field in messages, which are all of one type, or of a key in maps. */
function selected({ known, characters }: Values, name: string): Values {
  if (known === undefined) return { ...plain, size: characters, characters };
  const [first] = known;
  if (isReflectMessage(first)) {
    const field = first.fields.find((candidate) => candidate.name === name);
    if (field === undefined || isNumber(field)) return plain;
    return valuesOf((known as readonly ReflectMessage[]).map((message) => message.get(field)));
  }
  return valuesOf(known.flatMap((value) => (isReflectMap(value) && value.has(name) ? [value.get(name)] : [])));
}

/** All elements of these values, and of maps their keys or what is stored below them. */
function elementsOf({ known, elements }: Values, isIndexed = false): readonly unknown[] | undefined {
  if (elements !== undefined || known === undefined) return elements;
  const found: unknown[] = [];
  for (const value of known) {
    const inside = isReflectMap(value)
      ? isIndexed
        ? value.values()
        : value.keys()
      : isReflectList(value)
        ? value
        : [];
    for (const element of inside) found.push(element);
  }
  return found;
}

/** The characters of the elements of a value, on average. */
function charactersInside(values: Values): number {
  let characters = 0;
  for (const element of elementsOf(values) ?? []) characters += charactersOf(element);
  return characters / Math.max(values.known?.length ?? 1, 1);
}

/** All of these lists as one; undefined if one of them is unknown. */
function joined(lists: readonly (readonly unknown[] | undefined)[]): readonly unknown[] | undefined {
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

function sum(parts: readonly Values[]): Pick<Values, "size" | "characters"> {
  let size = 0;
  let characters = 0;
  for (const part of parts) {
    size += part.size;
    characters += part.characters;
  }
  return { size, characters };
}

class Estimate {
  cost = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds the cost of an expression that is evaluated so many times, with these variables. */
  add(expression: Expression | undefined, variables: ReadonlyMap<string, Values>, times: number): Values {
    this.cost += times;
    if (expression === undefined || this.cost > this.#most) return plain;
    const { case: kind, value } = expression.exprKind;
    switch (kind) {
      case "identExpr":
        return variables.get(value.name) ?? plain;
      case "constExpr":
        return valuesOf([value.constantKind.value]);
      case "selectExpr": {
        const operand = this.add(value.operand, variables, times);
        return value.testOnly ? plain : selected(operand, value.field);
      }
      case "callExpr": {
        const { target, args } = value;
        const parts = target === undefined ? args : [target, ...args];
        return this.#call(
          value.function,
          parts.map((part) => this.add(part, variables, times)),
          times,
        );
      }
      case "listExpr": {
        const parts = value.elements.map((part) => this.add(part, variables, times));
        const { size, characters } = sum(parts);
        return {
          known: undefined,
          elements: joined(parts.map(({ known }) => known)),
          size: parts.length,
          characters: size + characters,
        };
      }
      case "structExpr": {
        const keys = value.entries.map(({ keyKind }) => (keyKind.case === "mapKey" ? keyKind.value : undefined));
        const parts = [...keys, ...value.entries.map((entry) => entry.value)];
        const { characters } = sum(parts.map((part) => this.add(part, variables, times)));
        return { ...plain, elements: undefined, size: keys.length, characters };
      }
      case "comprehensionExpr": {
        const range = this.add(value.iterRange, variables, times);
        const { size } = range;
        if (times * size > this.#most) {
          this.cost = Number.POSITIVE_INFINITY;
          return plain;
        }
        const elements = elementsOf(range);
        const share = range.characters / Math.max(size, 1);
        const item = elements === undefined ? { ...plain, size: share, characters: share } : valuesOf(elements);
        const inner = new Map([...variables, [value.iterVar, item], [value.accuVar, plain]]);
        this.add(value.loopCondition, inner, times * size);
        const step = this.add(value.loopStep, inner, times * size);
        this.cost += times * size * size * step.size * perPairOfItems;
        const made = { ...step, known: undefined, size: size * step.size, characters: size * step.characters };
        return this.add(value.result, new Map([...variables, [value.accuVar, made]]), times);
      }
      default:
        return plain;
    }
  }

  #call(name: string, parts: readonly Values[], times: number): Values {
    const { size, characters: own } = sum(parts);
    if (!constantForLists.has(name)) this.cost += times * size * perListedItem;
    const isRead = size > 0 && !constantForLists.has(name) && this.cost <= this.#most;
    const inside = isRead ? parts.reduce((total, part) => total + charactersInside(part), 0) : 0;
    const characters = own + inside;
    this.cost += times * characters * (scanning.has(name) ? perScannedCharacter : 1);
    if (name === "unique") this.cost += times * size * (size * perPairOfItems + inside * perComparedCharacter);
    const [first] = parts;
    if (name === "_[_]" && first !== undefined) {
      const below = elementsOf(first, true);
      const share = first.characters;
      return below === undefined ? { ...plain, size: share, characters: share } : valuesOf(below);
    }
    if (name === "_+_" || name === "_?_:_")
      return { known: undefined, elements: joined(parts.map((part) => elementsOf(part))), size, characters };
    if (scanning.has(name)) return plain;
    // What other functions make of a text can be another text, or a list of its parts.
    return { known: undefined, elements: undefined, size: size + characters, characters };
  }
}

/** The cost of an expression for `this`, in steps; any number above `most` if it is higher. */
export function expressionCost(expression: Expression, self: unknown, most: number): number {
  const estimate = new Estimate(most);
  estimate.add(expression, new Map([["this", valuesOf([self])]]), 1);
  return estimate.cost + evaluationCost;
}
