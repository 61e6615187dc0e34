// A server that is not of this project: greets over HTTP in plain Node.js, prints its address, and misbehaves on request.
// Words: greeter-process.mjs [silent | rubbish | elsewhere | broken] [--dies-after N [--healthy-starts N --starts FILE]] [--greeting TEXT] [--spin-us N] [--slow-start-ms N] [--behind] [--lacks]
import { spawn } from "node:child_process";
import { appendFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const words = process.argv.slice(2);
const valueOf = (name) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined);

if (words.includes("broken")) throw new Error("no configuration at /etc/greeter");
if (words.includes("--behind")) {
  // As package managers and shells do: the server is a child of the program that was named.
  const others = words.filter((word) => word !== "--behind");
  spawn(process.execPath, [import.meta.filename, ...others], { stdio: "inherit" });
  setInterval(() => undefined, 60_000);
} else if (words.includes("rubbish")) {
  const more = () => process.stdout.write(`${"rubbish ".repeat(1_000)}\n`, () => setTimeout(more, 5));
  more();
} else if (words.includes("silent")) {
  process.stderr.write("waiting for a database\n");
  setInterval(() => undefined, 60_000);
} else {
  // Processes count in a file how many of them have started: the first so many live.
  const starts = valueOf("--starts");
  if (starts !== undefined) appendFileSync(starts, ".");
  const isHealthy = starts !== undefined && statSync(starts).size <= Number(valueOf("--healthy-starts"));
  const diesAfter = isHealthy ? Number.POSITIVE_INFINITY : Number(valueOf("--dies-after") ?? Number.POSITIVE_INFINITY);
  const greeting = valueOf("--greeting") ?? "Hello, World!";
  const spinUs = Number(valueOf("--spin-us") ?? 0);
  // It listens late, and computes nothing meanwhile.
  await sleep(Number(valueOf("--slow-start-ms") ?? 0));
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (asked > diesAfter) process.kill(process.pid, "SIGKILL");
    const until = performance.now() + spinUs / 1_000;
    while (performance.now() < until);
    response.setHeader("content-type", "application/json");
    if (words.includes("--lacks") && request.url.includes("Nobody")) {
      response.statusCode = 501;
      response.end('{"code":"UNIMPLEMENTED","detail":"nobody greets here"}');
    } else response.end(JSON.stringify({ message: greeting }));
  });
  server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
    const { port } = server.address();
    process.stdout.write(`greeter 1.0, see https://greeter.example/docs\n`);
    process.stdout.write(`listening on http://0.0.0.0:${port}.\n`);
  });
}
