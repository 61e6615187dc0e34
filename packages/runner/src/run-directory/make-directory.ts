// Makes a directory and those above it.
import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

// Not `mkdirSync(…, { recursive: true })`: Node.js 24 never returns from it where the kernel answers ENOENT to every attempt (/proc).
function make(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(directory);
  if (parent !== directory) make(parent);
  mkdirSync(directory);
}

/** Makes the directory if it is not there. Throws the system's error. */
export function makeDirectory(directory: string): void {
  make(resolve(directory));
}
