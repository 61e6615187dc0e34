// What the modules of a process resolve to. Looking each of them up, in folders and in package.json files, takes Node.js half of a start: a process
// starts with what one before it, which loaded the same, has found. An entry of its own: the program uses it before it loads anything else.
import { registerHooks } from "node:module";

/** What a module asks for is at this URL, in this format; without one where Node.js looks into the file for it. */
type Resolution = readonly [url: string, format?: string];

/** By the URL of the module that asks, and by how it asks for what: `import:express`. */
export type ModuleResolutions = Record<string, Record<string, Resolution>>;

let known: ModuleResolutions = {};
let added = 0;
let news: ModuleResolutions | undefined;
let stop = (): void => undefined;

/** From now on modules are where they were for another process; those that it did not ask for are looked up, and noted. */
export function followResolutions(of: ModuleResolutions): void {
  known = of;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = "", conditions } = context;
      // Whatever the types say, `require` has none.
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

/** What calls load later is looked up by Node.js alone. */
export function endResolutions(): void {
  stop();
  news = added === 0 ? undefined : known;
}

/** Once, and after the end: all that is known, when that has become more. */
export function newResolutions(): ModuleResolutions | undefined {
  const found = news;
  news = undefined;
  return found;
}
