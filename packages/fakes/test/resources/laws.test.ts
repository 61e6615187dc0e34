// Laws of creating, getting, listing, updating and deleting that hold for any resource and any content.
import { clone, create, equals, fromBinary, toBinary, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { createValidator } from "@bufbuild/protovalidate";
import { builtInContract, ServerCall, type Contract, type Service } from "@roundtrip/contract";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageArbitrary } from "../../../../bench/fuzz/arbitraries/message.ts";
import { ruleValues } from "../../../../bench/fuzz/arbitraries/rule-values.ts";
import { generatedService } from "../../src/generated/generated-service.ts";
import { findResources } from "../../src/resources/find-resources.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { library } from "./library.ts";

const acme = compileContract(library);

/** Calls a method by its name alone. */
function caller(contract: Contract, service: Service): (method: string, request: object) => Promise<Message> {
  return async (method, request) => {
    const operation = contract.operations.find(({ method: { name } }) => name === method);
    if (operation === undefined) throw new Error(`no method ${method}`);
    return service.call(operation, create(operation.input, request as Record<string, unknown>), new ServerCall());
  };
}

interface Subject {
  readonly contract: Contract;
  /** The noun in its methods, and of the fields with one and several resources. */
  readonly name: string;
  readonly one: string;
  readonly many: string;
  readonly key: string;
  readonly parent: object;
}

const subjects: readonly Subject[] = [
  { contract: builtInContract(), name: "Customer", one: "customer", many: "customers", key: "id", parent: {} },
  { contract: acme, name: "Book", one: "book", many: "books", key: "name", parent: { parent: "shelves/shelf-9" } },
];

function messageOf({ contract, name }: Subject): DescMessage {
  const found = findResources(contract).find(({ message }) => message.name === name);
  if (found === undefined) throw new Error(`${name} is no resource`);
  return found.message;
}

/** A message without the fields that callers do not decide. */
function comparable(desc: DescMessage, message: Message): Message {
  const copy = clone(desc, message);
  const reflected = reflect(desc, copy, false);
  for (const name of ["create_time", "update_time", "etag", "uid", "state"]) {
    const field = desc.field[name] ?? desc.fields.find((one) => one.name === name);
    if (field !== undefined) reflected.clear(field);
  }
  return copy;
}

function property(message: Message, name: string): unknown {
  return (message as unknown as Readonly<Record<string, unknown>>)[name];
}

describe.each(subjects)("a $name", (subject) => {
  const { contract, name, one, many, key, parent } = subject;
  const desc = messageOf(subject);
  const validator = createValidator({ registry: contract.registry });
  const values = messageArbitrary(desc, { registry: contract.registry, maxDepth: 2, valuesOf: ruleValues })
    // Without unknown fields and the key.
    .map((message) => {
      const copy = fromBinary(desc, toBinary(desc, comparable(desc, message)));
      reflect(desc, copy, false).clear(desc.fields.find((field) => field.localName === key) ?? desc.fields[0]!);
      return copy;
    });

  it("is returned as created and as updated, and is gone after deletion", async () => {
    await fc.assert(
      fc.asyncProperty(values, values, async (first, second) => {
        const call = caller(contract, generatedService(contract, 1));
        const given = name === "Customer" ? create(desc, { ...first, id: 2_001 }) : first;
        fc.pre(validator.validate(desc, given).kind === "valid");
        const created = await call(`Create${name}`, { ...parent, [one]: given });
        const id = property(created, key);
        const own = { [key]: id };
        expect(equals(desc, comparable(desc, created), comparable(desc, create(desc, { ...first, ...own })))).toBe(
          true,
        );
        expect(await call(`Get${name}`, own)).toEqual(created);
        const { length } = property(
          await call(`List${name}s`, { ...parent, pageSize: 1_000 }),
          many,
        ) as readonly Message[];
        const listed = property(
          await call(`List${name}s`, { ...parent, pageSize: length }),
          many,
        ) as readonly Message[];
        expect(listed).toContainEqual(created);

        const change = create(desc, { ...second, ...own });
        fc.pre(validator.validate(desc, change).kind === "valid");
        const updated = await call(`Update${name}`, { [one]: change, updateMask: { paths: ["*"] } });
        expect(equals(desc, comparable(desc, updated), comparable(desc, change))).toBe(true);
        expect(await call(`Get${name}`, own)).toEqual(updated);
        // Earlier answers did not change.
        expect(equals(desc, comparable(desc, created), comparable(desc, create(desc, { ...first, ...own })))).toBe(
          true,
        );

        await call(`Delete${name}`, own);
        await expect(call(`Get${name}`, own)).rejects.toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
        const left = property(await call(`List${name}s`, { ...parent, pageSize: 1_000 }), many) as readonly Message[];
        expect(left).toHaveLength(length - 1);
      }),
      { numRuns: 60 },
    );
  });

  it("exists initially on several pages, all of which obey the contract's rules", async () => {
    for (const seed of [1, 2]) {
      const call = caller(contract, generatedService(contract, seed));
      // One seed after the other.
      // oxlint-disable-next-line no-await-in-loop
      const found = property(await call(`List${name}s`, { ...parent, pageSize: 1_000 }), many) as readonly Message[];
      expect(found.length).toBeGreaterThan(20);
      for (const message of found) expect(validator.validate(desc, message).kind).toBe("valid");
    }
  });
});

function names(contract: Contract): readonly string[] {
  return findResources(contract).map(({ message }) => message.name);
}

it("is found only where standard methods use it", () => {
  expect(names(builtInContract())).toEqual(["Customer"]);
  expect(names(acme)).toEqual(["Shelf", "Book", "Order", "Line", "Box", "Seat", "Pod"]);
});
