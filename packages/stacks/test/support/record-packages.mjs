// Preloaded into a process (`--import`): when the process ends, it writes down which packages it has loaded.
import { registerHooks } from "node:module";
import { writeFileSync } from "node:fs";

const packages = new Set();
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(found.url)?.[1];
    if (name !== undefined) packages.add(name);
    return found;
  },
});
process.on("exit", () => writeFileSync(process.env.PACKAGES_FILE, JSON.stringify([...packages])));
