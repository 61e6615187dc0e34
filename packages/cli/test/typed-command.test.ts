// The command line in records and reports.
import { expect, it } from "vitest";
import { typedCommand } from "../src/output/output-file.ts";

it.each([
  [
    ["--target", "graphql=https://ada:hunter2@h.example:8443/graphql?key=hunter2"],
    "graphql=https://h.example:8443/graphql",
  ],
  [["--target", "rest=http://h?a=hunter2,grpc=http://g:1#hunter2"], "rest=http://h,grpc=http://g:1"],
  [
    ["--serve", 'node server.js --db "postgres://ada:hunter2@db/shop?x=1" --port {port}'],
    '"postgres://db/shop" --port {port}',
  ],
  [["hello", "--rounds", "8"], "hello --rounds 8"],
])("has no credentials and no query: %j", (words, shown) => {
  const command = typedCommand(["node", "roundtrip", "bench", ...words]);
  expect(command).toMatch(/^roundtrip bench /);
  expect(command).toContain(shown);
  expect(command).not.toContain("hunter2");
});
