// Makes a directory and those above it.
import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

// Not `mkdirSync(…, { recursive: true })`: Node.js 24 never returns from it where the kernel answers ENOENT to every attempt (/proc).
function make(directory: string): void {
  if (isDirectory(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) make(parent);
  try {
    mkdirSync(directory);
  } catch (thrown) {
    // Somebody else may have made it in between.
    if (!isDirectory(directory)) throw thrown;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Makes the directory if it is not there. Throws the system's error. */
export function makeDirectory(directory: string): void {
  make(resolve(directory));
}
