// Converts compiler errors to messages for the contract's author: the user's paths, few lines, and advice.
import { join } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import type { ProtoFile } from "./proto-files.ts";

interface Compiled {
  readonly compiled: string;
  /** The files in it; empty if buf read the user's own files. */
  readonly files: readonly ProtoFile[];
}

/** Further lines mostly follow from the first ones. */
const mostLines = 10;

const unknownRule = /cannot find message field|unknown extension buf\.validate/;
const isMissingImport = (line: string): boolean => line.includes("imported file does not exist");

/** `path:line:column: message` with the user's path, or the name of a missing import. */
function shown(line: string, path: string, { compiled, files }: Compiled): string {
  const text = line.trim().replace(/^Failure: /, "");
  const file = files.find(({ name }) => text.startsWith(`${join(compiled, name)}:`));
  const plain =
    file === undefined
      ? text.replaceAll(compiled, path)
      : `${file.path}${text.slice(join(compiled, file.name).length)}`;
  const located = /^(.+?):(\d+):(\d+):\s*(.*)$/s.exec(plain);
  if (located === null) return plain;
  const [, where, row, column, message = ""] = located;
  const missing = isMissingImport(message) && file?.imports.find((site) => site.line === Number(row));
  return `${where}:${row}:${column}: ${message}${missing ? `: ${missing.name}` : ""}`;
}

/** Advice, one per line. */
function advice(fault: string, lines: readonly string[], { files }: Compiled): readonly string[] {
  const advices: string[] = [];
  if (unknownRule.test(fault) && fault.includes("buf.validate.")) {
    advices.push(
      "the rules known here are those of protovalidate 1.2; a buf/validate/validate.proto in the folder itself is used instead",
    );
  }
  if (files.length > 0 && lines.some(isMissingImport)) {
    advices.push("--proto-path names the folder that the path of an imported file begins at");
  }
  if (/cannot find `google\.api\.http` in this scope/.test(fault)) {
    advices.push('google.api.http takes an import "google/api/annotations.proto"');
  }
  return advices;
}

/** The error for buf's message. Missing imports come first, because they cause most other errors. */
export function compileFault(path: string, fault: string, compiled: Compiled): CliError {
  const lines = [...new Set(fault.split("\n").filter((line) => line.trim() !== ""))];
  const ordered = [...lines.filter(isMissingImport), ...lines.filter((line) => !isMissingImport(line))];
  const [first = "", ...others] = ordered.slice(0, mostLines).map((line) => shown(line, path, compiled));
  const more = lines.length > mostLines ? [`and ${lines.length - mostLines} more`] : [];
  const text = [...others, ...more, ...advice(fault, lines, compiled)].map((line) => `\n  ${line}`).join("");
  return new CliError("usage", `the contract in ${path} does not compile: ${first}${text}`);
}
