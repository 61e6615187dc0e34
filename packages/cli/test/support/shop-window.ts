// A contract that Roundtrip has never seen, and tasks of it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyFolder } from "./run-program.ts";

const proto = `syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
service Shop {
  rpc GetThing(GetThingRequest) returns (Thing) { option (google.api.http) = { get: "/v1/things/{id}" }; }
  rpc ListThings(ListThingsRequest) returns (ListThingsResponse) { option (google.api.http) = { get: "/v1/things" }; }
  rpc WatchThings(ListThingsRequest) returns (stream Thing);
}
message Thing { string id = 1; string name = 2; map<string, int64> stock = 3; }
message GetThingRequest { string id = 1; }
message ListThingsRequest { int32 page_size = 1; repeated Thing like = 2; }
message ListThingsResponse { repeated Thing things = 1; }
`;

const tasks = `name: shop-window
tasks:
  - name: show-things
    compare: [things]
    variants:
      facade:
        - { operation: ListThings, request: { page_size: 3 } }
      list-then-each:
        - { operation: ListThings, request: { page_size: 3 }, as: list }
        - for-each: list.things
          as: thing
          at-once: true
          steps:
            - { operation: GetThing, request: { id: "\${thing.id}" }, into: things }
  - name: watch
    variants:
      stream:
        - { operation: WatchThings, request: { page_size: 3 } }
`;

/** A folder with `shop.proto` and `tasks.yaml`. */
export function shopWindowFolder(): string {
  const folder = emptyFolder();
  writeFileSync(join(folder, "shop.proto"), proto);
  writeFileSync(join(folder, "tasks.yaml"), tasks);
  return folder;
}
