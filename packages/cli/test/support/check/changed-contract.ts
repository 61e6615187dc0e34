// Places with a contract as it was and as it is: a git repository, or two folders.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitAll } from "../git.ts";
import { emptyFolder } from "../run-program.ts";

export const before = `syntax = "proto3";
package shop.v1;
service Shop {
  rpc Buy(BuyRequest) returns (BuyResponse);
}
message BuyRequest {
  string what = 1;
}
message BuyResponse {
  int64 price = 1;
}
`;
export const after = before.replace("string what = 1", "string thing = 1");

export function write(cwd: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(cwd, path, ".."), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
}

/** A repository whose commit has the contract as it was, and whose work tree has it as it is. */
export function repository(now = after, then = before): string {
  const cwd = emptyFolder();
  write(cwd, { "proto/shop.proto": then });
  gitAll(cwd, "init -q -b main", "add .", "commit -q -m first", "tag v1");
  write(cwd, { "proto/shop.proto": now });
  return cwd;
}

/** A folder with both, as folders. */
export function folders(now = after, then = before): string {
  const cwd = emptyFolder();
  write(cwd, { "old/shop.proto": then, "new/shop.proto": now });
  return cwd;
}
