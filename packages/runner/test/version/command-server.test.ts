// Servers that are programs of their own: from their start to the end of all that they started.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { loopbackCertificate } from "@roundtrip/stacks/certificate";
import { CommandServer } from "../../src/processes/command-server.ts";
import { freePort } from "../../src/processes/free-port.ts";
import { greeterCommand } from "../support/services.ts";
import { textOf } from "../../src/lifetime/session-processes.ts";

const started: CommandServer[] = [];

function greeting(words: readonly string[] = [], readyLimitMs = 20_000): CommandServer {
  const command = greeterCommand(...words);
  const server = new CommandServer({
    command,
    stack: "rest-express",
    label: "head rest-express server",
    readyLimitMs,
  });
  started.push(server);
  return server;
}

/** A server in plain Node.js that answers with the name of its variable. */
const serverNamed = (word: string): string =>
  `const ${word} = require("node:http").createServer((_, answer) => answer.end("${word}"));`;

interface Scripted {
  readonly stack?: string;
  readonly readyLimitMs?: number;
  readonly words?: readonly string[];
  readonly label?: string;
  readonly ca?: string;
}

/** A program in plain Node.js, with a port as its argument. */
function scripted(script: string, scriptedAs: Scripted = {}): CommandServer {
  const { stack = "rest-express", readyLimitMs = 20_000, words = ["{port}"], label = "head server", ca } = scriptedAs;
  const argv = [process.execPath, "-e", script, ...words];
  const command = { kind: "command", argv, cwd: ".", env: {}, ...(ca === undefined ? {} : { ca }) } as const;
  const server = new CommandServer({ command, stack, label, readyLimitMs });
  started.push(server);
  return server;
}

/** Processes whose command line holds these words. */
function running(words: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => textOf(`/proc/${pid}/cmdline`).replaceAll("\0", " ").includes(words));
}

async function goneSoon(words: string): Promise<readonly number[]> {
  for (let attempt = 0; attempt < 500 && running(words).length > 0; attempt += 1) await sleep(10);
  return running(words);
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
});

describe("a server that is a program", () => {
  it("is reached at the address that it prints, and not at others that it mentions", async () => {
    const url = await greeting().start();
    expect(new URL(url).hostname).toBe("127.0.0.1");
    expect(await (await fetch(`${url}/v1/hello?name=World`)).json()).toEqual({ message: "Hello, World!" });
  });

  it.each([
    ["listens there", "", "here"],
    ["prints what else it uses", 'console.log("exporter http://127.0.0.1:" + there.address().port)', "here"],
    ["names another place of its style", 'console.log(`{"rest-express":"${at}"}`)', "there"],
  ])("is reached at {port} when it %s", async (_, print, answer) => {
    const script = `
      ${serverNamed("here")} ${serverNamed("there")}
      there.listen(0, "127.0.0.1", () => {
        const at = "http://127.0.0.1:" + there.address().port;
        ${print};
        setTimeout(() => here.listen(process.argv[1], "127.0.0.1"), 50);
      });`;
    const url = await scripted(script).start();
    expect(await (await fetch(url)).text()).toBe(answer);
  });

  it.each([
    ["listens on the variable PORT and prints nothing", "process.env.PORT", ""],
    ["prints its address as an error", "0", "console.error(at)"],
    ["logs a lot before its address", "0", 'console.log("a line\\n".repeat(20_000) + at)'],
  ])("is reached when it %s", async (_, port, print) => {
    const script = `
      ${serverNamed("here")}
      here.listen(${port}, "127.0.0.1", () => {
        const at = "listening on http://127.0.0.1:" + here.address().port;
        ${print}
      });`;
    const url = await scripted(script, { words: [] }).start();
    expect(await (await fetch(url)).text()).toBe("here");
  });

  it("is reached by TLS at {port} if its certificate authority is known", async () => {
    const { key, cert, ca } = await loopbackCertificate([]);
    const options = JSON.stringify({ key, cert });
    const script = `require("node:https").createServer(${options}, (_, answer) => answer.end()).listen(process.argv[1], "127.0.0.1")`;
    expect(await scripted(script, { ca }).start()).toMatch(/^https:/);
  });

  it("is refused when another one listens at its address too, which the kernel allows", async () => {
    const port = await freePort("127.0.0.1");
    const script = `${serverNamed("here")}
      here.listen({ port: ${port}, host: "127.0.0.1", reusePort: true }, () => console.log("http://localhost:${port}"))`;
    const [base, head, later] = ["base server", "head server", "later server"].map((label) =>
      scripted(script, { words: [], label }),
    );
    await base?.start();
    await expect(head?.start()).rejects.toMatchObject({
      code: "bad-plan",
      message: `two servers listen at http://localhost:${port} (base server, head server): several run at once, so each must listen on {port} or $PORT`,
    });
    await Promise.all([base?.stop(), head?.stop()]);
    await expect(later?.start()).resolves.toBe(`http://localhost:${port}`);
  });

  it("is reported with its last line when it does not start, wherever it printed that", async () => {
    await expect(scripted(`console.log("no database at db:5432"); process.exitCode = 2`).start()).rejects.toThrow(
      "the head server process ended by itself (exit status 2): no database at db:5432",
    );
  });

  it.each([
    [
      "rest-express",
      `require("node:http").createServer((_, answer) => {
        answer.writeHead(performance.now() < 700 ? 503 : 404).end(String(performance.now()));
      })`,
    ],
    [
      "grpc-js",
      `require("node:http2").createServer().on("stream", (stream) => {
        stream.respond({ ":status": 200, "grpc-status": performance.now() < 700 ? "14" : "12" }, { endStream: true });
      })`,
    ],
    [
      "grpc-js",
      `require("node:http2").createServer().on("stream", (stream) => {
        const serves = performance.now() < 700 ? 2 : 1;
        stream.respond({ ":status": 200 }, { waitForTrailers: true });
        stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
        stream.end(Buffer.from([0, 0, 0, 0, 2, 8, serves]));
      })`,
    ],
    ["rest-express", `require("node:net").createServer((socket) => socket.destroy())`],
  ])("is ready once it answers a call, whatever the answer, and not when it only listens (%s)", async (stack, made) => {
    const replaced = `require("node:http").createServer((_, answer) => answer.writeHead(501).end())`;
    const script = `
      const server = ${made};
      server.listen(process.argv[1], "127.0.0.1");
      setTimeout(() => {
        console.error("is ready now");
        if (${made.includes("node:net")}) server.close(() => ${replaced}.listen(process.argv[1], "127.0.0.1"));
      }, 700);`;
    const startedMs = performance.now();
    await scripted(script, { stack }).start();
    expect(performance.now() - startedMs).toBeGreaterThan(700);
  });

  it("is given up when it listens and answers nothing", async () => {
    const hangs = `console.error("loading"); require("node:net").createServer().listen(process.argv[1], "127.0.0.1")`;
    const unavailable = `require("node:http").createServer((_, answer) => answer.writeHead(503).end()).listen(process.argv[1], "127.0.0.1")`;
    const how = { readyLimitMs: 2_500 };
    await expect(scripted(hangs, how).start()).rejects.toMatchObject({
      code: "no-answer",
      message: expect.stringMatching(
        /^the head server \(.*\) listens at http:\S+ and answers nothing over REST within 2\.5 s \(no answer\); .* "loading"$/,
      ),
    });
    await expect(scripted(unavailable, how).start()).rejects.toThrow("within 2.5 s (HTTP status 503)");
  });

  it("is measured with the processes that it started, and they end with it", async () => {
    const server = greeting(["--behind", "--spin-us", "2000", "--greeting", "behind-one"]);
    const url = await server.start();
    expect(running("behind-one")).toHaveLength(2);
    const before = (await server.cpuMs()) ?? Number.NaN;
    for (let call = 0; call < 20; call += 1) await (await fetch(url)).text();
    expect(((await server.cpuMs()) ?? Number.NaN) - before).toBeGreaterThan(30);
    await server.stop();
    expect(await goneSoon("behind-one")).toEqual([]);
    expect(await server.cpuMs()).toBeNull();
  });

  it("is given up when it prints no address in time, with its last words", async () => {
    const server = greeting(["silent"], 6_000);
    await expect(server.start()).rejects.toMatchObject({
      code: "no-answer",
      message: expect.stringMatching(
        /^the head rest-express server \(.*\) neither printed its address nor listened on \$PORT, here \d+, within 6 s; its last line was "waiting for a database"$/,
      ),
    });
  });

  it("is reported as missing when there is no such program", async () => {
    const command = { ...greeterCommand(), argv: ["/nonexistent/greeter"] };
    const server = new CommandServer({ command, stack: "rest-express", label: "base server", readyLimitMs: 5_000 });
    await expect(server.start()).rejects.toMatchObject({
      code: "process-died",
      message:
        "the base server process cannot be started: /nonexistent/greeter does not exist, or its interpreter does not",
    });
    await server.stop();
  });

  it("ends with the process that started it, however that ends", async () => {
    const source = `
      import { CommandServer } from ${JSON.stringify(import.meta.resolve("../../src/processes/command-server.ts"))};
      const command = ${JSON.stringify(greeterCommand("--behind", "--greeting", "orphan-one"))};
      const server = new CommandServer({ command, stack: "rest-express", label: "s", readyLimitMs: 20_000 });
      process.stdout.write(await server.start());
      setInterval(() => undefined, 1_000);`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", source], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    await new Promise((resolve) => parent.stdout.once("data", resolve));
    expect(running("orphan-one").length).toBeGreaterThan(0);
    parent.kill("SIGKILL");
    expect(await goneSoon("orphan-one")).toEqual([]);
  });
});
