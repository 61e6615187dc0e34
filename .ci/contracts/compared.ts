// Differences between the answers of styles, and which of them the styles declare.
import type { JsonValue } from "@bufbuild/protobuf";

function isObject(value: unknown): value is Readonly<Record<string, JsonValue>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Paths at which two values differ, such as `things[0].name`. */
export function differences(one: unknown, other: unknown, path = ""): readonly string[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return [`${path} (${one.length} and ${other.length})`];
    return one.flatMap((item, index) => differences(item, other[index], `${path}[${index}]`));
  }
  if (isObject(one) && isObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].flatMap((name) => differences(one[name], other[name], path === "" ? name : `${path}.${name}`));
  }
  return one === other || (Number.isNaN(one) && Number.isNaN(other)) ? [] : [path];
}

function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The names of all members in a value. */
export function memberNames(value: unknown): ReadonlySet<string> {
  if (Array.isArray(value)) return new Set(value.flatMap((item) => [...memberNames(item)]));
  if (!isObject(value)) return new Set();
  return new Set([...Object.keys(value), ...Object.values(value).flatMap((inner) => [...memberNames(inner)])]);
}

/** The names on a path. */
export function namesOn(path: string): ReadonlySet<string> {
  return new Set(path.split(/[.[\] ]+/));
}

/** Whether a style says that it cannot carry one of these fields. @param lost its own words, such as `Thing.name: null in a request` */
export function isDeclared(names: ReadonlySet<string>, lost: readonly string[]): boolean {
  return lost.some((one) => {
    const [subject = ""] = one.split(":");
    return [...subject.matchAll(/[A-Za-z]\w*/g)].some(([name]) => names.has(name) || names.has(camel(name)));
  });
}
