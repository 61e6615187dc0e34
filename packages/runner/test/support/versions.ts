// Two versions of a server, as programs that are not of this project.
import { join } from "node:path";
import type { ServerCommand, Version } from "../../src/index.ts";

const greeter = join(import.meta.dirname, "greeter-process.mjs");

export function greeterCommand(...words: readonly string[]): ServerCommand {
  return { kind: "command", argv: [process.execPath, greeter, ...words], cwd: import.meta.dirname, env: {} };
}

/** Base greets as it should; head too, unless words say otherwise. */
export function versions(head: readonly string[] = [], base: readonly string[] = []): readonly Version[] {
  return [
    { name: "base", server: () => greeterCommand(...base) },
    { name: "head", server: () => greeterCommand(...head) },
  ];
}
