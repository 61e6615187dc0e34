// Recording from REST servers that are not of this project: what the client understands is recorded, and nothing else.
import { fromJson } from "@bufbuild/protobuf";
import { builtInContract } from "@roundtrip/contract";
import { realService } from "@roundtrip/service";
import { connectDefaults, loadConnect, loadServe, serveDefaults } from "@roundtrip/stacks";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { memoryClient } from "@roundtrip/stacks/memory";
import { recordTarget } from "../../src/recording/record-target.ts";

const contract = builtInContract();
const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");

describe("a target of another kind", () => {
  it("is recorded if the client understands its dialect of REST, and otherwise reported once per reason", async () => {
    const serve = await loadServe("rest-express");
    const settings = { dialect: "grpc-gateway" };
    const gateway = await serve(realService(contract), { ...serveDefaults, settings });
    const page = createServer((_request, response) => response.writeHead(404).end("<p>not here</p>"));
    page.listen(0, "127.0.0.1");
    await once(page, "listening");
    const { port } = page.address() as AddressInfo;
    const connect = await loadConnect("rest-express");
    const recordedFrom = async (url: string) => {
      const leftOut: string[] = [];
      const remote = await connect(contract, { ...connectDefaults, url });
      const target = recordTarget(remote, (why) => leftOut.push(why));
      const client = memoryClient(() => target);
      for (const id of [1, 4711, 4711]) {
        await client
          .prepare(getCustomer)(fromJson(getCustomer.input, { id }))
          .catch(() => undefined);
      }
      await remote.close();
      return { leftOut, stubs: target.recording.stubs };
    };
    try {
      expect(await recordedFrom(gateway.url)).toMatchObject({
        leftOut: [],
        stubs: [{ response: { id: 1 } }, { error: { code: "NOT_FOUND", details: { reason: "CUSTOMER_NOT_FOUND" } } }],
      });
      expect(await recordedFrom(`http://127.0.0.1:${port}`)).toEqual({
        leftOut: [`${getCustomer.id}: HTTP 404: Not Found`],
        stubs: [],
      });
    } finally {
      await gateway.close();
      page.close();
    }
  });
});
