// Flags with named values: `--fields time=ts,method=request.method`, `--set STACK.SETTING=VALUE,…`.
import { suggestion } from "@roundtrip/contract/text";
import { InvalidArgumentError, type Option } from "commander";
import { valueOption } from "./options.ts";

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

export interface TypedSetting {
  readonly stack: string;
  readonly setting: string;
  /** As typed: the stack's declaration determines valid values. */
  readonly values: readonly string[];
}

const form = "must be STACK.SETTING=VALUE, for example grpc-js.requestCompression=gzip";

function settingOf(text: string): TypedSetting {
  const [, stack = "", setting = "", value = ""] = /^([^.=]+)\.([^.=]+)=([^=]+)$/.exec(text) ?? [];
  if (value === "") throw new InvalidArgumentError(form);
  return { stack, setting, values: [value] };
}

/** One or several settings. Commas separate both settings and values; only the start of a setting has "=". */
function typedSettings(value: string, before: readonly TypedSetting[] | undefined): readonly TypedSetting[] {
  const settings: TypedSetting[] = [];
  for (const part of value.split(",").map((text) => text.trim())) {
    const last = settings.at(-1);
    if (part.includes("=") || last === undefined) settings.push(settingOf(part));
    else if (part === "") throw new InvalidArgumentError(form);
    else settings.splice(-1, 1, { ...last, values: [...last.values, part] });
  }
  return [...(before ?? []), ...settings];
}

export const setOption = (description: string): Option =>
  valueOption("subject", "--set <stack.setting=value>", description).argParser(typedSettings);
