// The list of allowed changes: a file with each change and a reason.
import { matchesStars, suggestion } from "@roundtrip/contract/text";
import { parse } from "yaml";
import { CliError } from "../basics/cli-error.ts";
import { fileLimitsMiB, readInput } from "../basics/read-input.ts";
import type { CheckedChange } from "@roundtrip/changes";
import { judgeNames } from "@roundtrip/changes/names";

export interface Allowed {
  /** The element, as in the report; `*` matches anything. */
  readonly change: string;
  /** Undefined for every kind of change. */
  readonly kind: string | undefined;
  /** The affected styles; undefined for all. */
  readonly styles: readonly string[] | undefined;
  readonly reason: string;
}

const keys = ["change", "kind", "styles", "reason"] as const;

function entryOf(value: unknown, fail: (why: string) => never): Allowed {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return fail("must be a mapping with change and reason");
  const entry = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(entry).find((key) => !keys.some((known) => known === key));
  if (unknown !== undefined)
    return fail(`has an unknown key "${unknown}"${suggestion(unknown, keys)} (valid: ${keys.join(", ")})`);
  const textOf = (key: (typeof keys)[number]): string => {
    const text = entry[key];
    return typeof text === "string" && text.trim() !== "" ? text : fail(`needs a text for ${key}`);
  };
  const { styles } = entry;
  const known = judgeNames();
  const isList = Array.isArray(styles) && styles.length > 0;
  if (styles !== undefined && !isList) return fail(`needs a list for styles (valid: ${known.join(", ")})`);
  const named = (isList ? styles : []).map(
    (style) =>
      known.find((one) => one === style) ??
      fail(`has an unknown style "${String(style)}" (valid: ${known.join(", ")})`),
  );
  return {
    change: textOf("change"),
    kind: entry["kind"] === undefined ? undefined : textOf("kind"),
    styles: styles === undefined ? undefined : named,
    reason: textOf("reason"),
  };
}

/** Reads a list in YAML or JSON. Rejects with a CliError with the file, the entry and what to do. */
export async function readAllowList(path: string): Promise<readonly Allowed[]> {
  const text = readInput({ path, mostMiB: fileLimitsMiB.allowList });
  let list: unknown;
  try {
    list = parse(text, { prettyErrors: true }) ?? [];
  } catch (cause) {
    const [why = ""] = (cause as Error).message.split("\n");
    throw new CliError("usage", `${path} is not YAML: ${why.replace(/:$/, "")}`, { cause });
  }
  if (!Array.isArray(list))
    throw new CliError("usage", `${path} is not a list of allowed changes: start each entry with "- change:"`);
  return list.map((entry, index) =>
    entryOf(entry, (why) => {
      throw new CliError("usage", `${path}: entry ${index + 1} ${why}`);
    }),
  );
}

export function allowing(list: readonly Allowed[], { kind, where }: CheckedChange, style: string): Allowed | undefined {
  return list.find(
    (entry) =>
      matchesStars(entry.change, where) &&
      (entry.kind === undefined || entry.kind === kind) &&
      (entry.styles === undefined || entry.styles.includes(style)),
  );
}
