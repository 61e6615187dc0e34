// What two contracts' messages have in common, in the words of the one before: two messages say the same when these views are equal.
import { ScalarType, type DescEnum, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";

/** What things are called afterwards, as `Thing.name` or `Color.COLOR_RED`; what is not here has kept its name. */
export type Renamed = Readonly<Record<string, string>>;

function after(renamed: Renamed, id: string): string {
  const name = renamed[id] ?? id;
  return name.slice(name.lastIndexOf(".") + 1);
}

/** A field of the message before, and what became of it. Fields that went or came have no pair. */
export function fieldPairs(
  old: DescMessage,
  young: DescMessage,
  renamed: Renamed,
): readonly (readonly [before: DescField, after: DescField])[] {
  return old.fields.flatMap((field) => {
    const name = after(renamed, `${old.name}.${field.name}`);
    const found = young.fields.find((candidate) => candidate.name === name);
    return found === undefined ? [] : [[field, found] as const];
  });
}

function enumText(
  number: unknown,
  side: Side,
  [old, young]: readonly [DescEnum | undefined, DescEnum | undefined],
  renamed: Renamed,
): string {
  const known = side === "before" ? old : young;
  const name = known?.values.find((value) => value.number === number)?.name ?? `#${String(number)}`;
  if (side === "before" || old === undefined) return name;
  return old.values.find((value) => after(renamed, `${old.name}.${value.name}`) === name)?.name ?? name;
}

type Side = "before" | "after";

/** Texts, lists and objects of them. */
export type View = string | readonly View[] | { readonly [name: string]: View };

function isZero(view: View): boolean {
  if (typeof view !== "string") return Object.keys(view).length === 0;
  return ["", "0", "false"].includes(view) || view.endsWith("_UNSPECIFIED");
}

/** True where a boolean of the other contract is 0 or 1. */
function isNumber({ scalar }: DescField): boolean {
  return scalar !== undefined && scalar !== ScalarType.BOOL && scalar !== ScalarType.STRING;
}

/** Bytes as Base64; where the other contract has text, as the text that they are. */
export function bytesText(bytes: Uint8Array, first: DescField, second: DescField): string {
  const isText = [first, second].some(({ scalar }) => scalar === ScalarType.STRING);
  return Buffer.from(bytes).toString(isText ? "utf8" : "base64");
}

/** A list; where the other contract has one value, a list of one is that value. */
export function asMany(items: readonly View[], first: DescField, second: DescField): View {
  const [only] = items;
  return first.fieldKind !== second.fieldKind && only !== undefined && items.length === 1 ? only : items;
}

/** Leaves out what says as much as absence. */
export function withoutZeros(entries: readonly (readonly [string, View])[]): View {
  return Object.fromEntries(entries.filter(([, view]) => !isZero(view)));
}

/** What a message says, without what is zero or absent. */
export function viewOf(message: Message, side: Side, old: DescMessage, young: DescMessage, renamed: Renamed): View {
  const read: ReflectMessage = reflect(side === "before" ? old : young, message);
  const entries = fieldPairs(old, young, renamed).flatMap(([first, second]): (readonly [string, View])[] => {
    const field = side === "before" ? first : second;
    if (!read.isSet(field)) return [];
    const one = (value: unknown): View => {
      if (first.message !== undefined && second.message !== undefined) {
        return viewOf((value as ReflectMessage).message, side, first.message, second.message, renamed);
      }
      if (field.message !== undefined) return "a message";
      // Against a number, an enum has its numbers.
      if (field.enum !== undefined && isNumber(side === "before" ? second : first)) return String(value);
      if (field.enum !== undefined) return enumText(value, side, [first.enum, second.enum], renamed);
      if (typeof value === "boolean" && isNumber(side === "before" ? second : first)) return String(Number(value));
      return value instanceof Uint8Array ? bytesText(value, first, second) : String(value);
    };
    const value: unknown = read.get(field as never);
    if (field.fieldKind === "list")
      return [[first.name, asMany([...(value as Iterable<unknown>)].map(one), first, second)]];
    if (field.fieldKind === "map") {
      const items = [...(value as Iterable<readonly [unknown, unknown]>)].map(([key, item]) => [
        String(key),
        one(item),
      ]);
      return [[first.name, Object.fromEntries(items) as View]];
    }
    return [[first.name, one(value)]];
  });
  return withoutZeros(entries);
}
