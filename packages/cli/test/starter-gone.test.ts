// Whoever started the program is gone: shells and package managers end without passing a signal on.
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { start, until, type Running } from "./support/run-program.ts";

/** Two shells that stay between, as a package manager's script has them. */
const between = `sh -c '"$@"; true' sh "$@"; true`;

async function printed(server: Running): Promise<readonly string[]> {
  const text = await until(() => (server.output().stdout.endsWith("}\n") ? server.output().stdout : undefined));
  return text.match(/http:[^"]+/g) ?? [];
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/v1/hello?name=Ada`).then(
    ({ ok }) => ok,
    () => false,
  );

const why = "roundtrip: ending: the program that started it has ended; serve and fake go on with --detached";
const serving = ["serve", "rest-express", "--json"];

describe.concurrent("a program whose starter is gone", await needing("bash"), () => {
  it.each(["SIGTERM", "SIGKILL"] as const)("frees its port after %s to a shell above its own", async (signal) => {
    const server = start(serving, { shell: between });
    const [url = ""] = await printed(server);
    process.kill(server.pid, signal);
    // Its output ends with the last process that holds it.
    const { stderr } = await server.ended;
    expect(await answers(url)).toBe(false);
    expect(stderr.split("\n").filter((line) => line.startsWith("roundtrip: "))).toEqual([why]);
  });

  it("goes on with --detached", async () => {
    const both = start(serving, { shell: `"$@" --detached & "$@"; true` });
    const text = await until(() => (both.output().stdout.split("}\n").length === 3 ? both.output().stdout : undefined));
    const urls = text.match(/http:[^"]+/g) ?? [];
    process.kill(both.pid, "SIGTERM");
    // One of them goes: the other has seen the same by then, or does so within this time.
    await until(async () => ((await Promise.all(urls.map(answers))).includes(false) ? true : undefined));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await Promise.all(urls.map(answers))).filter(Boolean)).toHaveLength(1);
    both.signal("SIGTERM");
    await both.ended;
  });
});
