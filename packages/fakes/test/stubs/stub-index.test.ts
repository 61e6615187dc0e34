// The index finds the first matching stub among any number of stubs, as a search in order would.
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { builtInContract } from "@roundtrip/contract";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { compileStub } from "../../src/stubs/compiled-stub.ts";
import { stubIndex } from "../../src/stubs/stub-index.ts";

const contract = builtInContract();
const { id: operation, input } = contract.operation("roundtrip.v1.CustomerService.SetCustomerName");

const none = new Map<string, string>();
const small = fc.nat(2);
const names = fc.constantFrom("", "a", "b");
const requests = fc.record({ id: small, name: names }, { requiredKeys: [] });
const whens = fc.record({ id: fc.option(small, { freq: 8 }), name: fc.option(names) }, { requiredKeys: [] });

it("finds stubs by value, stubs without a value, and the first in order", () => {
  fc.assert(
    fc.property(fc.array(whens, { maxLength: 30 }), fc.array(requests, { minLength: 5 }), (asked, sent) => {
      const stubs = asked.map((when) => compileStub(contract, { operation, when, answers: [{ kind: "made-up" }] }, []));
      const find = stubIndex(stubs);
      for (const request of sent.map((json) => fromJson(input, json as JsonObject))) {
        expect(find(request, none)).toBe(stubs.find(({ matches }) => matches(request, none)));
      }
    }),
  );
});
