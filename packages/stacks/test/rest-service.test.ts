// REST without a server: requests as values, answers as values.
import type { Service } from "@roundtrip/contract";
import { realService } from "@roundtrip/service";
import { expect, test } from "vitest";
import type { ReceivedRequest } from "../../styles/src/shared/http/http-service.ts";
import { serveDefaults } from "../src/index.ts";
import { restService } from "../../styles/src/rest/server.ts";
import { contract } from "./support/pair.ts";

function serviceOf(service: Service) {
  return restService(service, serveDefaults);
}

function request(method: string, url: string, headers: Readonly<Record<string, string>> = {}): ReceivedRequest {
  const distinct = Object.entries(headers).map(([name, value]) => [name, [value]] as const);
  return { method, url, headers, headersDistinct: Object.fromEntries(distinct) };
}

test("a request that a library has routed is answered as one that it has not", async () => {
  const service = serviceOf(realService(contract));
  const route = service.plainRoutes.find(({ segments }) => segments.join("/") === "v1/customers/");
  for (const path of [
    "/v1/customers/2",
    "/v1/customers/2?readMask=name",
    "/v1/customers/2:nonsense",
    "/v1/customers/%32",
    "/v1/customers/",
  ]) {
    const asked = request("GET", path);
    expect(await route?.begin(asked).answer(undefined)).toEqual(await service.begin(asked).answer(undefined));
  }
});
