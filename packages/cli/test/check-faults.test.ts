// `check`: what is wrong with what is given to it is said in one line.
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { after, before, folders, repository, write } from "./support/check/changed-contract.ts";
import { run } from "./support/shared-program.ts";

async function refusal(args: readonly string[], cwd: string): Promise<string> {
  const { status, stdout, stderr } = await run(["check", ...args], { cwd });
  expect({ status, stdout }).toEqual({ status: 64, stdout: "" });
  expect(stderr).toMatch(/^roundtrip: [^\n]+\n$/);
  return stderr.slice("roundtrip: ".length, -1);
}

const withGit = await needing("git");

describe.concurrent("what cannot be compared", () => {
  it("is not in a git repository", withGit, async () => {
    expect(await refusal(["--against", "main", "--contract", "new"], folders())).toMatch(
      /new is not in a git repository; give --against a folder or a descriptor set instead of a revision$/,
    );
  });

  it("has an unknown revision, with the nearest one suggested", withGit, async () => {
    expect(await refusal(["--against", "mian"], repository())).toBe(
      '--against mian: there is no such path, and no such git revision; did you mean "main"?',
    );
    expect(await refusal(["--against", "--upload-pack=x"], repository())).toContain("no such git revision");
  });

  it("is a path and a revision: a checked-in file does not choose what is compared", withGit, async () => {
    const cwd = repository();
    write(cwd, { "main/shop.proto": before });
    expect(await refusal(["--against", "main"], cwd)).toBe(
      "main is a path and a git revision: write ./main for the path, or main^0 for the revision",
    );
    const said = await Promise.all(
      ["./main", "main^0"].map((name) => run(["check", "--against", name, "--stack", "rest"], { cwd })),
    );
    expect(said.map(({ stderr }) => stderr)).toEqual(["", ""]);
  });

  it("was not there at the revision", withGit, async () => {
    const cwd = repository();
    write(cwd, { "api/shop.proto": after });
    expect(await refusal(["--against", "HEAD", "--contract", "api"], cwd)).toBe(
      "there was no contract at api in HEAD; say with --contract where it was and is",
    );
  });

  it("did not compile before, or does not now: it is said which", withGit, async () => {
    const broken = before.replace("what = 1", "what 1");
    const then = await refusal(["--against", "HEAD"], repository(after, broken));
    expect(then).toMatch(
      /^before \(--against HEAD\): the contract in HEAD:proto does not compile: HEAD:proto\/shop\.proto:7:\d+: /,
    );
    const now = await refusal(["--against", "HEAD"], repository(broken));
    expect(now).toMatch(/^after \(--contract\): the contract in proto does not compile: proto\/shop\.proto:7:\d+: /);
  });
});
