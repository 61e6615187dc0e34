// The edges of public contracts as they were when each was last looked at, the schemas with them, and what they lead to on a fake.
import { findEdges } from "@roundtrip/contract/resources";
import { serviceOf } from "@roundtrip/contract/service";
import { validateSchema } from "graphql";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { loadContractFrom } from "../../cli/src/contract/contract-source.ts";
import { followedEdges } from "../../fakes/test/support/followed-edges.ts";
import { graphqlParts } from "@roundtrip/styles/graphql/server";

const google = join(dirname(findPackageJSON("google-proto-files", import.meta.url) ?? "."), "google");

test.each([
  { path: "cloud/chronicle/v1", references: 12, batches: 2, lists: 13, plain: 9 },
  { path: "developers/knowledge/v1", references: 1, batches: 1, lists: 0, plain: 0 },
  { path: "ads/admanager/v1", references: 88, batches: 0, lists: 56, plain: 5 },
  { path: "cloud/dialogflow/cx/v3", references: 44, batches: 0, lists: 21, plain: 12 },
  // Two of its Lists are of features, each below another parent.
  { path: "cloud/aiplatform/v1", references: 40, batches: 0, lists: 24, plain: 18 },
  // It has a BatchGet, of metadata about its resources.
  { path: "cloud/discoveryengine/v1", references: 15, batches: 0, lists: 7, plain: 6 },
  { path: "pubsub/v1", references: 7, batches: 0, lists: 1, plain: 2 },
  // Nothing gets its resources, and its Lists are of errors.
  { path: "ads/googleads/v25", references: 0, batches: 0, lists: 0, plain: 287 },
  // Its BatchGets are of histories and policies.
  { path: "cloud/asset/v1", references: 0, batches: 0, lists: 0, plain: 1 },
])(
  "$path has a valid schema, no edge but those of its references, and a fake that answers all",
  async ({ path, ...expected }) => {
    await using loaded = await loadContractFrom([join(google, path)]);
    const { contract } = loaded;
    const { references, lists, plain } = findEdges(contract);
    const batches = references.filter(({ batchGet }) => batchGet !== undefined);
    expect({
      references: references.length,
      batches: batches.length,
      lists: lists.length,
      plain: plain.length,
    }).toEqual(expected);
    const { schema } = graphqlParts(serviceOf(contract, new Map()), { edges: true, edgeLoads: "batched" });
    expect(validateSchema(schema).map(String)).toEqual([]);
    if (references.length + lists.length === 0) return;
    const { found, lost } = await followedEdges(contract);
    expect(lost).toEqual([]);
    expect(found).toBeGreaterThan(1);
  },
);
