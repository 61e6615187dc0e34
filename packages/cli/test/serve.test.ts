// `serve`: prints where it listens, says what it does not implement, and ends on request.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, start, until, type Running } from "./support/run-program.ts";

async function printed(server: Running, text: string): Promise<string> {
  return until(() => (server.output().stdout.includes(text) ? server.output().stdout : undefined));
}

describe.concurrent("a server", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("prints an address for each stack, and ends with %s", async (signal) => {
    const server = start(["serve"]);
    const text = await printed(server, "Ctrl-C ends it");
    expect(text).toMatch(
      /^floor {11}http:\/\/127\.0\.0\.1:\d+\ngraphql-apollo {2}http:.*\ngrpc-js .*\nrest-express .*\n/,
    );
    const [, url = ""] = /^rest-express +(\S+)$/m.exec(text) ?? [];
    expect(await (await fetch(`${url}/v1/customers/1?readMask=id`)).json()).toEqual({ id: 1 });
    server.signal(signal);
    expect(await server.ended).toMatchObject({ status: 0, stderr: "" });
  });

  it("prints addresses as one JSON document if asked for, over TLS too", async () => {
    const server = start(["serve", "--stack", "rest-express,grpc-js", "--tls", "--json"]);
    const addresses = JSON.parse(await printed(server, "}\n")) as object;
    expect(addresses).toEqual({
      "rest-express": expect.stringMatching(/^https:/) as string,
      "grpc-js": expect.stringMatching(/^https:/) as string,
    });
    server.signal("SIGINT");
    await server.ended;
  });

  it("reports which operations of a user's contract it does not implement", async () => {
    const cwd = emptyFolder();
    await mkdir(join(cwd, "shop"));
    await writeFile(
      join(cwd, "shop", "shop.proto"),
      'syntax = "proto3";\npackage shop.v1;\nmessage Order {}\nservice Shop {\n  rpc Buy(Order) returns (Order);\n  rpc Sell(Order) returns (Order);\n}\n',
    );
    const server = start(["serve", "rest-express", "--contract", "shop"], { cwd });
    const text = await printed(server, "Ctrl-C ends it");
    expect(text).toContain("No implementation here: shop.v1.Shop.Buy and 1 more;");
    const [, url = ""] = /^rest-express +(\S+)$/m.exec(text) ?? [];
    const answer = await fetch(`${url}/shop.v1.Shop/Buy`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(await answer.json()).toMatchObject({ code: "UNIMPLEMENTED" });
    server.signal("SIGINT");
    await server.ended;
  });

  it.each(["serve", "fake"])("reports with %s which HTTP rules of a contract cannot be followed", async (command) => {
    const cwd = emptyFolder();
    await writeFile(
      join(cwd, "shop.proto"),
      'syntax = "proto3";\npackage shop.v1;\nimport "google/api/annotations.proto";\nmessage Order { string id = 1; }\nservice Shop {\n  rpc Buy(Order) returns (Order) { option (google.api.http) = { get: "/v1/{id" }; }\n}\n',
    );
    const server = start([command, "rest-express", "--contract", "shop.proto"], { cwd });
    const text = await printed(server, "Ctrl-C ends it");
    expect(text).toMatch(/^shop\.v1\.Shop\.Buy: GET \/v1\/\{id: this rule is ignored: \S/m);
    server.signal("SIGINT");
    await server.ended;
  });
});
