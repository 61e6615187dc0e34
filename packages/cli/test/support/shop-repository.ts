// A repository of somebody else: a shop over REST in Node.js, on main and on a branch that renames the server's entry.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitAll } from "./git.ts";
import { emptyFolder } from "./run-program.ts";

const contract = `syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
service Shop {
  rpc GetItem(GetItemRequest) returns (Item) {
    option (google.api.http) = { get: "/v1/items/{id}" };
    option idempotency_level = NO_SIDE_EFFECTS;
  }
  rpc ListItems(ListItemsRequest) returns (ListItemsResponse) {
    option (google.api.http) = { get: "/v1/items" };
    option idempotency_level = NO_SIDE_EFFECTS;
  }
}
message GetItemRequest { string id = 1; }
message Item { string id = 1; string name = 2; int32 pieces = 3; }
message ListItemsRequest {}
message ListItemsResponse { repeated Item items = 1; }
`;

/** Answers any item; with a second argument, one call in a hundred takes that many milliseconds more. */
const server = `import { createServer } from "node:http";
const [port, slowMs = 0] = process.argv.slice(2).map(Number);
const item = (id) => ({ id, name: "item " + id, pieces: 3 });
let calls = 0;
createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://shop");
  const id = decodeURIComponent(pathname.slice("/v1/items/".length));
  const body = pathname === "/v1/items" ? { items: ["a", "b", "c"].map(item) } : item(id);
  const answer = () => response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  calls += 1;
  if (slowMs > 0 && calls % 100 === 0) setTimeout(answer, slowMs);
  else answer();
}).listen(port, "127.0.0.1");
`;

function configuration(serve: string): string {
  return `export default { contract: "proto", stack: "rest", operations: "GetItem,ListItems", serve: "${serve}" };\n`;
}

/** Branch main serves with server.js; the branch that is checked out, rename, with shop.js, and its configuration says so. */
export function shopRepository(): string {
  const folder = emptyFolder();
  mkdirSync(join(folder, "proto"));
  writeFileSync(join(folder, "proto", "shop.proto"), contract);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(folder, "server.js"), server);
  writeFileSync(join(folder, "roundtrip.config.ts"), configuration("node server.js {port}"));
  gitAll(folder, "init -q -b main", "add -A", "commit -q -m 'as it is'", "checkout -q -b rename");
  renameSync(join(folder, "server.js"), join(folder, "shop.js"));
  writeFileSync(join(folder, "roundtrip.config.ts"), configuration("node shop.js {port}"));
  gitAll(folder, "add -A", "commit -q -m rename");
  return folder;
}
