// Flags with named values: `--load callers=1,3,think=10`, `--set STACK.SETTING=VALUE,…`.
import { suggestion } from "@roundtrip/contract/text";
import { InvalidArgumentError, type Option } from "commander";
import { valueOption } from "./options.ts";

type Parsers = Readonly<Record<string, (text: string) => unknown>>;

export type KeyValues<P extends Parsers> = { readonly [Key in keyof P]?: ReturnType<P[Key]> };

/**
 * Parses `key=value,key=value` with a parser for each key; a part without `=` continues the value before it. Of a repeated flag, later values replace
 * earlier ones.
 * @param first the key of a value that begins without one, such as the kind in `--link kernel,rtt=1`.
 */
export function keyValues<P extends Parsers>(
  parsers: P,
  first?: keyof P & string,
): (text: string, before?: KeyValues<P>) => KeyValues<P> {
  const keys = Object.keys(parsers);
  return (text, before) => {
    const texts = new Map<string, string>();
    let key: string | undefined = first;
    for (const part of text.split(",").map((item) => item.trim())) {
      const [, named, value = part] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
      key = named ?? key;
      if (key === undefined) throw new InvalidArgumentError(`must be KEY=VALUE,… with the keys ${keys.join(", ")}`);
      if (!keys.includes(key)) {
        throw new InvalidArgumentError(`unknown key "${key}"${suggestion(key, keys)} (valid: ${keys.join(", ")})`);
      }
      const earlier = texts.get(key);
      texts.set(key, earlier === undefined ? value : `${earlier},${value}`);
    }
    const parsed = [...texts].map(([name, value]) => [name, parsedValue(parsers, name, value)]);
    return { ...before, ...(Object.fromEntries(parsed) as KeyValues<P>) };
  };
}

/** An error that states a rule names its key. */
function parsedValue(parsers: Parsers, key: string, value: string): unknown {
  try {
    return parsers[key]?.(value);
  } catch (cause) {
    if (!(cause instanceof InvalidArgumentError) || !cause.message.startsWith("must ")) throw cause;
    throw new InvalidArgumentError(`${key} ${cause.message}`);
  }
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
