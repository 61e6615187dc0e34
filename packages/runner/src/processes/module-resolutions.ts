// Caches module resolution between processes. Searching folders and package.json files takes half of a Node.js start, so a process uses the
// resolutions of an earlier one with the same modules. An entry of its own, because it must be used before anything else is loaded.
import { registerHooks } from "node:module";

/** The URL and format of a module; without a format, Node.js looks into the file for it. */
type Resolution = readonly [url: string, format?: string];

/** By the URL of the importing module, then by kind and specifier: `import:express`. */
export type ModuleResolutions = Record<string, Record<string, Resolution>>;

let known: ModuleResolutions = {};
let added = 0;
let news: ModuleResolutions | undefined;
let stop = (): void => undefined;

/** Resolves modules as in an earlier process; others are resolved by Node.js and recorded. */
export function followResolutions(of: ModuleResolutions): void {
  known = of;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = "", conditions } = context;
      // Contrary to its type, it is missing for `require`.
      const attributes: unknown = context.importAttributes;
      const how = conditions.includes("require") ? "require" : "import";
      const name = `${how}:${specifier}`;
      const found = known[parentURL]?.[name];
      if (found !== undefined) return { url: found[0], format: found[1], shortCircuit: true };
      const { url, format, ...rest } = next(specifier, context);
      if (Object.keys(attributes ?? {}).length === 0) {
        (known[parentURL] ??= {})[name] = typeof format === "string" ? [url, format] : [url];
        added += 1;
      }
      return { url, format, ...rest };
    },
  });
  stop = () => hooks.deregister();
}

/** Modules that calls load later are resolved by Node.js alone. */
export function endResolutions(): void {
  stop();
  news = added === 0 ? undefined : known;
}

/** Once, after the end: all resolutions, if there are new ones. */
export function newResolutions(): ModuleResolutions | undefined {
  const found = news;
  news = undefined;
  return found;
}
