// `serve`: prints where it listens, says what it does not implement, and ends on request.
import { describe, expect, it } from "vitest";
import { start, until, type Running, folderWith } from "./support/run-program.ts";

async function printed(server: Running, text: string): Promise<string> {
  return until(() => (server.output().stdout.includes(text) ? server.output().stdout : undefined));
}

/** A folder with a contract that has an HTTP rule with a mistake. */
function shopFolder(): string {
  const text = `syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
message Order { string id = 1; }
service Shop {
  rpc Buy(Order) returns (Order) { option (google.api.http) = { get: "/v1/{id" }; }
  rpc Sell(Order) returns (Order);
}
`;
  return folderWith({ "shop.proto": text });
}

const ignoredRule = /^shop\.v1\.Shop\.Buy: GET \/v1\/\{id: this rule is ignored: \S/m;

describe.concurrent("a server", () => {
  it("prints an address for each stack, and ends with SIGTERM", async () => {
    const server = start(["serve"]);
    const text = await printed(server, "Ctrl-C ends it");
    expect(text).toMatch(
      /^floor {11}http:\/\/127\.0\.0\.1:\d+\ngraphql-apollo {2}http:.*\ngrpc-js .*\nrest-express .*\n/,
    );
    const [, url = ""] = /^rest-express +(\S+)$/m.exec(text) ?? [];
    expect(await (await fetch(`${url}/v1/customers/1?readMask=id`)).json()).toEqual({ id: 1 });
    server.signal("SIGTERM");
    expect(await server.ended).toMatchObject({ status: 0, stderr: "" });
  });

  it("prints addresses as one JSON document if asked for, over TLS too, and ends with SIGINT", async () => {
    const server = start(["serve", "--stack", "rest-express,grpc-js", "--tls", "--json"]);
    const addresses = JSON.parse(await printed(server, "}\n")) as object;
    expect(addresses).toEqual({
      "rest-express": expect.stringMatching(/^https:/) as string,
      "grpc-js": expect.stringMatching(/^https:/) as string,
    });
    server.signal("SIGINT");
    expect(await server.ended).toMatchObject({ status: 0, stderr: "" });
  });

  it("reports which operations of a user's contract it does not implement, and which HTTP rules cannot be followed", async () => {
    const cwd = shopFolder();
    const server = start(["serve", "rest-express", "--contract", "shop.proto"], { cwd });
    const text = await printed(server, "Ctrl-C ends it");
    expect(text).toContain("No implementation here: shop.v1.Shop.Buy and 1 more;");
    expect(text).toMatch(ignoredRule);
    const [, url = ""] = /^rest-express +(\S+)$/m.exec(text) ?? [];
    const answer = await fetch(`${url}/shop.v1.Shop/Sell`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(await answer.json()).toMatchObject({ code: "UNIMPLEMENTED" });
    server.signal("SIGINT");
    await server.ended;
  });

  it("of a fake reports which HTTP rules cannot be followed", async () => {
    const server = start(["fake", "rest-express", "--contract", "shop.proto"], { cwd: shopFolder() });
    expect(await printed(server, "Ctrl-C ends it")).toMatch(ignoredRule);
    server.signal("SIGINT");
    await server.ended;
  });
});
