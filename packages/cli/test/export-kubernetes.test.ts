// `export --kubernetes`: manifests beside the export, and one line where they cannot be.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { emptyFolder } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { refusal, printed } from "./support/outcomes.ts";

const image = "registry.example.com/roundtrip:0.1.0";

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

function manifestsIn(out: string): readonly Manifest[] {
  return ["servers", "storage", "test-run"].flatMap((name) =>
    parseAllDocuments(readFileSync(join(out, "kubernetes", `${name}.yaml`), "utf8")).map(
      (document) => document.toJS() as Manifest,
    ),
  );
}

describe("export --kubernetes", () => {
  it("writes servers, storage and a test beside what k6 runs", async () => {
    const out = join(emptyFolder(), "k6");
    const cluster = `image=${image},namespace=tests,instances=3,nodes=1`;
    const args = ["export", "k6", "hello", "--kubernetes", cluster, "--out", out];
    const arrivals = ["--calls", "20", "--arrivals", "poisson:50"];
    const stdout = printed(await run([...args, ...arrivals]));
    expect(stdout).toContain(`${out}/kubernetes/README.md says how to run it`);
    const manifests = manifestsIn(out);
    expect(manifests.map(({ kind }) => kind).join(" ")).toBe(
      "Namespace Deployment Service Deployment Service Deployment Service NetworkPolicy PersistentVolumeClaim Pod TestRun",
    );
    for (const { kind, metadata } of manifests) {
      expect(kind === "Namespace" ? metadata.name : metadata.namespace).toBe("tests");
    }
  });

  it("asks for the image where servers have to be started, and for none where all of them run elsewhere", async () => {
    const out = join(emptyFolder(), "k6");
    const args = ["export", "k6", "hello", "--kubernetes", "instances=1", "--stack", "rest-express", "--out", out];
    expect(refusal(await run(args))).toBe(
      "give --kubernetes image=NAME for the servers: docs/k6.md says how it is built",
    );
    const { status } = await run([...args, "--target", "rest-express=http://servers.example:8080"]);
    expect(status).toBe(0);
    expect(manifestsIn(out).map(({ kind }) => kind)).not.toContain("Deployment");
  });

  it("starts no more instances than there are virtual users to share: the operator would not begin", async () => {
    const out = join(emptyFolder(), "k6");
    const args = ["export", "k6", "hello", "--out", out, "--kubernetes"];
    expect(refusal(await run([...args, `image=${image},instances=2`]))).toBe(
      "instances=2 is more than hello can share: k6 makes these calls with 1 virtual user at most, each in one instance; " +
        "give instances=1, or --arrivals with a higher rate",
    );
    expect(existsSync(out)).toBe(false);
    const { status: alone } = await run([...args, `image=${image},instances=1`]);
    expect(alone).toBe(0);
  });

  it.each([
    [["--kubernetes", "imgae=x"], 'did you mean "image"?'],
    [["--kubernetes", "image=$(id)"], "image must be the name of one"],
    [["--kubernetes", "namespace=tests; id"], "must be lower-case letters, digits and hyphens"],
    [["--kubernetes", "instances=0"], "must be a whole number"],
  ])("refuses %j in one line", async (flags, said) => {
    expect(refusal(await run(["export", "k6", "hello", "--out", "never", ...flags]))).toContain(said);
  });
});
