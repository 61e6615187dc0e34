// A module that moves into a bundle goes on seeing where it is from: files beside it are found there, and nothing else is told of the move.
import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Plugin } from "rolldown";

const asksWhere = /\bimport\.meta\.|\b__(?:dirname|filename)\b/;
const resolvesPackage = /\bimport\.meta\.resolve\(("[^"]+")\)/g;
const isCommonJs = /\b(?:module\.exports|exports\.\w+\s*=|require\()/;

/** Writes a module's own place into it; what it resolves by `import.meta.resolve` becomes a part of the bundle, loaded when it asks for it. */
export const inItsPlace: Plugin = {
  name: "in-its-place",
  transform: {
    filter: { code: asksWhere },
    async handler(code, id) {
      let moved = code;
      for (const [whole, quoted = ""] of code.matchAll(resolvesPackage)) {
        const resolved = await this.resolve(JSON.parse(quoted) as string, id);
        if (resolved === null) throw new Error(`${id} asks for ${quoted}, which is not there`);
        const reference = this.emitFile({ type: "chunk", id: resolved.id, name: basename(dirname(resolved.id)) });
        moved = moved.replace(whole, `import.meta.ROLLUP_FILE_URL_${reference}`);
      }
      const own = { url: pathToFileURL(id).href, filename: id, dirname: dirname(id) };
      for (const [name, value] of Object.entries(own)) {
        moved = moved.replaceAll(new RegExp(`\\bimport\\.meta\\.${name}\\b`, "g"), JSON.stringify(value));
      }
      if (/\b__(?:dirname|filename)\b/.test(code) && isCommonJs.test(code)) {
        moved = `var __dirname = ${JSON.stringify(own.dirname)}, __filename = ${JSON.stringify(own.filename)};${moved}`;
      }
      return { code: moved, map: null };
    },
  },
};

/** The file of a URL or a path, as modules are named in a bundle. */
export function fileOf(module: string): string {
  return realpathSync(module.startsWith("file:") ? fileURLToPath(module) : module);
}
