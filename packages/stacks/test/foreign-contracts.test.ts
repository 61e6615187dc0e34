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
import { faultsOn } from "./support/conformance-of.ts";
import { openRpcValidator } from "./support/open-rpc-validator.ts";
import { graphqlStack, grpcStack, jsonRpcStack, soapStack } from "./support/pair.ts";

const google = join(dirname(findPackageJSON("google-proto-files", import.meta.url) ?? "."), "google");
const fixtures = fileURLToPath(new URL("../../contract/test/fixtures", import.meta.url));

/** Where each contract is, and the number of its operations. */
const foreign: readonly (readonly [what: string, path: string, operations: number])[] = [
  ["Google's library, resources over shelves and books", `${google}/example/library/v1/library.proto`, 11],
  ["Pub/Sub, with a stream both ways", `${google}/pubsub/v1`, 35],
  ["long-running operations, whose answers are Any", `${google}/longrunning`, 5],
  ["Kubernetes Engine, more than 300 messages", `${google}/container/v1`, 36],
  ["Firestore, whose values and filters hold themselves", `${google}/firestore/v1`, 17],
  ["names that others keep for themselves", `${fixtures}/awkward-names`, 14],
  ["HTTP rules as gateways take them, and some in a service configuration", `${fixtures}/http-rules`, 16],
  ["proto2: required, defaults, groups, extensions, names that differ in case", `${fixtures}/proto2`, 4],
  ["Kubernetes, whose messages of proto2 go over HTTP", `${fixtures}/kubernetes`, 8],
  ["CloudEvents, with values of any kind and streams of them", `${fixtures}/events`, 5],
  ["edition 2023 with features of its own", `${fixtures}/editions`, 1],
];

// Its own schemas are compiled once.
const validator = new Validator();

describe.each(foreign)("%s", (_what, path, operations) => {
  let contract: Contract;
  beforeAll(async () => {
    await using loaded = await loadContractFrom(path.endsWith("awkward-names") ? [path, fixtures] : [path]);
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
