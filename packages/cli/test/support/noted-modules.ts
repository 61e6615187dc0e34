// Loaded before a program: when that ends, it has written the URL of every module that it loaded, one a line, to the file that MODULES_FILE names.
import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";

const urls: string[] = [];
registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith("node:")) urls.push(url);
    return nextLoad(url, context);
  },
});
process.on("exit", () => writeFileSync(process.env["MODULES_FILE"] ?? "", urls.join("\n")));
