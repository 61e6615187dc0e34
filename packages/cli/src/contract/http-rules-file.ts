// Service configurations as files: the one that was named, or those that lie beside a contract.
import type { JsonValue } from "@bufbuild/protobuf";
import { isServiceConfig, serviceConfigFrom, type ServiceConfig } from "@roundtrip/contract/foreign";
import { fileFault } from "@roundtrip/runner/files";
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { isNode, LineCounter, parseDocument } from "yaml";
import { CliError } from "../basics/cli-error.ts";

/** A service configuration, and where it was. */
export interface RulesFile {
  readonly path: string;
  readonly config: ServiceConfig;
  /** Named by the user; otherwise it was found. */
  readonly isMeant: boolean;
  /** `path:line:column` of a rule, by its position in the list, or by what it selects: of several the last, which wins. */
  readonly placeOf: (rule: number | string) => string;
}

/** Far more than any API has rules for. */
const mostBytes = 4 * 1024 * 1024;
/** Anchors may stand for each other; this many is no file that somebody wrote. */
const mostAliases = 100;

async function read(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > mostBytes) throw new CliError("usage", `${path} is larger than ${mostBytes / 2 ** 20} MB`);
    return await readFile(path, "utf8");
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError("usage", `cannot read the HTTP rules ${path}: ${fileFault(cause)}`, { cause });
  }
}

/** A file as it was read. */
interface Read {
  readonly value: JsonValue;
  /** `path:line:column` of one of its rules, by its position. */
  readonly placeOf: (index: number) => string;
}

/** YAML, and with that JSON. */
function documentIn(text: string, path: string): Read {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const placeAt = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const [fault] = document.errors;
  if (fault !== undefined) {
    throw new CliError("usage", `${placeAt(fault.pos[0])}: ${fault.message}`);
  }
  const placeOf = (index: number): string => {
    const node = document.getIn(["http", "rules", index], true);
    return isNode(node) && node.range ? placeAt(node.range[0]) : path;
  };
  try {
    return { value: document.toJS({ maxAliasCount: mostAliases }) as JsonValue, placeOf };
  } catch (cause) {
    throw new CliError("usage", `${path}: ${(cause as Error).message}`, { cause });
  }
}

function configIn({ value, placeOf }: Read, path: string, isMeant: boolean): RulesFile {
  try {
    const config = serviceConfigFrom(value);
    const indexOf = (selected: string): number => config.rules.findLastIndex(({ selector }) => selector === selected);
    return { path, config, isMeant, placeOf: (rule) => placeOf(typeof rule === "number" ? rule : indexOf(rule)) };
  } catch (cause) {
    const { message } = cause as Error;
    const [, index] = /^http\.rules\[(\d+)\]/.exec(message) ?? [];
    throw new CliError("usage", `${index === undefined ? path : placeOf(Number(index))}: ${message}`, { cause });
  }
}

/** The service configuration at a path. Rejects with a CliError that says what is wrong with it. */
export async function rulesIn(path: string): Promise<RulesFile> {
  return configIn(documentIn(await read(path), path), path, true);
}

/** Seen at a glance: other YAML files are not even parsed. */
const announces = /^\s*"?type"?\s*:\s*["']?google\.api\.Service\b/m;

/** The service configurations that lie in a folder, in alphabetical order. Other files are ignored. */
export async function rulesBeside(folder: string): Promise<readonly RulesFile[]> {
  const names = (await readdir(folder)).filter((name) => [".yaml", ".yml", ".json"].includes(extname(name)));
  const files = await Promise.all(
    names.toSorted().map(async (name) => {
      const path = join(folder, name);
      // A broken link is ignored too.
      const found = await stat(path).catch(() => undefined);
      if (found?.isFile() !== true || found.size > mostBytes) return [];
      const text = await read(path);
      if (!announces.test(text)) return [];
      const document = documentIn(text, path);
      return isServiceConfig(document.value) ? [configIn(document, path, false)] : [];
    }),
  );
  return files.flat();
}
