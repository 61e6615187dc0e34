// Errors about resources name them; however long the name, the answer is short on the wire, in every style.
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import type { Client } from "@roundtrip/contract";
import { describe, expect, test } from "vitest";
import { caught, clientOf, defaultStacks, pairOf } from "../../stacks/test/support/pair.ts";
import { countingRelay } from "../../stacks/test/support/wire.ts";
import { generatedService } from "../src/generated/generated-service.ts";
import { contract } from "./resources/library.ts";

/** Nearly as long as a name may be. */
const shelfId = "x".repeat(4_000);

function called(client: Client, method: string, request: JsonObject): Promise<unknown> {
  const operation = contract.operation(`acme.library.v1.LibraryService.${method}`);
  return client.prepare(operation)(fromJson(operation.input, request));
}

describe.each(defaultStacks().filter(({ style }) => style !== "floor"))("$name", ({ name }) => {
  test("tells of a taken and an unknown name shortly, and creates what has a long name", async () => {
    const service = generatedService(contract, 1);
    const { server } = await pairOf(name, service);
    const relay = await countingRelay(server.url);
    const client = await clientOf(name, service, { url: relay.url });
    expect(await called(client, "CreateShelf", { shelfId })).toMatchObject({ name: `shelves/${shelfId}` });
    for (const [method, request, code] of [
      ["CreateShelf", { shelfId }, "ALREADY_EXISTS"],
      ["GetShelf", { name: `shelves/${shelfId}y` }, "NOT_FOUND"],
    ] as const) {
      const before = relay.toClient;
      // oxlint-disable-next-line no-await-in-loop
      expect(await caught(called(client, method, request))).toMatchObject({ code });
      expect(relay.toClient - before).toBeGreaterThan(100);
      expect(relay.toClient - before).toBeLessThan(8_000);
    }
  });
});
