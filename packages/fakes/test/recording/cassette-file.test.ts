// A growing recording is complete in its file at any time.
import { create } from "@bufbuild/protobuf";
import { builtInContract } from "@roundtrip/contract";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { CassetteFile, writeCassette } from "../../src/recording/cassette-file.ts";
import { Cassette } from "../../src/recording/cassette.ts";
import { parseStubs, readStubs } from "../../src/stubs/read-stubs.ts";
import { writeStubs } from "../../src/stubs/stub-form.ts";

const contract = builtInContract();
const operation = contract.operation("roundtrip.v1.HelloService.SayHello");

function fail(thrown: unknown): void {
  throw thrown;
}

/** Adds a greeting to a cassette. */
function greet(cassette: Cassette, name: string, message: string): void {
  const request = create(operation.input, { name });
  const response = create(operation.output, { message });
  cassette.add({ operation, request, responses: [response], error: undefined });
}

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "roundtrip-cassette-file-"));
});
afterEach(async () => {
  for (const file of await readdir(folder)) await rm(join(folder, file), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true }));

describe.each(["recording.yaml", "recording.json"])("a recording in %s", (name) => {
  it("is written soon after an answer", async () => {
    const path = join(folder, name);
    const cassette = new Cassette(contract);
    const file = await CassetteFile.follow(path, cassette, fail);
    expect(await readdir(folder)).toEqual([]);
    greet(cassette, "Ada", "Hello, Ada");
    await vi.waitFor(async () => expect(await readStubs(path, contract)).toEqual(cassette.stubs), 20_000);
    greet(cassette, "Ada", "Hello again");
    greet(cassette, "Grace", "Hello, Grace");
    await vi.waitFor(async () => expect(await readStubs(path, contract)).toEqual(cassette.stubs), 20_000);
    await file.close();
    expect(await readdir(folder)).toEqual([name]);
  });

  it("is complete whenever it is read", async () => {
    const path = join(folder, name);
    const cassette = new Cassette(contract);
    await writeCassette(path, []);
    const file = await CassetteFile.follow(path, cassette, fail);
    const counts: number[] = [];
    for (let number = 0; (counts.at(-1) ?? 0) < 50; number += 1) {
      greet(cassette, `caller ${number}`, "x".repeat(200));
      const text = await readFile(path, "utf8");
      counts.push(parseStubs(text, name, contract).length);
    }
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    await file.close();
    expect(await readStubs(path, contract)).toEqual(cassette.stubs);
  });
});

describe("a recording's file", () => {
  it("has the form of a stub file", async () => {
    const path = join(folder, "recording.yaml");
    const cassette = new Cassette(contract);
    for (const name of ["Ada", "Grace"]) greet(cassette, name, `Hello,\n${name}`);
    await writeCassette(path, cassette.stubs);
    expect(await readFile(path, "utf8")).toBe(writeStubs(cassette.stubs));
  });

  it("does not change until something is recorded", async () => {
    const path = join(folder, "recording.yaml");
    await writeFile(path, "before");
    await CassetteFile.follow(path, new Cassette(contract), fail);
    expect(await readFile(path, "utf8")).toBe("before");
    expect(await readdir(folder)).toEqual(["recording.yaml"]);
  });

  it("is rejected at once if it cannot be written", async () => {
    await writeFile(join(folder, "file"), "");
    const followed = CassetteFile.follow(join(folder, "file", "recording.yaml"), new Cassette(contract), fail);
    await expect(followed).rejects.toMatchObject({ name: "FakeError", code: "unwritable" });
  });

  it("reports a later write error, and is written with the next answer", async () => {
    const path = join(folder, "deeper", "recording.yaml");
    const cassette = new Cassette(contract);
    const faults: unknown[] = [];
    const file = await CassetteFile.follow(path, cassette, (thrown) => faults.push(thrown));
    await rm(join(folder, "deeper"), { recursive: true });
    await writeFile(join(folder, "deeper"), "in the way");
    greet(cassette, "Ada", "Hello, Ada");
    await vi.waitFor(() => expect(faults).toMatchObject([{ code: "unwritable" }]), 20_000);
    await expect(file.close()).rejects.toMatchObject({ code: "unwritable" });
    await rm(join(folder, "deeper"));
    await file.close();
    expect(await readStubs(path, contract)).toEqual(cassette.stubs);
  });
});
