// The descriptor set that k6 loads: what calls need of a contract, and nothing that k6 would refuse.
import { create, createFileRegistry, fromBinary, toBinary, type FileRegistry } from "@bufbuild/protobuf";
import {
  DescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { calledTypes } from "../../src/plan/called-types.ts";
import { image } from "../support/runner-arms.ts";

function registryOf(bytes: Uint8Array): FileRegistry {
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes));
}

function typesIn(bytes: Uint8Array): readonly string[] {
  return [...registryOf(bytes)].filter(({ kind }) => kind === "message").map(({ typeName }) => typeName);
}

function field(name: string, number: number, typeName: string): object {
  return { name, number, typeName, type: Type.MESSAGE, label: Label.OPTIONAL, jsonName: name };
}

const legacy = create(DescriptorProtoSchema, {
  name: "Legacy",
  extensionRange: [{ start: 4, end: 2 ** 31 - 1 }],
  options: { messageSetWireFormat: true },
});

/** A service whose answer may contain any value if `anyIn` says so; and types that nothing calls. */
function shop(anyIn: boolean): Uint8Array {
  const any = anyIn ? [field("detail", 2, ".google.protobuf.Any")] : [];
  return toBinary(
    FileDescriptorSetSchema,
    create(FileDescriptorSetSchema, {
      file: [
        create(FileDescriptorProtoSchema, {
          name: "google/protobuf/any.proto",
          package: "google.protobuf",
          syntax: "proto3",
          messageType: [{ name: "Any" }],
        }),
        create(FileDescriptorProtoSchema, {
          name: "shop.proto",
          package: "shop",
          dependency: ["google/protobuf/any.proto"],
          messageType: [
            { name: "Thing", field: [field("part", 1, ".shop.Box.Part"), ...any] },
            { name: "Box", field: [field("legacy", 1, ".shop.Legacy")], nestedType: [{ name: "Part" }] },
            { name: "Other" },
            legacy,
          ],
          service: [
            {
              name: "Shop",
              method: [
                { name: "Get", inputType: ".shop.Box.Part", outputType: ".shop.Thing" },
                { name: "Put", inputType: ".shop.Other", outputType: ".shop.Box" },
              ],
            },
          ],
        }),
      ],
    }),
  );
}

const get = new Set(["shop.Shop/Get"]);

describe("the types of calls", () => {
  it("are those that the called methods use, with what they are nested in", () => {
    const bytes = calledTypes(shop(false), get);
    expect(typesIn(bytes)).toEqual(["shop.Thing", "shop.Box", "shop.Box.Part"]);
    const registry = registryOf(bytes);
    expect(registry.getMessage("shop.Box")?.fields).toEqual([]);
    expect(registry.getService("shop.Shop")?.methods.map(({ name }) => name)).toEqual(["Get"]);
    expect([...registry.files].map(({ name }) => name)).toEqual(["shop"]);
  });

  it("are all types where any may occur, without a MessageSet and what uses one", () => {
    expect(typesIn(calledTypes(shop(true), get)).toSorted()).toEqual([
      "google.protobuf.Any",
      "shop.Box",
      "shop.Box.Part",
      "shop.Other",
      "shop.Thing",
    ]);
  });

  it("are fewer than those of a whole contract, which they still describe", () => {
    const bytes = calledTypes(image.bytes, new Set(["roundtrip.v1.HelloService/SayHello"]));
    expect(typesIn(bytes)).toEqual(["roundtrip.v1.SayHelloRequest", "roundtrip.v1.SayHelloResponse"]);
    expect(
      registryOf(bytes)
        .getMessage("roundtrip.v1.SayHelloRequest")
        ?.fields.map(({ name }) => name),
    ).toEqual(image.contract.operation("roundtrip.v1.HelloService.SayHello").input.fields.map(({ name }) => name));
    expect(bytes.length).toBeLessThan(image.bytes.length / 5);
  });
});
