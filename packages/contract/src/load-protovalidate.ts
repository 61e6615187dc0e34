// Loads the validation library when somebody first asks for it: with the interpreter of its rules it is a third of all modules that a server
// would have, and a contract of plain rules whose requests keep them never needs it.
import type * as protovalidate from "@bufbuild/protovalidate";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

/** The library, from the files that an `import` would load: with those of a `require` there would be a second protobuf runtime. */
export function loadProtovalidate(): typeof protovalidate {
  return require(fileURLToPath(import.meta.resolve("@bufbuild/protovalidate"))) as typeof protovalidate;
}
