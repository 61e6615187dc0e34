// Runs a client's program in Chromium, in a page of another origin than the fake's: `node in-chromium.ts PROGRAM`, in the folder of its kit.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { rolldown } from "rolldown";
import { launchBrowser } from "../../packages/report/test/support/browser.ts";

const [program = ""] = process.argv.slice(2);

/** What the programs use of Node.js's own module. */
const assertModule = `
const check = (holds, text) => { if (!holds) throw new Error(text); };
const json = (value) => JSON.stringify(value);
export default {
  ok: (value, text = "it does not hold") => check(value, text),
  equal: (got, wanted) => check(Object.is(got, wanted), "got " + got + ", not " + wanted),
  deepEqual: (got, wanted) => check(json(got) === json(wanted), "got " + json(got) + ", not " + json(wanted)),
  match: (got, pattern) => check(pattern.test(got), "got " + got + ", not " + pattern),
};`;

async function bundled(): Promise<string> {
  await using bundle = await rolldown({
    input: program,
    platform: "browser",
    // Loaded by other clients of the same program.
    external: ["@connectrpc/connect-node"],
    plugins: [
      {
        name: "assert",
        resolveId: (id) => (id === "node:assert/strict" ? id : undefined),
        load: (id) => (id === "node:assert/strict" ? assertModule : undefined),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "es", codeSplitting: false });
  return output[0].code;
}

const { CLIENT, CONNECT, REST, RESERVATION } = process.env;
const ofNode = `globalThis.process = { env: ${JSON.stringify({ CLIENT, CONNECT, REST, RESERVATION })}, exit: () => ended() };`;
const code = await bundled();
const pages = createServer((request, response) => {
  const isScript = request.url === "/program.js";
  response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
  response.end(
    isScript ? code : `<!doctype html><script>${ofNode}</script><script type="module" src="/program.js"></script>`,
  );
});
await once(pages.listen(0, "127.0.0.1"), "listening");
const browser = await launchBrowser();
const page = await (await browser.newContext()).newPage();
const { promise: ended, resolve: end } = Promise.withResolvers<void>();
await page.exposeFunction("ended", end);
page.on("console", (message) => process.stdout.write(`${message.text()}\n`));
page.on("pageerror", (error) => {
  process.stdout.write(`${error.message}\n`);
  end();
});
await page.goto(`http://localhost:${(pages.address() as AddressInfo).port}`);
await ended;
await browser.close();
pages.close();
