// A client that follows edges of any contract: what it asks for, what it answers, and which chains of operations it refuses.
import { create, type Message } from "@bufbuild/protobuf";
import { CallError, linkedClient, withMetadata } from "@roundtrip/contract";
import { expect, it } from "vitest";
import { serving, sites } from "./support/freight.ts";
import { graphqlStack, pairOf, restStack } from "./support/pair.ts";

const seen = serving({ shipperId: "shippers/1", stops: sites(1, 2) });
const of = (method: string) => seen.service.contract.operation(`acme.freight.v1.Freight.${method}`);

const freightClient = async () => linkedClient((await pairOf(graphqlStack, seen.service)).client);

function request(method: string, fields: Readonly<Record<string, unknown>> = {}): Message {
  return Object.assign(create(of(method).input), fields);
}

const maskOf = (...paths: readonly string[]) => ({ readMask: { $typeName: "google.protobuf.FieldMask", paths } });

it("follows references and Lists, and reads the fields of each mask", async () => {
  const client = withMetadata(await freightClient(), new Map());
  const methods = ["GetShipment", "GetShipper", "ListSites"];
  const invoke = linkedClient(client).prepareLinked(methods.map(of));
  const answers = await invoke([
    request("GetShipment", { name: "shipments/1", ...maskOf("note") }),
    request("GetShipper", maskOf("title")),
    request("ListSites", { pageSize: 2, ...maskOf("sites.title") }),
  ]);
  expect(answers).toMatchObject([
    [{ note: "" }],
    [{ title: "title of shippers/1" }],
    [{ sites: [{ title: "title of shippers/1/sites/1" }, { title: "title of shippers/1/sites/2" }] }],
  ]);
  expect(seen.calls.splice(0)).toEqual([
    "GetShipment shipments/1 reading shipper_id,note",
    "GetShipper shippers/1 reading name,title",
    "ListSites shippers/1 reading sites",
  ]);
});

it.each([
  ["GetShipment", "GetSite", "more than one edge leads from"],
  ["GetSite", "GetShipment", "no edge leads from"],
])("refuses to go from %s to %s", async (from, to, message) => {
  const client = await freightClient();
  expect(() => client.prepareLinked([of(from), of(to)])).toThrow(message);
});

it("refuses a read mask without the messages that have the edge", async () => {
  const invoke = (await freightClient()).prepareLinked([of("ListSites"), of("GetShipper")]);
  const ask = (...paths: readonly string[]) =>
    invoke([
      request("ListSites", { parent: "shippers/1", ...maskOf(...paths) }),
      request("GetShipper", maskOf("title")),
    ]);
  await expect(ask("next_page_token")).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: "read_mask: without sites, no edge leads to acme.freight.v1.Freight.GetShipper",
  });
  const title = "title of shippers/1";
  for (const path of ["sites", "sites.title", "*"]) expect((await ask(path))[1]).toMatchObject([{ title }, { title }]);
});

it("fails with the error of the first operation, and with that of an edge", async () => {
  const failing = serving(
    { shipperId: "shippers/1" },
    {
      GetShipper: () => {
        throw new CallError("PERMISSION_DENIED", "no");
      },
    },
  );
  const client = linkedClient((await pairOf(graphqlStack, failing.service)).client);
  const invoke = client.prepareLinked([of("GetShipment"), of("GetShipper")]);
  await expect(invoke([request("GetShipment", { name: "shipments/1" }), request("GetShipper")])).rejects.toMatchObject({
    code: "PERMISSION_DENIED",
  });
});

it("is refused for clients of styles without edges", async () => {
  const { client } = await pairOf(restStack, seen.service);
  expect(() => linkedClient(client)).toThrow("this client cannot follow links");
});
