// Names of a contract in a WSDL, as tools of other languages turn them into theirs.
import { expect, it } from "vitest";
import { packageNamespace } from "../src/soap/schema/names.ts";

it("versions of a package have namespaces that differ without what follows a last dot, which tools for Java remove", () => {
  const names = ["shop.v1", "shop.v2", "shop", ""].map(packageNamespace);
  expect(names.slice(0, 2)).toEqual(["urn:protobuf:package:shop:v1", "urn:protobuf:package:shop:v2"]);
  expect(new Set(names.map((name) => name.replace(/\.[^.]*$/, ""))).size).toBe(names.length);
});
