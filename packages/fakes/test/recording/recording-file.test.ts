// A growing recording is complete in its file at any time.
import { create } from "@bufbuild/protobuf";
import { builtInContract } from "@roundtrip/contract";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { RecordingFile, writeRecording } from "../../src/recording/recording-file.ts";
import { Recording } from "../../src/recording/recording.ts";
import { parseStubs, readStubs, writeStubs } from "../../src/stubs/read-stubs.ts";

const contract = builtInContract();
const operation = contract.operation("roundtrip.v1.HelloService.SayHello");

function fail(thrown: unknown): void {
  throw thrown;
}

/** Adds a greeting to a recording. */
function greet(recording: Recording, name: string, message: string): void {
  const request = create(operation.input, { name });
  const response = create(operation.output, { message });
  recording.add({ operation, request, responses: [response], error: undefined });
}

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "roundtrip-recording-file-"));
});
afterEach(async () => {
  for (const file of await readdir(folder)) await rm(join(folder, file), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true }));

describe.each(["recording.yaml", "recording.json"])("a recording in %s", (name) => {
  it("is written soon after an answer", async () => {
    const path = join(folder, name);
    const recording = new Recording(contract);
    const file = await RecordingFile.follow(path, recording, fail);
    expect(await readdir(folder)).toEqual([]);
    greet(recording, "Ada", "Hello, Ada");
    await vi.waitFor(async () => expect(await readStubs(path, contract)).toEqual(recording.stubs), 20_000);
    greet(recording, "Ada", "Hello again");
    greet(recording, "Grace", "Hello, Grace");
    await vi.waitFor(async () => expect(await readStubs(path, contract)).toEqual(recording.stubs), 20_000);
    await file.close();
    expect(await readdir(folder)).toEqual([name]);
  });

  it("is complete whenever it is read", async () => {
    const path = join(folder, name);
    const recording = new Recording(contract);
    await writeRecording(path, []);
    const file = await RecordingFile.follow(path, recording, fail);
    const counts: number[] = [];
    for (let number = 0; (counts.at(-1) ?? 0) < 50; number += 1) {
      greet(recording, `caller ${number}`, "x".repeat(200));
      const text = await readFile(path, "utf8");
      counts.push(parseStubs(text, name, contract).length);
    }
    expect(counts).toEqual(counts.toSorted((count, next) => count - next));
    await file.close();
    expect(await readStubs(path, contract)).toEqual(recording.stubs);
  });
});

describe("a recording's file", () => {
  it("has the form of a stub file", async () => {
    const path = join(folder, "recording.yaml");
    const recording = new Recording(contract);
    for (const name of ["Ada", "Grace"]) greet(recording, name, `Hello,\n${name}`);
    await writeRecording(path, recording.stubs);
    expect(await readFile(path, "utf8")).toBe(writeStubs(recording.stubs));
  });

  it("replaces an existing file, and leaves no other file behind", async () => {
    const path = join(folder, "recording.yaml");
    await writeFile(path, "before");
    await writeRecording(path, []);
    expect(await readFile(path, "utf8")).not.toContain("before");
    expect(await readdir(folder)).toEqual(["recording.yaml"]);
  });

  it("is rejected at once if it cannot be written", async () => {
    await writeFile(join(folder, "file"), "");
    const followed = RecordingFile.follow(join(folder, "file", "recording.yaml"), new Recording(contract), fail);
    await expect(followed).rejects.toMatchObject({ name: "FakeError", code: "unwritable" });
  });

  it("reports a later write error once, and is written with the next answer", async () => {
    const path = join(folder, "deeper", "recording.yaml");
    const recording = new Recording(contract);
    const failures: unknown[] = [];
    const file = await RecordingFile.follow(path, recording, (thrown) => failures.push(thrown));
    await rm(join(folder, "deeper"), { recursive: true });
    await writeFile(join(folder, "deeper"), "in the way");
    greet(recording, "Ada", "Hello, Ada");
    await vi.waitFor(() => expect(failures).toMatchObject([{ code: "unwritable" }]), 20_000);
    greet(recording, "Grace", "Hello, Grace");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(failures).toHaveLength(1);
    await expect(file.close()).rejects.toMatchObject({ code: "unwritable" });
    await rm(join(folder, "deeper"));
    await file.close();
    expect(await readStubs(path, contract)).toEqual(recording.stubs);
  });
});
