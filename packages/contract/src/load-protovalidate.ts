// Loads the validation library when somebody first asks for it: with the interpreter of its rules it is a third of all modules that a server
// would have, and a contract of plain rules whose requests keep them never needs it.
import type * as protovalidate from "@bufbuild/protovalidate";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { pruneSoundly, type FieldPlans } from "./prune-soundly.ts";

const require = createRequire(import.meta.url);

/** A file of the library, as an `import` would load it: with those of a `require` there would be a second protobuf runtime. */
function load(file: string): unknown {
  return require(fileURLToPath(new URL(file, import.meta.resolve("@bufbuild/protovalidate"))));
}

/** The library, whose plans for types that hold each other are mended: docs/decisions/0176-plans-of-types-that-hold-each-other.md. */
export function loadProtovalidate(): typeof protovalidate {
  pruneSoundly(load("eval.js") as FieldPlans);
  return load("index.js") as typeof protovalidate;
}
