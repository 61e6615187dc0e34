// Flags from elsewhere: the environment and roundtrip.config.ts mean what the command line means, and are refused like it.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, type Outcome } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { refusal } from "./support/outcomes.ts";

interface Setting {
  readonly config?: string;
  readonly file?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** `describe SayHello` with settings: cheap, and shows which stacks and which form were chosen. */
async function describeWith({ config, file = "roundtrip.config.ts", env = {}, args = [] }: Setting): Promise<Outcome> {
  const cwd = emptyFolder();
  if (config !== undefined) await writeFile(join(cwd, file), config);
  const outcome = await run(["describe", "SayHello", ...args], { cwd, env });
  return { ...outcome, stderr: outcome.stderr.replaceAll(cwd, ".") };
}

function stylesIn(stdout: string): readonly string[] {
  return ["GraphQL", "gRPC", "REST"].filter((style) => stdout.includes(`\n  ${style} `));
}

describe.concurrent("a setting", () => {
  it("comes from the file, over which the environment wins, over which the flag wins", async () => {
    const config = 'export default { stack: ["grpc-js"] };';
    const env = { ROUNDTRIP_STACK: "graphql-apollo" };
    const [file, environment, flag] = await Promise.all([
      describeWith({ config }),
      describeWith({ config, env }),
      describeWith({ config, env, args: ["--stack", "rest-express"] }),
    ]);
    expect([file, environment, flag].map(({ stdout }) => stylesIn(stdout))).toEqual([["gRPC"], ["GraphQL"], ["REST"]]);
  });

  it("has no use where stacks are arguments and there is no target, and is used where there is one", async () => {
    const cwd = emptyFolder();
    const config = 'export default { contract: "a.proto", stack: "grpc", disposable: true };';
    await writeFile(join(cwd, "roundtrip.config.ts"), config);
    const proto =
      'syntax = "proto3"; service S { rpc Get(T) returns (T) { option idempotency_level = NO_SIDE_EFFECTS; } }';
    await writeFile(join(cwd, "a.proto"), `${proto} message T { string id = 1; }`);
    const [alone, targeted] = await Promise.all([
      run(["conform", "rest-express"], { cwd }),
      run(["conform", "--target", "grpc=http://127.0.0.1:9,token-env=NO_TOKEN_HERE"], { cwd }),
    ]);
    expect(alone).toMatchObject({ status: 0, stderr: "" });
    expect(alone.stdout).toMatch(/^rest-express +[1-9]\d* pass, 0 fail/m);
    expect(targeted.stderr).toContain("the environment variable NO_TOKEN_HERE is empty");
  });

  it.each([
    ["true", true],
    ["false", false],
    ["", false],
  ])("that is a switch can be %j in the environment", async (text, isJson) => {
    const { status, stdout } = await describeWith({ env: { ROUNDTRIP_JSON: text } });
    expect({ status, isJson: stdout.startsWith("{") }).toEqual({ status: 0, isJson });
  });
});

const refused: readonly (readonly [name: string, setting: Setting, message: string])[] = [
  [
    "a key that no command knows",
    { config: "export default { stakc: 'floor' };" },
    './roundtrip.config.ts: unknown setting "stakc"; did you mean "stack"?',
  ],
  [
    "a value that the flag would not take",
    { config: "export default { json: 'maybe' };" },
    './roundtrip.config.ts: json must be true or false, got "maybe"',
  ],
  [
    "a value of another kind",
    { config: "export default { stack: { grpc: true } };" },
    './roundtrip.config.ts: stack must be written as on the command line (--stack <names>), got {"grpc":true}',
  ],
  [
    "a file without settings",
    { config: "export const rounds = 6;" },
    "cannot use ./roundtrip.config.ts: it must export its settings: export default { rounds: 6 }",
  ],
  [
    "a file that throws",
    { config: "\nthrow new Error('no licence');" },
    "cannot use ./roundtrip.config.ts: line 2: no licence",
  ],
  [
    "a variable that the flag would not take",
    { env: { ROUNDTRIP_JSON: "2" } },
    'ROUNDTRIP_JSON must be true or false, got "2"',
  ],
];

describe.concurrent("a setting is refused that is", () => {
  it.each(refused)("%s", async (_name, setting, message) => {
    expect(refusal(await describeWith(setting))).toBe(message);
  });

  it("a syntax error, reported with its line", async () => {
    const { status, stderr } = await describeWith({ config: "export default {\n  rounds: = 6,\n};" });
    expect(status).toBe(64);
    expect(stderr).toMatch(/^roundtrip: cannot use \.\/roundtrip\.config\.ts: line 2: \S[^\n]*\n$/);
  });
});
