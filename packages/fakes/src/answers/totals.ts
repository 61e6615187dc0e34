// Amounts that follow from others by their names: a line costs its quantity times its unit price, an order the sum of its lines, and the tax on it.
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { rulesOfField } from "@roundtrip/contract/declared-rules";
import { snakeCase } from "@roundtrip/contract/resources";
import { integerFits, integerRange } from "./values/number-value.ts";

const names = {
  quantity: /^(?:quantity|qty|units)$/,
  price: /^(?:(?:unit|item)_)?(?:price|cost)(?:_amount)?$|^unit_amount$/,
  line: /^(?:(?:line|item|net|sub)_?)?(?:total|amount|sum)(?:_(?:amount|price))?$/,
  net: /^(?:net|sub)_?(?:total|sum|amount|price)(?:_amount)?$|^total_net$/,
  tax: /^(?:total_)?(?:tax|vat)(?:_(?:total|sum|amount))?$/,
  gross: /^(?:gross|grand)_?(?:total|sum|amount|price)$|^total(?:_(?:gross|amount|price|sum|cost|due))?$|^amount_due$/,
} as const satisfies Readonly<Record<string, RegExp>>;

/** What a contract leaves open. */
const madeUpTaxShare = 0.19;

const smallUnits = /_(?:cents?|minor|micros)$/;
const fractions = new Set<ScalarType | undefined>([ScalarType.DOUBLE, ScalarType.FLOAT]);

function isInteger({ scalar }: DescField): boolean {
  return scalar !== undefined && integerRange(scalar) !== undefined;
}

/** @param price the amounts in another field that are in the same unit; undefined if it is no amount */
function numberNamed({ fields }: DescMessage, name: RegExp, price?: DescField): DescField | undefined {
  return fields.find((field) => {
    if (field.fieldKind !== "scalar" || !(isInteger(field) || fractions.has(field.scalar))) return false;
    const text = snakeCase(field.name);
    if (!name.test(text.replace(smallUnits, ""))) return false;
    if (price === undefined) return true;
    return (
      isInteger(price) === isInteger(field) &&
      smallUnits.exec(snakeCase(price.name))?.[0] === smallUnits.exec(text)?.[0]
    );
  });
}

/** What one of a kind of messages costs, and the field of its unit price. */
interface Line {
  readonly price: DescField;
  readonly cost: (line: ReflectMessage) => number;
}

function lineOf(desc: DescMessage): Line | undefined {
  const quantity = numberNamed(desc, names.quantity);
  const price = numberNamed(desc, names.price);
  if (quantity === undefined || price === undefined) return undefined;
  return { price, cost: (line) => rounded(Number(line.get(quantity)) * Number(line.get(price)), price) };
}

function rounded(amount: number, like: DescField): number {
  return isInteger(like) ? Math.round(amount) : Math.round(amount * 100) / 100;
}

/** Sets an amount, unless it breaks the rules of the field. */
function put(message: ReflectMessage, field: DescField, amount: number): void {
  const range = integerRange(field.scalar ?? ScalarType.STRING);
  const rules = rulesOfField(field);
  if (range === undefined) {
    if (rules === undefined) message.set(field, amount);
  } else if (Number.isSafeInteger(amount) && integerFits(range, rules?.type.value)(BigInt(amount))) {
    message.set(field, range.high > 2n ** 32n ? BigInt(amount) : amount);
  }
}

/** Sets the amounts in a message that follow from others, where wanted. */
export type SetTotals = (message: ReflectMessage, isWanted: (field: DescField) => boolean) => void;

/** Undefined for a type without such amounts. */
export function totalsIn(desc: DescMessage): SetTotals | undefined {
  const own = lineOf(desc);
  const ownTotal = own && numberNamed(desc, names.line, own.price);
  if (own !== undefined && ownTotal !== undefined) {
    return (message, isWanted) => {
      if (isWanted(ownTotal)) put(message, ownTotal, own.cost(message));
    };
  }
  const lists = desc.fields.flatMap((list) => {
    const line = list.fieldKind === "list" && list.message !== undefined ? lineOf(list.message) : undefined;
    return line === undefined ? [] : [{ list, line }];
  });
  const [first, ...others] = lists;
  // Of several lists it is unknown which are summed.
  if (first === undefined || others.length > 0) return undefined;
  const { list, line } = first;
  const [net, tax, gross] = [names.net, names.tax, names.gross].map((name) => numberNamed(desc, name, line.price));
  if (net === undefined && gross === undefined) return undefined;
  return (message, isWanted) => {
    const lines = (message.message as unknown as Readonly<Record<string, readonly never[]>>)[list.localName] ?? [];
    // Lines may be left out of what is made up.
    if (lines.length === 0) return;
    const costs = lines.map((item) => line.cost(reflect(list.message as DescMessage, item, false)));
    const sum = costs.reduce((total, cost) => total + cost, 0);
    const set = (field: DescField | undefined, amount: number): void => {
      if (field !== undefined && isWanted(field)) put(message, field, rounded(amount, line.price));
    };
    set(net, sum);
    set(tax, sum * madeUpTaxShare);
    // The tax may be that of the caller.
    set(gross, sum + (tax === undefined ? 0 : Number(message.get(tax))));
  };
}
