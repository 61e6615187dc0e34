// What the contract's author wrote above an element is what readers of generated documents see.
import { create, createFileRegistry, type DescMessage, type DescService } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { builtInContract, commentAbove } from "../src/index.ts";

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

function location(path: number[], leadingComments: string) {
  return { path, leadingComments };
}

describe("nested elements", () => {
  const file = create(FileDescriptorProtoSchema, {
    name: "nested.proto",
    package: "nested",
    syntax: "proto3",
    messageType: [
      { name: "First" },
      {
        name: "Outer",
        nestedType: [
          { name: "Other" },
          {
            name: "Inner",
            field: [
              { name: "leaf", number: 1, type: Type.STRING, label: Label.OPTIONAL },
              {
                name: "maybe",
                number: 2,
                type: Type.STRING,
                label: Label.OPTIONAL,
                proto3Optional: true,
                oneofIndex: 1,
              },
              { name: "chosen", number: 3, type: Type.STRING, label: Label.OPTIONAL, oneofIndex: 2 },
              { name: "other", number: 4, type: Type.STRING, label: Label.OPTIONAL, oneofIndex: 0 },
            ],
            oneofDecl: [{ name: "first" }, { name: "_maybe" }, { name: "second" }],
          },
        ],
        enumType: [
          {
            name: "Kind",
            value: [
              { name: "KIND_UNSPECIFIED", number: 0 },
              { name: "KIND_ONE", number: 1 },
            ],
          },
        ],
      },
    ],
    enumType: [{ name: "Top", value: [{ name: "TOP_UNSPECIFIED", number: 0 }] }],
    sourceCodeInfo: {
      location: [
        location([4, 1, 3, 1], " The inner one.\n In two lines.\n"),
        location([4, 1, 3, 1, 2, 0], " The leaf.\n"),
        location([4, 1, 3, 1, 8, 2], " One of one.\n"),
        location([4, 1, 4, 0], " What kind.\n"),
        location([4, 1, 4, 0, 2, 1], " The one.\n"),
        location([5, 0], " At the top.\n   - indented\n"),
      ],
    },
  });
  const registry = createFileRegistry(file, () => undefined);
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

  it("have no comments in an image without source info", () => {
    const bare = createFileRegistry({ ...file, sourceCodeInfo: undefined } as typeof file, () => undefined);
    expect(commentAbove(messageOf(bare, "nested.Outer.Inner"))).toBe("");
  });
});
