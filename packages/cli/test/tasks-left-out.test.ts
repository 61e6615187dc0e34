// What `roundtrip tasks` leaves out of its files and of its output: secrets, values, and what failed.
import { describe, expect, it } from "vitest";
import { entry, line, made } from "./support/tasks-of-log.ts";

describe("roundtrip tasks", () => {
  it("groups what it cannot map, and prints no query", async () => {
    const { stdout } = await made(
      "odd.log",
      [
        line(0, "GET /v1/things/1"),
        line(0, "GET /v1/thing/1?access_token=hunter2"),
        line(0, "GET /v1/thing/2?access_token=hunter2"),
        line(1, "GET /v1/things?page_size=many"),
        line(1, "GET /.env"),
        line(2, "GET /v1/things/9", 503),
        "not a request\n",
      ].join(""),
    );
    expect(stdout).toContain("2  GET /v1/thing/*\n");
    expect(stdout).toContain("1  GET /v1/things: INVALID_ARGUMENT pageSize");
    expect(stdout).toContain("1  GET /.env\n");
    expect(stdout).toContain("Left out: 1 request answered with an error");
    expect(stdout).toContain("Left out: 1 line in no known form");
    expect(stdout).not.toContain("hunter2");
  });

  it("never writes secrets, page tokens or what a terminal would execute", async () => {
    const { stdout, written, mix } = await made(
      "secret.log",
      [
        line(0, "GET /v1/login?user=ada&password=hunter2"),
        line(0, "GET /v1/things?page_size=2&page_token=abc123"),
        line(0, String.raw`GET /\x1b[31mred`),
      ].join(""),
    );
    expect(mix.find(({ operation }) => operation === "Login")?.requests).toEqual([
      { user: "ada", password: expect.not.stringContaining("hunter2") },
    ]);
    expect(`${written}${stdout}`).not.toMatch(/hunter2|abc123/);
    expect(stdout).not.toContain("\u001B");
    expect(stdout).toContain("Left out: the field password of Login: a secret");
    expect(stdout).toContain(
      "Left out: the field page_token of ListThings: a position in the data of the server that wrote the log",
    );
  });

  it("makes up the values of tokens and of fields that the contract redacts, at any depth", async () => {
    const text = JSON.stringify({
      resetToken: "hunter2",
      account: { name: "Ada", apiToken: "hunter2", email: "ada@example.com" },
      maxToken: 7,
      hasPassword: true,
      nextToken: "hunter2",
    });
    const har = JSON.stringify({ log: { entries: [entry(0, "https://shop.example/v1/reset", text)] } });
    const { stdout, written, mix } = await made("reset.har", har);
    expect(mix[0]?.requests).toEqual([
      {
        resetToken: expect.any(String),
        account: { name: "Ada", apiToken: expect.any(String), email: expect.any(String) },
        maxToken: 7,
        hasPassword: true,
      },
    ]);
    expect(`${stdout}${written}`).not.toMatch(/hunter2|ada@example|redacted/);
    for (const field of ["reset_token", "api_token", "email"]) {
      expect(stdout).toContain(`Left out: the field ${field} of Reset: a secret`);
    }
  });
});
