// Service configuration files: a named one, or those beside a contract.
import { readText } from "@roundtrip/contract/text";
import type { JsonValue } from "@bufbuild/protobuf";
import { isServiceConfig, serviceConfigFrom, type ServiceConfig } from "@roundtrip/contract/foreign";
import { fileFault } from "@roundtrip/runs/files";
import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { isNode, LineCounter, parseDocument } from "yaml";
import { CliError } from "../basics/cli-error.ts";

export interface RulesFile {
  readonly path: string;
  readonly config: ServiceConfig;
  /** Whether the user named the file, instead of it being found. */
  readonly isMeant: boolean;
  /** `path:line:column` of a rule, by position, or by selector: the last match, which wins. */
  readonly locationOf: (rule: number | string) => string;
}

/** Far more than any API's rules need. */
const mostBytes = 4 * 1024 * 1024;
/** Maximum number of YAML aliases; more is an attack. */
const mostAliases = 100;

async function read(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > mostBytes) throw new CliError("usage", `${path} is larger than ${mostBytes / 2 ** 20} MB`);
    return await readText(path);
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError("usage", `cannot read the HTTP rules ${path}: ${fileFault(cause)}`, { cause });
  }
}

interface Read {
  readonly value: JsonValue;
  readonly locationOf: (index: number) => string;
}

/** Parses YAML, which includes JSON. */
function documentIn(text: string, path: string): Read {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const locationAt = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const [fault] = document.errors;
  if (fault !== undefined) {
    throw new CliError("usage", `${locationAt(fault.pos[0])}: ${fault.message}`);
  }
  const locationOf = (index: number): string => {
    const node = document.getIn(["http", "rules", index], true);
    return isNode(node) && node.range ? locationAt(node.range[0]) : path;
  };
  try {
    return { value: document.toJS({ maxAliasCount: mostAliases }) as JsonValue, locationOf };
  } catch (cause) {
    throw new CliError("usage", `${path}: ${(cause as Error).message}`, { cause });
  }
}

function configIn({ value, locationOf }: Read, path: string, isMeant: boolean): RulesFile {
  try {
    const config = serviceConfigFrom(value);
    const indexOf = (selected: string): number => config.rules.findLastIndex(({ selector }) => selector === selected);
    return { path, config, isMeant, locationOf: (rule) => locationOf(typeof rule === "number" ? rule : indexOf(rule)) };
  } catch (cause) {
    const { message } = cause as Error;
    const [, index] = /^http\.rules\[(\d+)\]/.exec(message) ?? [];
    throw new CliError("usage", `${index === undefined ? path : locationOf(Number(index))}: ${message}`, { cause });
  }
}

/** Reads the service configuration at a path. Rejects with a CliError that states what is wrong. */
export async function rulesIn(path: string): Promise<RulesFile> {
  return configIn(documentIn(await read(path), path), path, true);
}

/** Marks a service configuration; other YAML files are not parsed. */
const announces = /^\s*"?type"?\s*:\s*["']?google\.api\.Service\b/m;

/** The service configurations in a folder, in alphabetical order. Ignores other files. */
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
