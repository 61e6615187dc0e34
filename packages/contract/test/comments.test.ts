// What the contract's author wrote above an element is what readers of generated documents see.
import type { DescMessage, DescService } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { builtInContract, commentAbove } from "../src/index.ts";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";

const contract = builtInContract();

function messageOf(registry: typeof contract.registry, name: string): DescMessage {
  const message = registry.getMessage(name);
  if (message === undefined) throw new Error(`no ${name}`);
  return message;
}

function serviceOf(name: string): DescService {
  const service = contract.registry.getService(name);
  if (service === undefined) throw new Error(`no ${name}`);
  return service;
}

describe("the contract of this project", () => {
  it("describes services, operations, messages and fields", () => {
    expect(commentAbove(serviceOf("roundtrip.v1.HelloService"))).toBe(
      "The smallest useful call: what remains is the cost of the call itself.",
    );
    expect(commentAbove(contract.operation("roundtrip.v1.CustomerService.DeleteCustomer").method)).toBe(
      "Deletes a customer. NOT_FOUND when there is no such customer.",
    );
    const customer = messageOf(contract.registry, "roundtrip.v1.Customer");
    expect(commentAbove(customer)).toMatch(/^A customer. It has six attributes/);
    expect(customer.fields.map((field) => commentAbove(field))).toContain(
      'Who the customer is, for example "Ada Lovelace".',
    );
  });

  it("describes every operation and every field of a request", () => {
    for (const { method, input } of contract.operations) {
      for (const described of [method, ...input.fields]) expect(commentAbove(described)).not.toBe("");
    }
  });

  it("is empty without a comment", () => {
    expect(commentAbove(messageOf(contract.registry, "roundtrip.v1.GetCustomerRequest"))).toBe("");
  });
});

describe("nested elements", () => {
  const { registry } = compileContract(`
    syntax = "proto3";
    package nested;
    service None { rpc Do(First) returns (First); }
    message First {}
    message Outer {
      message Other {}
      // The inner one.
      // In two lines.
      message Inner {
        // The leaf.
        string leaf = 1;
        optional string maybe = 2;
        oneof first { string other = 4; }
        // One of one.
        oneof second { string chosen = 3; }
      }
      // What kind.
      enum Kind {
        KIND_UNSPECIFIED = 0;
        // The one.
        KIND_ONE = 1;
      }
    }
    // At the top.
    //   - indented
    enum Top { TOP_UNSPECIFIED = 0; }
  `);
  const outer = messageOf(registry, "nested.Outer");
  const [other, inner] = outer.nestedMessages;
  const [kind] = outer.nestedEnums;
  const top = registry.getEnum("nested.Top");

  it.each([
    ["a message in a message", inner, "The inner one.\nIn two lines."],
    ["its neighbour", other, ""],
    ["its field", inner?.fields[0], "The leaf."],
    ["its oneof", inner?.oneofs.find(({ name }) => name === "second"), "One of one."],
    ["its other oneof", inner?.oneofs.find(({ name }) => name === "first"), ""],
    ["an enum in a message", kind, "What kind."],
    ["its value", kind?.values[1], "The one."],
    ["an enum of the file", top, "At the top.\n  - indented"],
  ])("stay separate: %s", (_what, described, comment) => {
    expect(described && commentAbove(described)).toBe(comment);
  });
});
