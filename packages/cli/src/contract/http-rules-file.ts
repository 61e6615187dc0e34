// Service configurations as files: the one that was named, or those that lie beside a contract.
import type { JsonValue } from "@bufbuild/protobuf";
import { isServiceConfig, serviceConfigFrom, type ServiceConfig } from "@roundtrip/contract/foreign";
import { fileFault } from "@roundtrip/runner";
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import { CliError } from "../cli-error.ts";

/** A service configuration, and where it was. */
export interface RulesFile {
  readonly path: string;
  readonly config: ServiceConfig;
  /** Named by the user; otherwise it was found. */
  readonly isMeant: boolean;
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

/** YAML, and with that JSON. */
function documentIn(text: string, path: string): JsonValue {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line, col } = lineCounter.linePos(fault.pos[0]);
    throw new CliError("usage", `${path}:${line}:${col}: ${fault.message}`);
  }
  try {
    return document.toJS({ maxAliasCount: mostAliases }) as JsonValue;
  } catch (cause) {
    throw new CliError("usage", `${path}: ${(cause as Error).message}`, { cause });
  }
}

function configIn(document: JsonValue, path: string, isMeant: boolean): RulesFile {
  try {
    return { path, config: serviceConfigFrom(document), isMeant };
  } catch (cause) {
    throw new CliError("usage", `${path}: ${(cause as Error).message}`, { cause });
  }
}

/** The service configuration at a path. Rejects with a CliError that says what is wrong with it. */
export async function rulesIn(path: string): Promise<RulesFile> {
  return configIn(documentIn(await read(path), path), path, true);
}

/** Seen at a glance: other YAML files are not even parsed. */
const announces = /^\s*"?type"?\s*:\s*["']?google\.api\.Service\b/m;

/** The service configurations that lie in a folder, in alphabetical order. Other files are none of ours. */
export async function rulesBeside(folder: string): Promise<readonly RulesFile[]> {
  const names = (await readdir(folder)).filter((name) => [".yaml", ".yml", ".json"].includes(extname(name)));
  const files = await Promise.all(
    names.toSorted().map(async (name) => {
      const path = join(folder, name);
      // A link that leads nowhere is none of ours either.
      const found = await stat(path).catch(() => undefined);
      if (found?.isFile() !== true || found.size > mostBytes) return [];
      const text = await read(path);
      if (!announces.test(text)) return [];
      const document = documentIn(text, path);
      return isServiceConfig(document) ? [configIn(document, path, false)] : [];
    }),
  );
  return files.flat();
}
