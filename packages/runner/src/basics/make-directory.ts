// Makes a directory and its parents.
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
    // Another process may have made it meanwhile.
    if (!isDirectory(directory)) throw thrown;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Makes the directory if it does not exist. Throws the system's error. */
export function makeDirectory(directory: string): void {
  make(resolve(directory));
}
