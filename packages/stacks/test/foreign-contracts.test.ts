// Contracts that nobody here wrote, and some whose names are awkward on purpose: every operation is called on every style, with every field
// set, and what a style documents is valid.
import { Validator } from "@seriousme/openapi-schema-validator";
import { buildSchema, validateSchema } from "graphql";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { Contract } from "@roundtrip/contract";
import { loadContractFrom } from "../../cli/src/contract/contract-source.ts";
import { loadStack } from "../src/index.ts";
import { conformanceOf } from "./support/conformance-of.ts";
import { openRpcValidator } from "./support/open-rpc-validator.ts";
import { graphqlStack, grpcStack, jsonRpcStack, soapStack } from "./support/pair.ts";

const google = join(dirname(findPackageJSON("google-proto-files", import.meta.url) ?? "."), "google");
const fixtures = fileURLToPath(new URL("../../contract/test/fixtures", import.meta.url));

interface Foreign {
  readonly path: string;
  readonly protoPath: readonly string[];
  readonly operations: number;
}

const foreign: Readonly<Record<string, Foreign>> = {
  "Google's library, resources over shelves and books": {
    path: `${google}/example/library/v1/library.proto`,
    protoPath: [],
    operations: 11,
  },
  "Pub/Sub, with a stream both ways": { path: `${google}/pubsub/v1`, protoPath: [], operations: 35 },
  "long-running operations, whose answers are Any": { path: `${google}/longrunning`, protoPath: [], operations: 5 },
  "Kubernetes Engine, more than 300 messages": { path: `${google}/container/v1`, protoPath: [], operations: 36 },
  "Firestore, whose values and filters hold themselves": {
    path: `${google}/firestore/v1`,
    protoPath: [],
    operations: 17,
  },
  "names that others keep for themselves": { path: `${fixtures}/awkward-names`, protoPath: [fixtures], operations: 14 },
  "HTTP rules as gateways take them, and some in a service configuration": {
    path: `${fixtures}/http-rules`,
    protoPath: [],
    operations: 16,
  },
  "proto2: required, defaults, groups, extensions, names that differ in case": {
    path: `${fixtures}/proto2`,
    protoPath: [],
    operations: 4,
  },
  "Kubernetes, whose messages of proto2 go over HTTP": { path: `${fixtures}/kubernetes`, protoPath: [], operations: 8 },
  "CloudEvents, with values of any kind and streams of them": {
    path: `${fixtures}/events`,
    protoPath: [],
    operations: 5,
  },
  "edition 2023 with features of its own": { path: `${fixtures}/editions`, protoPath: [], operations: 1 },
};

/** What does not arrive although the view does not list it as lost. */
async function faultsOn(stackName: string, contract: Contract): Promise<readonly string[]> {
  const results = await conformanceOf(stackName, contract);
  expect(results.map(({ status }) => status)).toContain("pass");
  return results.filter(({ status }) => status === "fail").map(({ title, detail }) => `${title}: ${detail}`);
}

// Its own schemas are compiled once.
const validator = new Validator();

describe.each(Object.entries(foreign))("%s", (_name, { path, protoPath, operations }) => {
  let contract: Contract;
  beforeAll(async () => {
    await using loaded = await loadContractFrom([path, ...protoPath]);
    ({ contract } = loaded);
  });

  test("has all its operations", () => {
    expect(contract.operations.length).toBe(operations);
  });

  test.each([grpcStack, "rest-express", graphqlStack, soapStack, jsonRpcStack])(
    "arrives whole over %s",
    async (stackName) => {
      expect(await faultsOn(stackName, contract)).toEqual([]);
    },
  );

  test("is described in every style, with a reason for each operation that has no notation", async () => {
    for (const name of [grpcStack, "rest-express", graphqlStack, soapStack, jsonRpcStack]) {
      // oxlint-disable-next-line no-await-in-loop
      const stack = await loadStack(name);
      for (const operation of contract.operations) {
        const { signature, lost } = stack.view(operation, contract);
        expect(signature !== "" || lost.length > 0, `${name} ${operation.id}`).toBe(true);
      }
    }
  });

  test("is a valid OpenAPI document", async () => {
    const [document] = await (await loadStack("rest-express")).documents(contract);
    const { valid, errors } = await validator.validate(parse(document?.text ?? ""));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  test("is a valid OpenRPC document", async () => {
    const [document] = await (await loadStack(jsonRpcStack)).documents(contract);
    const isValid = openRpcValidator();
    expect([isValid(JSON.parse(document?.text ?? "")), isValid.errors]).toEqual([true, null]);
  });

  test("is a valid GraphQL schema", async () => {
    const [document] = await (await loadStack(graphqlStack)).documents(contract);
    expect(validateSchema(buildSchema(document?.text ?? "")).map(String)).toEqual([]);
  });
});

test("the view lists the values that another operation's path hides", async () => {
  await using loaded = await loadContractFrom([`${google}/firestore/v1`]);
  const stack = await loadStack("rest-express");
  const { lost } = stack.view(loaded.contract.operation("google.firestore.v1.Firestore.GetDocument"), loaded.contract);
  expect(lost.slice(0, 1)).toEqual([
    "/v1/{name=projects/*/databases/*/documents/*/**}: values that also match the path of google.firestore.v1.Firestore.ListDocuments, which gets those calls",
  ]);
});

test("fields that JSON would call alike keep the names of the contract there, and the view says so", async () => {
  await using loaded = await loadContractFrom([`${fixtures}/proto2`]);
  const stack = await loadStack("rest-express");
  const swap = loaded.contract.operation("old.legacy.Legacy.Swap");
  expect(stack.view(swap, loaded.contract).lost).toEqual([
    'Legacies.foo_bar: its name in JSON, which another field has too; it is "foo_bar" there',
    'Legacies.fooBar: its name in JSON, which another field has too; it is "fooBar" there',
    'Legacies.foo__bar: its name in JSON, which another field has too; it is "foo__bar" there',
  ]);
});

test("extensions have no place in GraphQL's types, and the view says so", async () => {
  await using loaded = await loadContractFrom([`${fixtures}/proto2`]);
  const stack = await loadStack(graphqlStack);
  const { lost } = stack.view(loaded.contract.operation("old.orders.Orders.Place"), loaded.contract);
  expect(lost.filter((loss) => loss.includes("extension"))).toEqual(
    ["old.orders.tags", "old.orders.Gift.gift"].map(
      (name) => `Order.[${name}]: an extension; a type has the fields that it is declared with`,
    ),
  );
});

test("the view lists what REST does not carry of HTTP rules for gateways", async () => {
  await using loaded = await loadContractFrom([`${fixtures}/http-rules`]);
  const stack = await loadStack("rest-express");
  const view = (name: string) => {
    const { signature, lost } = stack.view(loaded.contract.operation(`gateway.v1.Gateway.${name}`), loaded.contract);
    return [signature, ...lost];
  };
  expect(
    ["Text", "TextAsked", "LastsAsked", "Part", "Repeated", "NestedBody", "Unannotated", "UnannotatedStream"].map(view),
  ).toEqual([
    ["POST /v1/text StringValue"],
    ["GET /v1/text?value="],
    [
      "POST /gateway.v1.Gateway/LastsAsked Duration",
      "GET /v1/lasts: this rule is ignored: Duration has no field names in JSON, so it must be the whole body",
    ],
    [
      expect.stringMatching(/^GET \/v1\/things\/\{name\}\/part/),
      ...["name", "tags", "at"].map((field) => `Thing.${field}: the body of the answer is its part alone`),
      "part: a URL cannot distinguish an empty one from a missing one",
    ],
    [
      "POST /gateway.v1.Gateway/Repeated {name, part, tags, at}",
      "GET /v1/tags/{tags}: this rule is ignored: tags is repeated, but a path variable has one value",
    ],
    [
      "POST /gateway.v1.Gateway/NestedBody {name, part, tags, at}",
      "POST /v1/nested: this rule is ignored: body part.id must be a top-level field of the request",
    ],
    ["PATCH /v1/things/{name}?tags=&at= Part"],
    [
      expect.stringMatching(/^GET \/v1\/things\/\{name\}:watch/),
      "part: a URL cannot distinguish an empty one from a missing one",
    ],
  ]);
});
