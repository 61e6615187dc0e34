// Service configuration files: a named one, or those beside a contract.
import type { JsonValue } from "@bufbuild/protobuf";
import { isServiceConfig, serviceConfigFrom, type ServiceConfig } from "@roundtrip/contract/foreign";
import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import { fileLimitsMiB, readInput } from "../basics/read-input.ts";

export interface RulesFile {
  readonly path: string;
  readonly config: ServiceConfig;
  /** Whether the user named the file, instead of it being found. */
  readonly isMeant: boolean;
  /** `path:line:column` of a rule, by position, or by selector: the last match, which wins. */
  readonly locationOf: (rule: number | string) => string;
}

/** Maximum number of YAML aliases; more is an attack. */
const mostAliases = 100;

function read(path: string): string {
  return readInput({ path, mostMiB: fileLimitsMiB.httpRules, label: `the HTTP rules ${path}` });
}

interface Read {
  readonly value: JsonValue;
  readonly locationOf: (index: number) => string;
}

/** Parses YAML, which includes JSON. Loads the parser, which most contracts do not need. */
async function documentIn(text: string, path: string): Promise<Read> {
  const { isNode, LineCounter, parseDocument } = await import("yaml");
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
  return configIn(await documentIn(read(path), path), path, true);
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
      if (found?.isFile() !== true || found.size > fileLimitsMiB.httpRules * 2 ** 20) return [];
      const text = read(path);
      if (!announces.test(text)) return [];
      const document = await documentIn(text, path);
      return isServiceConfig(document.value) ? [configIn(document, path, false)] : [];
    }),
  );
  return files.flat();
}
