// `STACK.SETTING=VALUE,…`: settings as typed. Several values are levels.
import { InvalidArgumentError, type Option } from "commander";
import { valueOption } from "../options/options.ts";

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
