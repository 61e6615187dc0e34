// How servers and clients of every stack begin and end.
import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { loadServe, serveDefaults } from "../src/index.ts";
import { caught, certificate, clientOf, hello, helloService, pairOf, stacksUnderTest } from "./support/pair.ts";
import { openingRelay } from "./support/wire.ts";
import { streamingContract } from "./support/streaming-contract.ts";

const greeting = helloService(({ name }) => `Hello, ${name}!`);

describe.each(stacksUnderTest())("$name", ({ name: stackName }) => {
  test("a server listens on loopback, and its URL states whether it speaks TLS", async () => {
    for (const tls of [false, true]) {
      const { server } = await pairOf(stackName, greeting, { tls });
      const { protocol, hostname } = new URL(server.url);
      expect([protocol, hostname]).toEqual([tls ? "https:" : "http:", "127.0.0.1"]);
    }
  });

  test("a client that closes while a connection opens leaves none open", async () => {
    const { server } = await pairOf(stackName, greeting, { tls: true });
    const relay = await openingRelay(server.url);
    const client = await clientOf(stackName, greeting, { url: relay.url, ca: (await certificate).ca });
    expect((await caught(hello(client, "x", { timeoutMs: 50 }))).code).toBe("DEADLINE_EXCEEDED");
    const closed = client.close();
    relay.open();
    await closed;
    await expect(relay.ended).resolves.toBeUndefined();
  });

  test("a port in use is reported in one line with what to do", async () => {
    const { server } = await pairOf(stackName, greeting);
    const port = Number(new URL(server.url).port);
    const serve = await loadServe(stackName);
    await expect(serve(greeting, { ...serveDefaults, port })).rejects.toMatchObject({
      code: "cannot-listen",
      message: `cannot listen on 127.0.0.1:${port}: the port is taken; choose another, or 0 for any free one`,
    });
  });

  test("a server that is not there is UNAVAILABLE, over TLS too, and is found when it comes back", async () => {
    for (const tls of [false, true]) {
      const { server, client } = await pairOf(stackName, greeting, { tls });
      const { origin, host, port } = new URL(server.url);
      await server.close();
      const { code, message } = await caught(hello(client, "x"));
      expect([code, message]).toEqual(["UNAVAILABLE", `no answer from ${origin}: connect ECONNREFUSED ${host}`]);
      if (tls) continue;
      const serve = await loadServe(stackName);
      const again = await serve(greeting, { ...serveDefaults, port: Number(port) });
      const back = await clientOf(stackName, greeting, { url: again.url });
      expect(await hello(back, "x")).toBe("Hello, x!");
      await back.close();
      await again.close();
    }
  });

  test("an untrusted certificate is UNAVAILABLE, and no call is sent", async () => {
    const { server } = await pairOf(stackName, greeting, { tls: true });
    const client = await clientOf(stackName, greeting, { url: server.url });
    const { code, message } = await caught(hello(client, "x"));
    expect(code).toBe("UNAVAILABLE");
    expect(message).toContain(`no answer from ${new URL(server.url).origin}: self-signed certificate`);
  });

  test("operations that stream, or that the contract lacks, are UNIMPLEMENTED when they are called like others", async () => {
    const { client } = await pairOf(stackName, greeting);
    for (const operation of streamingContract().operations) {
      const { code } = await caught(client.prepare(operation)(create(operation.input)));
      expect(code).toBe("UNIMPLEMENTED");
    }
  });
});
