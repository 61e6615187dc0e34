// `types`: whatever a contract calls its methods, messages and enums, what is generated compiles, and clients and handlers reach each method.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run } from "./support/shared-program.ts";
import { node, project, userProject } from "./support/user-project.ts";

const contract = `syntax = "proto3";
package names.v1;
service Names {
  rpc Ping(M) returns (M);
  rpc ping(M) returns (M);
  rpc GetThing(M) returns (M);
  rpc getThing(M) returns (stream M);
  rpc get_thing(M) returns (M);
  rpc Constructor(M) returns (M);
  rpc constructor(M) returns (M);
  rpc Then(M) returns (M);
  rpc then(M) returns (M);
  rpc delete(M) returns (M);
  rpc class(M) returns (M);
  rpc toString(M) returns (M);
  rpc __proto(M) returns (M);
}
service class { rpc Call(class_.function) returns (M); }
message M { string a = 1; string class = 2; string constructor = 3; Enum default = 4; Outer.Inner inner = 5; string to_string = 6; }
message class_ { message function { string name = 1; } }
message Outer { message Inner { enum Enum { NONE = 0; default = 1; } Enum of = 1; } enum Enum { ZERO = 0; } Enum of = 1; }
enum Enum { ENUM_UNSPECIFIED = 0; ENUM_DELETE = 1; }
message delete { string void = 1; oneof new { string await = 2; int32 yield = 3; } }
message A { message B { string x = 1; } B b = 1; enum E { Z = 0; } E e = 2; } message A_B { string y = 1; } enum A_E { Q = 0; }
message ASchema { A a = 1; A_B b = 2; A_E e = 3; }
message Date { string now = 1; } message Promise { Date date = 1; } message Uint8Array { bytes data = 1; }
`;

const client = `import { contractOfServices, typedClient } from "@roundtrip/contract";
import { fakeHandlers, startFake } from "@roundtrip/fakes";
import { Names } from "./gen/index.ts";

const handlers = fakeHandlers(Names, {
  ping: { a: "Ping" }, ping$: { a: "ping" }, getThing: { a: "GetThing" }, getThing$: [{ a: "getThing" }], get_thing: { a: "get_thing" },
  then: { a: "Then" }, then$$: { a: "then" }, delete: { a: "delete" },
});
await using fake = await startFake(contractOfServices(Names), { handlers });
for (const style of ["grpc-js", "graphql-apollo", "memory"]) {
  const names = typedClient(Names, await fake.connect(style));
  const found = [await names.ping({}), await names.ping$({}), await names.getThing({}), await names.get_thing({})];
  for await (const thing of names.getThing$({})) found.push(thing);
  found.push(await names.then$({}), await names.then$$({}), await names.delete({}));
  console.log(found.map(({ a }) => a).join(" "));
}
`;

it("compile, and clients and handlers reach each method", async () => {
  const cwd = userProject();
  writeFileSync(join(cwd, "names.proto"), contract);
  writeFileSync(join(cwd, "client.ts"), client);
  const { status, stderr } = await run(["types", "--contract", "names.proto", "--out", "gen", "--imports", "ts"], {
    cwd,
  });
  expect(status).toBe(0);
  expect(stderr).toContain("names.v1.Names: ping is generated as ping$");
  const compilerOptions = {
    target: "es2024",
    module: "nodenext",
    lib: ["es2024", "esnext"],
    types: ["node"],
    typeRoots: [join(project, "node_modules/@types")],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
  };
  writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["client.ts"] }));
  expect(await node(cwd, join(project, "node_modules/typescript/bin/tsc"), "-p", ".")).toEqual({
    status: 0,
    output: "",
  });
  const answers = "Ping ping GetThing get_thing getThing Then then delete";
  expect((await node(cwd, "client.ts")).output.trim()).toBe([answers, answers, answers].join("\n"));
});
