// The descriptor set that k6 loads: what calls need of a contract.
import { create, createFileRegistry, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { calledTypes } from "../../src/plan/contract-image.ts";
import { image } from "../support/runner-arms.ts";

/** The names of its files, which have to be complete. */
function filesIn(bytes: Uint8Array): readonly string[] {
  return [...createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes)).files].map(({ name }) => name);
}

/** A service whose file imports another, and perhaps Any; and a file that nothing calls. */
function shop(anyIn: boolean): Uint8Array {
  const file = [
    { name: "google/protobuf/any.proto", package: "google.protobuf", syntax: "proto3", messageType: [{ name: "Any" }] },
    { name: "other.proto" },
    { name: "thing.proto", package: "shop", messageType: [{ name: "Thing" }] },
    {
      name: "shop.proto",
      package: "shop",
      dependency: ["thing.proto", ...(anyIn ? ["google/protobuf/any.proto"] : [])],
      service: [{ name: "Shop", method: [{ name: "Get", inputType: ".shop.Thing", outputType: ".shop.Thing" }] }],
    },
  ];
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
}

const get = new Set(["shop.Shop/Get"]);

describe("the types of calls", () => {
  it("are the files of the called services and what they import", () => {
    expect(filesIn(calledTypes(shop(false), get))).toEqual(["thing", "shop"]);
  });

  it("are all files where a value of any type may occur", () => {
    expect(filesIn(calledTypes(shop(true), get))).toHaveLength(4);
  });

  it("are fewer than those of a whole contract", () => {
    const bytes = calledTypes(image.bytes, new Set(["roundtrip.v1.HelloService/SayHello"]));
    expect(filesIn(bytes)).toContain("roundtrip/v1/hello");
    expect(filesIn(bytes)).not.toContain("roundtrip/v1/customer");
    expect(bytes.length).toBeLessThan(image.bytes.length);
  });
});
