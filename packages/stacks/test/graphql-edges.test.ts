// GraphQL over references: what an edge answers, which calls it makes, and where it ends.
import { CallError } from "@roundtrip/contract";
import { realService } from "@roundtrip/service";
import { describe, expect, it } from "vitest";
import { allStacks } from "../src/index.ts";
import { type Answers, type Asked, type Seen, serving, shipment, site, sites } from "./support/freight.ts";
import { graphqlPost } from "./support/graphql-post.ts";
import { hostileDocuments } from "./support/hostile-edges.ts";
import { contract as builtIn, graphqlStack, pairOf } from "./support/pair.ts";

const servers = [
  ...new Set(
    allStacks()
      .filter(({ style }) => style === "graphql")
      .map(({ server }) => server),
  ),
].map((server) => allStacks().find((stack) => stack.style === "graphql" && stack.server === server)?.name ?? "");

interface Page {
  readonly invoices: readonly { readonly id: number; readonly customer: { readonly name: string } }[];
  readonly nextPageToken: string;
}

interface Linked {
  readonly invoice: {
    readonly lines: readonly { readonly productId: number; readonly product: { readonly id: number } }[];
  };
  readonly customer: { readonly invoices: Page };
  readonly customer1: { readonly name: string };
  readonly invoices: Page;
}

describe.each(servers)("%s", (stack) => {
  it("answers the edges of the real service as its Gets and Lists do", async () => {
    const { server } = await pairOf(stack, realService(builtIn));
    const query = `{
      invoice(id: 1) { customer { id name } lines { productId product { id name } } }
      customer(id: 1) { invoices(pageSize: 2) { invoices { id customer { name } } nextPageToken } }
      customer1: customer(id: 1) { name }
      invoices(customerId: 1, pageSize: 2) { invoices { id } nextPageToken }
      product(id: 1) { name }
    }`;
    const { data, errors } = await graphqlPost(server, { query });
    expect(errors).toEqual([]);
    const { invoice, customer, invoices, ...others } = data as Linked;
    expect(invoice.lines.map(({ product }) => product.id)).toEqual(invoice.lines.map(({ productId }) => productId));
    expect(customer.invoices.invoices.map(({ id }) => id)).toEqual(invoices.invoices.map(({ id }) => id));
    expect(customer.invoices.nextPageToken).toBe(invoices.nextPageToken);
    const { name } = others.customer1;
    expect(customer.invoices.invoices.map((item) => item.customer.name)).toEqual([name, name]);
  });
});

it("has no edges where the setting turns them off", async () => {
  const { server } = await pairOf(graphqlStack, realService(builtIn), { serve: { settings: { edges: false } } });
  const { errors } = await graphqlPost(server, { query: "{ invoice(id: 1) { customer { name } } }" });
  expect(errors[0]?.message).toContain('Cannot query field "customer" on type "Invoice"');
});

interface Result extends Pick<Seen, "calls"> {
  readonly data: {
    readonly shipment: {
      readonly stopsResources: readonly ({ readonly name: string } | null)[];
      readonly shipper: { readonly sites: { readonly sites: readonly unknown[] } };
      readonly originSite: unknown;
    };
  };
  readonly errors: readonly { readonly path?: unknown; readonly extensions: { readonly code: string } }[];
}

async function asked({ service, calls }: Seen, ...queries: readonly string[]): Promise<Result> {
  const { server } = await pairOf(graphqlStack, service);
  let result = {};
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const query of queries) result = await graphqlPost(server, { query });
  return { ...(result as Omit<Result, "calls">), calls };
}

const stops = shipment("stopsResources { name title }");
const failing = (code: "NOT_FOUND" | "UNIMPLEMENTED" | "UNAVAILABLE") => (): never => {
  throw new CallError(code, "no");
};

describe("a batch", () => {
  it("has as many keys as the contract allows, each once, and of one parent", async () => {
    const keys = [...sites(1, 2, 1, 3, 4), "shippers/2/sites/1"];
    const { data, calls } = await asked(serving({ stops: keys }), stops);
    expect(data.shipment.stopsResources.map((stop) => stop?.name)).toEqual(keys);
    expect(calls.slice(1).toSorted()).toEqual([
      `BatchGetSites shippers/1 ${sites(1, 2, 3).join(",")}`,
      `BatchGetSites shippers/1 ${sites(4).join(",")}`,
      "BatchGetSites shippers/2 shippers/2/sites/1",
    ]);
  });

  it.each([
    ["reversed", (names: readonly string[]) => names.toReversed()],
    ["doubled", (names: readonly string[]) => [...names, ...names]],
    ["with more than was asked for", (names: readonly string[]) => ["shippers/9/sites/9", ...names]],
  ])("is matched by key when it comes %s", async (_how, changed) => {
    const own = { BatchGetSites: ({ names }: Asked) => ({ sites: changed(names).map(site) }) };
    const { data, errors } = await asked(serving({ stops: sites(3, 1, 2) }, own), stops);
    expect(errors).toEqual([]);
    expect(data.shipment.stopsResources).toEqual(sites(3, 1, 2).map((name) => ({ name, title: `title of ${name}` })));
  });

  it("leaves to the Get what it comes without", async () => {
    const own = { BatchGetSites: ({ names }: Asked) => ({ sites: names.slice(1).map(site) }) };
    const { data, calls } = await asked(serving({ stops: sites(1, 2) }, own), stops);
    expect(data.shipment.stopsResources.map((stop) => stop?.name)).toEqual(sites(1, 2));
    expect(calls.slice(2)).toEqual(["GetSite shippers/1/sites/1"]);
  });

  it("that fails for one key does not fail for the others", async () => {
    const own: Answers = {
      BatchGetSites: failing("NOT_FOUND"),
      GetSite: ({ name }) => (name.endsWith("2") ? failing("NOT_FOUND")() : site(name)),
    };
    const { data, errors } = await asked(serving({ stops: sites(1, 2) }, own), stops);
    expect(data.shipment.stopsResources).toMatchObject([{ name: "shippers/1/sites/1" }, null]);
    expect(errors).toMatchObject([{ path: ["shipment", "stopsResources", 1], extensions: { code: "NOT_FOUND" } }]);
  });

  it("that fails as a whole fails for each key, without further calls", async () => {
    const { data, errors, calls } = await asked(
      serving({ stops: sites(1, 2) }, { BatchGetSites: failing("UNAVAILABLE") }),
      stops,
    );
    expect(data.shipment.stopsResources).toEqual([null, null]);
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(["UNAVAILABLE", "UNAVAILABLE"]);
    expect(calls).toHaveLength(2);
  });

  it("that is not implemented is called once", async () => {
    const seen = serving({ stops: sites(1, 2) }, { BatchGetSites: failing("UNIMPLEMENTED") });
    const { data, calls } = await asked(seen, stops, stops);
    expect(data.shipment.stopsResources).toMatchObject(sites(1, 2).map((name) => ({ name })));
    expect(calls.filter((call) => call.startsWith("BatchGet"))).toHaveLength(1);
    expect(calls.filter((call) => call.startsWith("GetSite"))).toHaveLength(4);
  });
});

describe("a key", () => {
  it.each(["", "_deleted_", "shippers/1/sites/1/more/1"])(
    "that no path takes, such as %j, is null without a call",
    async (key) => {
      const { data, errors, calls } = await asked(
        serving({ stops: [key], shipperId: "" }),
        shipment("stopsResources { name } shipper { name }"),
      );
      expect(data.shipment).toEqual({ stopsResources: [null], shipper: null });
      expect(errors).toEqual([]);
      expect(calls).toHaveLength(1);
    },
  );

  it("may be a member of a oneof", async () => {
    const query = shipment("originSite { title }");
    const from = { case: "originSiteName", value: "shippers/1/sites/7" };
    expect((await asked(serving({ from }), query)).data.shipment.originSite).toEqual({
      title: "title of shippers/1/sites/7",
    });
    expect(
      (await asked(serving({ from: { case: "address", value: "Kiel" } }), query)).data.shipment.originSite,
    ).toBeNull();
  });
});

it("reads what is selected, and the keys that lead on", async () => {
  const query = shipment("note shipper { title sites(pageSize: 1) { sites { title } } }");
  const { data, calls } = await asked(serving({ shipperId: "shippers/1" }), query);
  expect(data.shipment.shipper.sites.sites).toHaveLength(2);
  expect(calls).toEqual([
    "GetShipment shipments/1 reading shipper_id,note",
    "GetShipper shippers/1 reading name,title",
    "ListSites shippers/1 reading sites",
  ]);
});

it("reads each resource once in a document, and anew in the next", async () => {
  const query = `{ a: shipment(name: "shipments/1") { shipper { title } } b: shipment(name: "shipments/2") { shipper { title } } }`;
  const { calls } = await asked(serving({ shipperId: "shippers/1" }), query, query);
  expect(calls.filter((call) => call.startsWith("GetShipper"))).toHaveLength(2);
});

it("reads again after a mutation", async () => {
  let title = 0;
  const own: Answers = {
    CloseSite: ({ name }) => {
      title += 1;
      return site(name);
    },
    GetShipper: ({ name }) => ({ name, title: String(title) }),
  };
  const close = `closeSite(input: { name: "shippers/1/sites/1" }) { shipperResource { title } }`;
  const { data } = await asked(serving({}, own), `mutation { a: ${close} b: ${close} }`);
  expect(data).toEqual({ a: { shipperResource: { title: "1" } }, b: { shipperResource: { title: "2" } } });
});

it("passes the caller's metadata and a signal to each call", async () => {
  const metadata: (string | undefined)[] = [];
  const own: Answers = {
    GetShipper: ({ name }, context) => {
      metadata.push(context.metadata.get("x-tenant"));
      return { name };
    },
  };
  const { server } = await pairOf(graphqlStack, serving({ shipperId: "shippers/1" }, own).service);
  await fetch(server.url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-tenant": "blue" },
    body: JSON.stringify({ query: shipment("shipper { name }") }),
  });
  expect(metadata).toEqual(["blue"]);
});

describe("a document", () => {
  const many = Array.from({ length: 1_200 }, (_, at) => `shippers/${at}/sites/1`);

  it("may cause 1,000 calls, 16 at the same time", async () => {
    let [running, most] = [0, 0];
    const own: Answers = {
      BatchGetSites: async ({ names }) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        return { sites: names.map(site) };
      },
    };
    const { data, errors, calls } = await asked(serving({ stops: many }, own), stops);
    const found = data.shipment.stopsResources.filter((stop) => stop !== null);
    expect([found.length, calls.length - 1, most]).toEqual([1_000, 1_000, 16]);
    expect(new Set(errors.map(({ extensions }) => extensions.code))).toEqual(new Set(["RESOURCE_EXHAUSTED"]));
  });

  it("may follow 10,000 keys, and has at most 10 errors for more", async () => {
    const keys = Array.from({ length: 10_500 }, () => "shippers/1/sites/1");
    const { data, errors } = await asked(serving({ stops: keys }), stops);
    expect(data.shipment.stopsResources.filter((stop) => stop !== null)).toHaveLength(10_000);
    expect(errors).toHaveLength(10);
    expect(errors[0]).toMatchObject({ extensions: { code: "RESOURCE_EXHAUSTED" } });
  });

  it("has answers of at most 24 MiB of memory beside the first four, and at most 10 errors for more", async () => {
    const own: Answers = {
      BatchGetSites: ({ names }) => ({ sites: names.map((name) => ({ ...site(name), title: "x".repeat(1_000_000) })) }),
    };
    const { data, errors, calls } = await asked(serving({ stops: many.slice(0, 100) }, own), stops);
    const found = data.shipment.stopsResources.filter((stop) => stop !== null);
    expect([found.length, calls.length < 50, errors.length]).toEqual([28, true, 10]);
    expect(errors[0]).toMatchObject({ extensions: { code: "RESOURCE_EXHAUSTED" } });
  });

  /** Three times from each of a page's sites, each with another shipper, to the page of that. */
  const goingRound = shipment(
    `stopsResources { ${"shipperResource { sites(pageSize: 1) { sites { ".repeat(3)} title ${"} } } ".repeat(3)} }`,
  );

  it("ends where pages are longer than it asks for", async () => {
    const own: Answers = {
      ListSites: ({ parent }) => ({ sites: Array.from({ length: 40 }, (_, at) => site(`${parent}${at}/sites/1`)) }),
    };
    const { errors, calls } = await asked(serving({ stops: sites(1) }, own), goingRound);
    expect(errors).toHaveLength(10);
    expect(errors[0]).toMatchObject({ extensions: { code: "RESOURCE_EXHAUSTED" } });
    expect(calls).toHaveLength(1_001);
  });

  it("calls no List after its keys have run out", async () => {
    const own: Answers = {
      ListSites: ({ parent }) => ({ sites: Array.from({ length: 200 }, (_, at) => site(`${parent}${at}/sites/1`)) }),
    };
    const { calls } = await asked(serving({ stops: sites(1) }, own), goingRound);
    const lists = calls.filter((call) => call.startsWith("ListSites"));
    // Of the second pages, 48 have all keys; those in flight with the last of them end.
    expect(lists.length).toBeLessThanOrEqual(1 + 48 + 16);
  });

  it("is refused without a call if it asks for too much", async () => {
    const seen = serving({ stops: sites(1, 2) });
    const { server } = await pairOf(graphqlStack, seen.service);
    const accepted: string[] = [];
    for (const { name, query } of hostileDocuments) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { status, errors } = await graphqlPost(server, { query });
      if (status !== 400 || errors[0]?.extensions["code"] !== "RESOURCE_EXHAUSTED") accepted.push(name);
    }
    expect([accepted, seen.calls, hostileDocuments.length]).toEqual([[], [], 200]);
  });

  it.each([
    [
      "eight references",
      `${"shipperResource { sites(pageSize: 1) { sites { ".repeat(3)} shipperResource { title } ${"} } } ".repeat(3)}`,
    ],
    [
      "three lists without their sizes",
      `${"shipperResource { sites { sites { ".repeat(2)} title ${"} } } ".repeat(2)}`,
    ],
    ["a list of 900", "shipperResource { sites(pageSize: 900) { sites { title } } }"],
  ])("may follow %s", async (_what, inside) => {
    const { errors } = await asked(serving({ stops: sites(1) }), shipment(`stopsResources { ${inside} }`));
    expect(errors).toEqual([]);
  });
});
