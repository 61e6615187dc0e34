// `check`: how a change is reported, how one is allowed, and what is wrong with what is given to it.
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { judgeNames } from "@roundtrip/changes/names";
import { git, gitAll } from "./support/git.ts";
import { folderWith, writeFiles } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { refusal, printed } from "./support/outcomes.ts";

const before = `syntax = "proto3";
package shop.v1;
service Shop {
  rpc Buy(BuyRequest) returns (BuyResponse);
}
message BuyRequest {
  string what = 1;
}
message BuyResponse {
  int64 price = 1;
}
`;
const after = before.replace("string what = 1", "string thing = 1");

/** A repository whose commit has the contract as it was, and whose work tree has it as it is. */
function repository(now = after, then = before): string {
  const cwd = folderWith({ "proto/shop.proto": then });
  gitAll(cwd, "init -q -b main", "add .", "commit -q -m first", "tag v1");
  writeFiles(cwd, { "proto/shop.proto": now });
  return cwd;
}

function folders(now = after, then = before): string {
  return folderWith({ "old/shop.proto": then, "new/shop.proto": now });
}

const inFolders = ["check", "--against", "old", "--contract", "new"] as const;

const withGit = await needing("git");

describe.concurrent("a change of the contract", () => {
  it("is compared with a git revision, and fails if it breaks callers", withGit, async () => {
    const { status, stdout, stderr } = await run(["check", "--against", "HEAD"], { cwd: repository() });
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(stdout).toBe(
      `shop.v1.BuyRequest.what  renamed to thing
  GraphQL  breaks     BuyInput.what was removed
  gRPC     safe       the wire has numbers, not names
  REST     breaks     INVALID_ARGUMENT: unknown field what

1 change since HEAD. GraphQL: 1 breaks; gRPC: nothing breaks; REST: 1 breaks.
`,
    );
  });

  it("is compared with the parent commit without --against", withGit, async () => {
    const cwd = repository();
    gitAll(cwd, "add .", "commit -q -m second");
    const { status, stdout } = await run(["check", "--stack", "rest"], { cwd });
    expect(status).toBe(1);
    expect(stdout).toContain("1 change since HEAD^1. REST: 1 breaks.");
  });

  it("leaves work tree and index as they are", withGit, async () => {
    const cwd = repository();
    git(cwd, "add", ".");
    writeFiles(cwd, { "proto/shop.proto": `${after}// not staged\n`, "new.txt": "" });
    const state = (): string =>
      git(cwd, "status", "--porcelain", "--untracked-files=all") + git(cwd, "diff", "--cached");
    const was = state();
    await run(["check", "--against", "HEAD"], { cwd });
    expect(state()).toBe(was);
  });

  it("breaks only the styles that are asked about", async () => {
    const { status, stdout } = await run([...inFolders, "--stack", "grpc"], { cwd: folders() });
    expect(status).toBe(0);
    expect(stdout).not.toContain("REST");
    const code = await run([...inFolders, "--stack", "code,grpc"], { cwd: folders() });
    expect(code.status).toBe(1);
    expect(code.stdout).toMatch(/^ {2}Generated code {2}breaks {5}its name in source changes$/m);
  });

  it("without visible effects passes, with a sentence", async () => {
    const { status, stdout } = await run(inFolders, { cwd: folders(`${before}// a comment\n`) });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "Nothing that callers can see has changed since old.\n" });
  });

  it("is printed as JSON", async () => {
    const { stdout } = await run([...inFolders, "--json"], { cwd: folders() });
    expect(JSON.parse(stdout)).toEqual({
      against: "old",
      styles: ["graphql", "grpc", "rest"],
      changes: [
        {
          kind: "field-renamed",
          where: "shop.v1.BuyRequest.what",
          what: "renamed to thing",
          styles: {
            grpc: { verdict: "safe", reason: "the wire has numbers, not names" },
            rest: { verdict: "breaks", reason: "INVALID_ARGUMENT: unknown field what" },
            graphql: { verdict: "breaks", reason: "BuyInput.what was removed" },
          },
        },
      ],
      breaking: { grpc: 0, rest: 1, graphql: 1 },
      unused: [],
    });
  });

  it("is printed as Markdown, with a row per change and a column per style", async () => {
    const { stdout } = await run([...inFolders, "--format", "markdown"], { cwd: folders() });
    expect(stdout).toBe(`1 change since old. GraphQL: 1 breaks; gRPC: nothing breaks; REST: 1 breaks.

| what | change | GraphQL | gRPC | REST |
| --- | --- | --- | --- | --- |
| \`shop.v1.BuyRequest.what\` | renamed to thing | **breaks**: BuyInput.what was removed | safe: the wire has numbers, not names | **breaks**: INVALID\\_ARGUMENT: unknown field what |
`);
  });
});

describe.concurrent("an intended break", () => {
  const renamed = "- change: shop.v1.BuyRequest.what\n  reason: nobody calls it yet\n";

  it("is allowed with its reason, and passes", async () => {
    const cwd = folders();
    writeFiles(cwd, { "allow.yaml": renamed });
    const stdout = printed(await run([...inFolders, "--allow", "allow.yaml"], { cwd }));
    expect(stdout).toContain("breaks     BuyInput.what was removed (allowed: nobody calls it yet)\n");
    expect(stdout).toContain("REST: nothing breaks");
  });

  it("is allowed on the styles and for the kind of change that the entry names", async () => {
    const cwd = folders();
    writeFiles(cwd, {
      "allow.yaml": `- change: shop.v1.*\n  kind: field-renamed\n  styles: [rest]\n  reason: agreed\n`,
    });
    const { status, stdout } = await run([...inFolders, "--allow", "allow.yaml"], { cwd });
    expect(status).toBe(1);
    expect(stdout).toContain("GraphQL: 1 breaks; gRPC: nothing breaks; REST: nothing breaks.");
  });

  it("is reported when its entry is no longer needed", async () => {
    const cwd = folders();
    writeFiles(cwd, { "allow.yaml": `${renamed}- change: shop.v1.Gone\n  reason: it went\n` });
    const { stderr } = await run([...inFolders, "--allow", "allow.yaml"], { cwd });
    expect(stderr).toBe("roundtrip: allow.yaml: entry 2 matches no breaking change; remove it\n");
  });

  it.each([
    ["- change: a.b\n", "allow.yaml: entry 1 needs a text for reason"],
    [
      "- change: a.b\n  raeson: x\n",
      'allow.yaml: entry 1 has an unknown key "raeson"; did you mean "reason"? (valid: change, kind, styles, reason)',
    ],
    [
      "- change: a.b\n  reason: x\n  styles: [pigeon]\n",
      `allow.yaml: entry 1 has an unknown style "pigeon" (valid: ${judgeNames().join(", ")})`,
    ],
    ["change: a.b\n", 'allow.yaml is not a list of allowed changes: start each entry with "- change:"'],
    ["- - a\n", "allow.yaml: entry 1 must be a mapping with change and reason"],
  ])("in an invalid list is refused: %j", async (text, message) => {
    const cwd = folders();
    writeFiles(cwd, { "allow.yaml": text });
    expect(refusal(await run([...inFolders, "--allow", "allow.yaml"], { cwd }))).toBe(message);
  });
});

async function notCompared(args: readonly string[], cwd: string): Promise<string> {
  return refusal(await run(["check", ...args], { cwd }));
}

describe.concurrent("what cannot be compared", () => {
  it("is not in a git repository", withGit, async () => {
    expect(await notCompared(["--against", "main", "--contract", "new"], folders())).toMatch(
      /new is not in a git repository; give --against a folder or a descriptor set instead of a revision$/,
    );
  });

  it("has an unknown revision, with the nearest one suggested", withGit, async () => {
    expect(await notCompared(["--against", "mian"], repository())).toBe(
      '--against mian: there is no such path, and no such git revision; did you mean "main"?',
    );
    expect(await notCompared(["--against", "--upload-pack=x"], repository())).toContain("no such git revision");
  });

  it("is a path and a revision: a checked-in file does not choose what is compared", withGit, async () => {
    const cwd = repository();
    writeFiles(cwd, { "main/shop.proto": before });
    expect(await notCompared(["--against", "main"], cwd)).toBe(
      "main is a path and a git revision: write ./main for the path, or main^0 for the revision",
    );
    const said = await Promise.all(
      ["./main", "main^0"].map((name) => run(["check", "--against", name, "--stack", "rest"], { cwd })),
    );
    expect(said.map(({ stderr }) => stderr)).toEqual(["", ""]);
  });

  it("was not there at the revision", withGit, async () => {
    const cwd = repository();
    writeFiles(cwd, { "api/shop.proto": after });
    expect(await notCompared(["--against", "HEAD", "--contract", "api"], cwd)).toBe(
      "there was no contract at api in HEAD; say with --contract where it was and is",
    );
  });

  it("did not compile before, or does not now: it is said which", withGit, async () => {
    const broken = before.replace("what = 1", "what 1");
    const then = await notCompared(["--against", "HEAD"], repository(after, broken));
    expect(then).toMatch(
      /^before \(--against HEAD\): the contract in HEAD:proto does not compile: HEAD:proto\/shop\.proto:7:\d+: /,
    );
    const now = await notCompared(["--against", "HEAD"], repository(broken));
    expect(now).toMatch(/^after \(--contract\): the contract in proto does not compile: proto\/shop\.proto:7:\d+: /);
  });
});
