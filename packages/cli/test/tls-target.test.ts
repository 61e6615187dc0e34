// Servers elsewhere over TLS: `serve --tls --ca-out` gives what `conform` and `bench` need to trust them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, start, until, folderWith } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { served, type Served } from "./support/served.ts";
import { thingShop } from "./support/thing-shop.ts";
import { refusal, printed } from "./support/outcomes.ts";

const stacks = ["rest-express", "grpc-js", "floor"];
const folder = emptyFolder();
const ca = join(folder, "new", "ca.pem");

let servers: Served;
beforeAll(async () => {
  servers = await served(...stacks, "--tls", "--ca-out", ca);
});
afterAll(() => servers[Symbol.asyncDispose]());

async function why(...args: readonly string[]): Promise<string> {
  const message = refusal(await run(["conform", ...args]), 69);
  return message.split(" server of this contract: ")[1] ?? message;
}

describe("a server over TLS", () => {
  it("prints the flag that passes its authority to clients", async () => {
    const server = start(["serve", "rest-express", "--tls", "--ca-out", "ca.pem"]);
    const text = await until(() => (server.output().stdout.includes("Ctrl-C") ? server.output().stdout : undefined));
    expect(text).toContain("--target STYLE=URL,ca=ca.pem\n");
    server.signal("SIGINT");
    await server.ended;
  });

  it("has no certificate to keep without TLS, and keeps it in no file that it reads", async () => {
    expect(refusal(await run(["serve", "--ca-out", "ca.pem"]))).toBe("--ca-out requires --tls");
    const cwd = folderWith({ "shop.proto": thingShop });
    const { status } = await run(["serve", "--tls", "--ca-out", "shop.proto", "--contract", "shop.proto"], { cwd });
    expect(status).toBe(64);
    expect(readFileSync(join(cwd, "shop.proto"), "utf8")).toBe(thingShop);
  });

  it("is measured as a target, with its authority", async () => {
    const targets = stacks.flatMap((stack) => ["--target", `${stack}=${servers.urls[stack]},ca=${ca}`]);
    const short = ["--rounds", "1", "--calls", "10", "--json", "--quiet"];
    const stdout = printed(await run(["bench", "hello", ...targets, ...short]));
    const { facts } = JSON.parse(stdout) as {
      readonly facts: { readonly arms: readonly { readonly target: string }[]; readonly verification: object };
    };
    expect(facts.arms.map(({ target }) => target).toSorted()).toEqual(Object.values(servers.urls).toSorted());
    expect(facts.verification).toMatchObject({ agreed: true });
  });
});

describe.concurrent("a target that cannot be trusted", () => {
  it.each(stacks)("is refused with the flag that helps (%s)", async (stack) => {
    expect(await why("--target", `${stack}=${servers.urls[stack]}`)).toBe(
      "its certificate is not trusted; name the file of its certificate authority: --target STYLE=URL,ca=FILE",
    );
  });

  it("is refused when its authority is another than the one that was given", async () => {
    const other = join(folder, "other.pem");
    await using others = await served("rest-express", "--tls", "--ca-out", other);
    expect(others.urls).not.toEqual({});
    expect(await why("--target", `grpc-js=${servers.urls["grpc-js"]},ca=${other}`)).toBe(
      "its certificate does not come from the certificate authority that ca names",
    );
  });
});
