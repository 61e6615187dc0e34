// `check` of a package with another name: one row for people, with all that follows from it for who wants to see, and for programs.
import { expect, it } from "vitest";
import { before, folders, write } from "./support/check/changed-contract.ts";
import { run } from "./support/shared-program.ts";

const inFolders = ["check", "--against", "old", "--contract", "new"] as const;

const renamed = before.replace("package shop.v1;", "package shop.v2;");

it("is one row, and counts as one change", async () => {
  const { status, stdout } = await run(inFolders, { cwd: folders(renamed) });
  expect(status).toBe(1);
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(/^package shop\.v1 {2}renamed to shop\.v2, with \d operations? and \d types$/),
    expect.stringMatching(/^ {2}GraphQL {2}safe {7}[^(]*$/),
    expect.stringMatching(/^ {2}gRPC {5}breaks {5}UNIMPLEMENTED: .* \(\d of \d\)$/),
    expect.stringMatching(/^ {2}REST {5}(?:safe|breaks) .*$/),
    expect.stringMatching(/^ {2}\(list its \d changes with --format markdown\)$/),
    "",
    expect.stringMatching(/^1 change since old\. GraphQL: nothing breaks; gRPC: 1 breaks; REST: .*\.$/),
    "",
  ]);
});

it("has its details folded in Markdown, and all of them in JSON", async () => {
  const cwd = folders(renamed);
  const { stdout: json } = await run([...inFolders, "--json"], { cwd });
  const { changes } = JSON.parse(json) as { readonly changes: readonly { where: string; renaming: unknown }[] };
  expect(changes.length).toBeGreaterThan(2);
  for (const { renaming } of changes) expect(renaming).toEqual({ from: "shop.v1", to: "shop.v2" });
  const { stdout: markdown } = await run([...inFolders, "--format", "markdown"], { cwd });
  const [open = "", folded = ""] = markdown.split("<details>");
  expect(open.split("\n").filter((line) => line.startsWith("| `"))).toHaveLength(1);
  for (const { where } of changes) expect(folded).toContain(`\`${where}\``);
});

it("does not count as renamed while something is left in the package", async () => {
  const left = 'syntax = "proto3";\npackage shop.v1;\nmessage Left {}\n';
  const cwd = folders(renamed);
  write(cwd, { "new/left.proto": left });
  const { stdout } = await run(inFolders, { cwd });
  expect(stdout).not.toContain("package shop.v1  renamed");
  expect(stdout).toMatch(/^shop\.v1\.\w+\.\w+ {2}moved to shop\.v2\./m);
});

it("is allowed by its name, with all that follows from it", async () => {
  const cwd = folders(renamed);
  write(cwd, { "allow.yaml": "- change: shop.v1\n  reason: everybody has moved\n" });
  const { status, stdout, stderr } = await run([...inFolders, "--allow", "allow.yaml"], { cwd });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("(allowed: everybody has moved)");
});
