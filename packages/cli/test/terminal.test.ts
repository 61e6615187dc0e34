// No text from outside steers the terminal: not the names and comments of a contract, nor what servers answer, nor arguments, file names or samples.
import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { createServer } from "node:http";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { guardTerminal, ownIntroducer, withoutSteering } from "../src/output/terminal.ts";
import { emptyFolder, run as runAlone, type Outcome, listening, folderWith } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

const steering =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]|\r(?!\n)/;

/** A title, a bell, a cleared screen in C1, a deletion, text that runs backwards, marks that turn it or hide, and a line separator. */
const hostile =
  "a\u001B]0;title\u0007b\u009B2Jc\u007F\u202E\u200E\u200F\u061C\u00ADdesrever\u2066\u2028\u001B[31mred\rover";

function plain({ stdout, stderr }: Outcome): string {
  const text = stdout + stderr;
  expect(steering.exec(text)?.[0]).toBe(undefined);
  return text;
}

function written(texts: readonly (string | Uint8Array)[]): string {
  let all = "";
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      all += chunk;
      done();
    },
  }) as unknown as NodeJS.WriteStream;
  guardTerminal(stream);
  for (const text of texts) stream.write(text);
  return all;
}

const anyText = oneof(
  string({ unit: "binary", maxLength: 40 }),
  string({ unit: constantFrom(...hostile.split(""), "\u001B[", "1", ";", "m", "\\", "u"), maxLength: 40 }),
);

describe("the guard", () => {
  it("lets nothing through that steers, whatever is written", () => {
    assert(
      property(array(anyText), (texts) => {
        // A write of nothing but one of these is the program's own.
        const redrawing = texts.filter((text) => !["\u001B[1G", "\u001B[0K", "\u001B[2K"].includes(text));
        expect(steering.exec(written(redrawing))).toBe(null);
        expect(steering.exec(written(redrawing.map((text) => new TextEncoder().encode(text))))).toBe(null);
      }),
      // The end of a line.
      { examples: [[["\r\n"]]] },
    );
  });

  it("changes nothing else, and keeps the values of JSON", () => {
    assert(
      property(anyText, (text) => {
        const harmless = text.replaceAll(new RegExp(steering, "g"), "");
        expect(written([harmless])).toBe(harmless);
        expect(JSON.parse(withoutSteering(JSON.stringify(text)))).toBe(text);
      }),
    );
    expect(written(["one\ttwo\r\nthree\n"])).toBe("one\ttwo\r\nthree\n");
  });

  it("prints the emphasis of the program alone", () => {
    expect(written([`${ownIntroducer}1mbold\u001B[31m${ownIntroducer}22m`])).toBe("\u001B[1mbold\\u001b[31m\u001B[22m");
  });
});

describe("the program prints no control character", () => {
  it("of the comments and names of a contract", async () => {
    const text = `syntax = "proto3"; package shop.v1;
service Shop {
  // Gets ${hostile.replace("\u2028", "")}.
  rpc Get(Thing) returns (Thing);
}
message Thing { string id = 1; }`;
    const cwd = folderWith({ "shop.proto": text });
    for (const more of [[], ["--json"], ["--out", "documents"]]) {
      // oxlint-disable-next-line no-await-in-loop
      const outcome = await run(["describe", "--contract", "shop.proto", "--stack", "rest,graphql,soap", ...more], {
        cwd,
      });
      expect(outcome.status).toBe(0);
      plain(outcome);
    }
    const styled = await run(["describe", "--contract", "shop.proto", "--stack", "rest"], {
      cwd,
      env: { FORCE_COLOR: "1" },
    });
    // oxlint-disable-next-line no-control-regex
    expect(styled.stdout.replaceAll(/\u001B\[(?:1|2|22)m/g, "")).not.toMatch(steering);
    expect(styled.stdout).toContain("\u001B[1m");
    expect(styled.stdout).toContain(String.raw`\u001b]0;title`);
    const generated = await run(["types", "--contract", "shop.proto", "--out", "made"], { cwd });
    expect(generated.status).toBe(0);
    expect(readFileSync(join(cwd, "made", "shop_pb.ts"), "utf8")).not.toMatch(steering);
  });

  it("of its arguments, in a process of its own", async () => {
    const outcome = await runAlone(["describe", hostile]);
    expect(outcome.status).toBeGreaterThan(0);
    expect(plain(outcome)).toContain(String.raw`\u001b]0;title`);
  });

  it.each([
    [["describe", "--contract", hostile]],
    [["report", hostile]],
    [[hostile]],
    [["bench", "--rounds", hostile]],
    [["bench", `--${hostile}`]],
    [["compare", hostile, "HEAD"]],
    [["fake", "--stubs", hostile]],
    [["conform", "--target", `rest=http://127.0.0.1:9/${encodeURI(hostile)}`]],
  ])("of its arguments: %j", async (words) => {
    const outcome = await run(words);
    expect(outcome.status).toBeGreaterThan(0);
    plain(outcome);
  });

  it("of the warnings of Node.js", async () => {
    const warning = `process.emitWarning(${JSON.stringify(hostile)}, { detail: ${JSON.stringify(hostile)} });`;
    const cwd = folderWith({ "roundtrip.config.ts": `${warning}\nexport default {};\n` });
    const outcome = await runAlone(["describe", "SayHello"], { cwd });
    expect(plain(outcome)).toContain(String.raw`Warning: a\u001b]0;title`);
  });

  it("of stubs, and of the names of their files", async () => {
    const cwd = emptyFolder();
    const folder = join(cwd, `stubs${hostile}`);
    mkdirSync(folder);
    writeFileSync(join(folder, `${hostile}.yaml`), JSON.stringify([{ operation: hostile, [hostile]: 1 }]));
    const outcome = await run(["fake", "--stubs", folder], { cwd });
    expect(outcome.status).toBe(64);
    expect(plain(outcome)).toContain(String.raw`\u001b]0;title`);
  });

  it("of a target's answers", async () => {
    const server = createServer((_request, response) => {
      const error = { code: 5, message: hostile, details: [] };
      response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ error, ...error }));
    });
    const url = await listening(server);
    for (const more of [[], ["--json"]]) {
      // oxlint-disable-next-line no-await-in-loop
      const outcome = await run(["conform", "--target", `rest=${url}`, ...more]);
      expect(outcome.status).toBeGreaterThan(0);
      plain(outcome);
    }
    server.close();
  });

  it("of what a server prints that does not become ready", async () => {
    const cwd = folderWith({ "server.mjs": `console.error(${JSON.stringify(hostile)}); process.exit(3);` });
    const command = `"${process.execPath}" server.mjs {port}`;
    const outcome = await run(["bench", "--operations", "SayHello", "--stack", "rest", "--serve", command], { cwd });
    expect(outcome.status).toBe(69);
    expect(plain(outcome)).toContain(String.raw`\u001b]0;title`);
  });

  it("of the names of samples, in any format", async () => {
    const names = [hostile.replaceAll("\r", ""), "b"];
    const rows = Array.from({ length: 60 }, (_, at) => `${names[at % 2]},${1 + (at % 6)},${1 + at / 100}`);
    const cwd = folderWith({ "samples.csv": `arm,round,latencyMs\n${rows.join("\n")}\n` });
    for (const format of ["summary", "terminal", "markdown", "html", "json", "csv"]) {
      // oxlint-disable-next-line no-await-in-loop
      const outcome = await run(["report", "samples.csv", "--format", format], { cwd });
      expect(outcome).toMatchObject({ status: 0, stderr: "" });
      plain(outcome);
    }
    const kept = await run(["report", "samples.csv", "--out", "report.md"], { cwd });
    expect(kept.status).toBe(0);
    expect(readFileSync(join(cwd, "report.md"), "utf8")).not.toMatch(steering);
  });
});
