// `roundtrip tasks` on logs of a small shop.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { folderWith } from "./run-program.ts";
import { run } from "./shared-program.ts";

const proto = `syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
service Shop {
  rpc GetThing(GetThingRequest) returns (Thing) { option (google.api.http) = { get: "/v1/things/{id}" }; }
  rpc ListThings(ListThingsRequest) returns (ListThingsResponse) { option (google.api.http) = { get: "/v1/things" }; }
  rpc CreateThing(Thing) returns (Thing) { option (google.api.http) = { post: "/v1/things" body: "*" }; }
  rpc Login(LoginRequest) returns (Thing) { option (google.api.http) = { get: "/v1/login" }; }
  rpc GetPrice(GetPriceRequest) returns (Thing) { option (google.api.http) = { get: "/v1/prices/{number}" }; }
  rpc Reset(ResetRequest) returns (Thing) { option (google.api.http) = { post: "/v1/reset" body: "*" }; }
}
message Thing { string id = 1; string name = 2; }
message GetThingRequest { string id = 1; }
message ListThingsRequest { int32 page_size = 1; string page_token = 2; }
message ListThingsResponse { repeated Thing things = 1; string next_page_token = 2; }
message LoginRequest { string user = 1; string password = 2; }
message GetPriceRequest { int32 number = 1; }
message Account { string name = 1; string api_token = 2; string email = 3 [debug_redact = true]; }
message ResetRequest { string reset_token = 1; Account account = 2; int32 max_token = 3; bool has_password = 4; string next_token = 5; }
`;

/** Has `shop.proto`. */
export const cwd = folderWith({ "shop.proto": proto });

const time = (second: number): string =>
  `12/May/2025:09:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")} +0000`;
/** A line of an access log. */
export const line = (second: number, request: string, status = 200): string =>
  `192.0.2.7 - - [${time(second)}] "${request} HTTP/1.1" ${status} 512 "-" "shop/1"\n`;

/** Writes a log, makes tasks of it, and reads them. */
export async function made(name: string, text: string | Buffer, ...flags: readonly string[]) {
  writeFileSync(join(cwd, name), text);
  const out = `${name}.tasks.yaml`;
  const outcome = await run(["tasks", name, "--contract", "shop.proto", "--out", out, ...flags], { cwd });
  const textOf = (path: string): string => (existsSync(join(cwd, path)) ? readFileSync(join(cwd, path), "utf8") : "");
  const written = textOf(out);
  const file = (written === "" ? {} : parse(written)) as {
    readonly tasks?: readonly {
      readonly calls: number;
      readonly mix: readonly { operation: string; share: number; requests: readonly unknown[] }[];
    }[];
  };
  const momentsMs = textOf(`${name}.tasks.arrivals.txt`)
    .split("\n")
    .filter((one) => /^\d/.test(one))
    .map(Number);
  return { ...outcome, written, mix: file.tasks?.[0]?.mix ?? [], calls: file.tasks?.[0]?.calls, momentsMs };
}

/** An entry of a HAR file. */
export const entry = (ms: number, url: string, text?: string) => ({
  startedDateTime: new Date(1_747_040_400_000 + ms).toISOString(),
  request: {
    method: text === undefined ? "GET" : "POST",
    url,
    headers: [{ name: "Authorization", value: "Bearer x" }],
    ...(text === undefined ? {} : { postData: { mimeType: "application/json", text } }),
  },
  response: { status: 200 },
});
