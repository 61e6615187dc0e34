// Loaded before a program: when that ends, it has written the URL of every module that it loaded, one a line, to the file that MODULES_FILE names. With
// MODULES_UNTIL=output, of those before it first prints something; with MODULES_UNTIL=idle it ends when it collects garbage, as a fake does that has
// nothing left to load.
import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import v8 from "node:v8";

const urls: string[] = [];
registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith("node:")) urls.push(url);
    return nextLoad(url, context);
  },
});
const note = (): void => writeFileSync(process.env["MODULES_FILE"] ?? "", urls.join("\n"));
if (process.env["MODULES_UNTIL"] === "output") {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = ((...args: Parameters<typeof write>) => {
    note();
    process.stdout.write = write;
    return write(...args);
  }) as typeof write;
} else process.on("exit", note);
if (process.env["MODULES_UNTIL"] === "idle") {
  const setFlags = v8.setFlagsFromString;
  v8.setFlagsFromString = (flags) => {
    setFlags(flags);
    if (flags === "--expose-gc") process.kill(process.pid, "SIGTERM");
  };
}
