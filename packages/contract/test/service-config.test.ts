// HTTP rules in a file of their own, descriptor sets in JSON, and which services of a set are the contract's.
import { createFileRegistry, toBinary, toJson, type JsonObject } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema, type FileDescriptorSet } from "@bufbuild/protobuf/wkt";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { describe, expect, it } from "vitest";
import {
  descriptorSetFrom,
  isServiceConfig,
  serviceConfigFrom,
  withHttpRules,
  withOwnServices,
} from "../src/descriptors/foreign.ts";
import { builtInImage, contractFromImage } from "../src/index.ts";

const hello = "roundtrip.v1.HelloService.SayHello";

const set = (): FileDescriptorSet => descriptorSetFrom(builtInImage()).set;

function bindingsWith(config: JsonObject, isMeant = true): readonly string[] {
  const image = toBinary(FileDescriptorSetSchema, withHttpRules(set(), serviceConfigFrom(config), isMeant));
  return contractFromImage(image)
    .operation(hello)
    .bindings.map(({ method, path, body }) => `${method} ${path.source} ${body}`);
}

const oneRule = (selector: string): JsonObject => ({ http: { rules: [{ selector, get: "/v1/hello" }] } });

describe("a service configuration", () => {
  it("replaces a method's own bindings, including additional ones", () => {
    const rule = { selector: hello, post: "/v2/hello", body: "*", additional_bindings: [{ get: "/v2/hello/{name}" }] };
    expect(bindingsWith({ type: "google.api.Service", http: { rules: [rule] } })).toEqual([
      "POST /v2/hello *",
      "GET /v2/hello/{name} ",
    ]);
  });

  it("may have several rules for a method, of which the last one wins", () => {
    const rules = [
      { selector: hello, get: "/v2/a/{name}" },
      { selector: hello, get: "/v2/b/{name}" },
    ];
    expect(bindingsWith({ http: { rules } })).toEqual(["GET /v2/b/{name} "]);
  });

  it("may have rules for mixins, which the contract does not declare", () => {
    const rules = [{ selector: "google.longrunning.Operations.GetOperation", get: "/v1/{name=operations/*}" }];
    const config = { apis: [{ name: "google.longrunning.Operations" }], http: { rules } };
    expect(bindingsWith(config)).toHaveLength(1);
    expect(() => bindingsWith({ http: { rules } })).toThrow(
      'a rule selects "google.longrunning.Operations.GetOperation", which is not a method of the contract',
    );
  });

  it("that was merely found may have rules for other services, and for no other methods of these", () => {
    expect(bindingsWith(oneRule("other.v1.Other.Say"), false)).toHaveLength(1);
    expect(() => bindingsWith(oneRule("roundtrip.v1.HelloService.Say"), false)).toThrow("which is not a method");
  });

  it("suggests the method for a misspelled selector", () => {
    const rules = [{ selector: "roundtrip.v1.HelloService.SayHelo", get: "/v1/hello" }];
    expect(() => bindingsWith({ http: { rules } })).toThrow(`did you mean "${hello}"?`);
  });

  it.each<[string, JsonObject, string]>([
    ["an invalid rule", { http: { rules: [{ selector: hello, gett: "/x" }] } }, "http.rules[0]: "],
    ["rules that are no list", { http: { rules: { selector: hello } } }, "http.rules must be a list"],
    ["an invalid section", { http: 1 }, "http.rules must be a list"],
    ["APIs that are no list", { apis: "library" }, "apis must be a list"],
  ])("%s is refused with the reason", (_what, config, why) => {
    expect(() => serviceConfigFrom(config)).toThrow(why);
  });

  it("is known by its type", () => {
    expect(isServiceConfig({ type: "google.api.Service" })).toBe(true);
    for (const other of [{ type: "object" }, {}, [], null, "google.api.Service"])
      expect(isServiceConfig(other)).toBe(false);
  });
});

describe("a descriptor set in JSON", () => {
  it("is the contract that it is as bytes, options included", () => {
    const binary = set();
    const registry = createFileRegistry(binary);
    const text = JSON.stringify(toJson(FileDescriptorSetSchema, binary, { registry }), undefined, 2);
    const read = contractFromImage(
      toBinary(FileDescriptorSetSchema, descriptorSetFrom(new TextEncoder().encode(text)).set),
    );
    const shown = ({ operations }: typeof read) =>
      operations.map(({ id, bindings, sideEffects }) => [id, bindings, sideEffects]);
    expect(shown(read)).toEqual(shown(contractFromImage(builtInImage())));
  });

  it("refuses an invalid one", () => {
    expect(() => descriptorSetFrom(new TextEncoder().encode('{"file": 1}'))).toThrow(
      "google.protobuf.FileDescriptorSet",
    );
    expect(() => descriptorSetFrom(new TextEncoder().encode("{"))).toThrow("JSON");
  });
});

const services = (of: FileDescriptorSet): readonly string[] =>
  of.file.flatMap(({ service }) => service.map(({ name }) => name));

describe("services of imported files", () => {
  it("do not belong to the contract, unless they are named", () => {
    const own = new Set(["roundtrip/v1/hello.proto"]);
    expect(services(withOwnServices(set(), own, []))).toEqual(["HelloService"]);
    expect(services(withOwnServices(set(), own, ["roundtrip.v1.MatrixService"]))).toEqual([
      "HelloService",
      "MatrixService",
    ]);
  });

  it("are known by what buf writes down of a file", () => {
    const marked = set();
    const mark = new BinaryWriter().tag(1, WireType.Varint).bool(true).finish();
    for (const file of marked.file) {
      if (file.name.endsWith("hello.proto")) continue;
      file.$unknown = [{ no: 8042, wireType: WireType.LengthDelimited, data: new BinaryWriter().bytes(mark).finish() }];
    }
    expect(services(withOwnServices(marked, undefined, []))).toEqual(["HelloService"]);
    expect(services(withOwnServices(set(), undefined, []))).toEqual(services(set()));
  });
});
