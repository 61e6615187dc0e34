// A flag with several named values: `--fields time=ts,method=request.method`.
import { suggestion } from "@roundtrip/contract/text";
import { InvalidArgumentError } from "commander";

/** Parses `key=value,key=value`; a part without `=` continues the value before it. Repeatable: later values replace earlier ones. */
export function keyValues<Key extends string>(
  keys: readonly Key[],
): (text: string, before?: Partial<Record<Key, string>>) => Partial<Record<Key, string>> {
  const isKey = (name: string): name is Key => (keys as readonly string[]).includes(name);
  return (text, before = {}) => {
    const values = { ...before };
    let last: Key | undefined;
    for (const part of text.split(",").map((item) => item.trim())) {
      const cut = part.indexOf("=");
      if (cut === -1 && last !== undefined) {
        values[last] = `${values[last]},${part}`;
        continue;
      }
      const name = part.slice(0, Math.max(cut, 0));
      if (!isKey(name)) {
        throw new InvalidArgumentError(
          `must be ${keys[0]}=VALUE,… with the names ${keys.join(", ")}${suggestion(name, keys)}`,
        );
      }
      values[name] = part.slice(cut + 1);
      last = name;
    }
    return values;
  };
}
