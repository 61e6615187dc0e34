// A user's project: a contract of theirs, and the packages that they depend on.
import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { emptyFolder } from "./run-program.ts";

export const project = fileURLToPath(new URL("../../../../", import.meta.url));

const shelf = `syntax = "proto3";
package shelf.v1;
import "google/protobuf/timestamp.proto";
import "google/api/annotations.proto";
import "shelf/v1/book.proto";
// Where books stand.
service Shelf {
  // Finds a book.
  rpc Find(FindRequest) returns (Book) {
    option (google.api.http) = { get: "/v1/books/{title}" };
    option idempotency_level = NO_SIDE_EFFECTS;
  }
  rpc List(FindRequest) returns (stream Book) {
    option idempotency_level = NO_SIDE_EFFECTS;
  }
}
message FindRequest {
  string title = 1;
  optional int64 edition = 2;
  google.protobuf.Timestamp before = 3;
}
`;
export const book = `syntax = "proto3";
package shelf.v1;
message Book {
  string title = 1;
  Cover cover = 2;
  map<string, int32> pages_by_chapter = 3;
  oneof where {
    string hall = 4;
    int32 box = 5;
  }
}
enum Cover {
  COVER_UNSPECIFIED = 0;
  COVER_HARD = 1;
}
`;

/** The user's project: a contract, and the packages that it depends on. */
export function userProject(): string {
  const cwd = emptyFolder();
  mkdirSync(join(cwd, "proto", "shelf", "v1"), { recursive: true });
  writeFileSync(join(cwd, "proto", "shelf", "v1", "shelf.proto"), shelf);
  writeFileSync(join(cwd, "proto", "shelf", "v1", "book.proto"), book);
  writeFileSync(join(cwd, "package.json"), '{ "type": "module" }');
  symlinkSync(join(project, "packages/cli/node_modules"), join(cwd, "node_modules"));
  return cwd;
}

export interface Ended {
  readonly status: number | string;
  readonly output: string;
}

export async function node(cwd: string, ...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd }, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : (error.code ?? "signal"), output: stdout + stderr });
    });
  });
}

/** A program that calls the fake of the shelf over every style, by its generated types in `gen`. */
export const shelfClient = `import { contractOfServices, typedClient } from "@roundtrip/contract";
import { fakeHandlers, startFake } from "@roundtrip/fakes";
import { Shelf } from "./gen/index.ts";
import { Cover } from "./gen/shelf/v1/book_pb.ts";

const handlers = fakeHandlers(Shelf, {
  find: ({ title, edition }) => ({ title: \`\${title}, \${edition}\`, cover: Cover.HARD, where: { case: "box", value: 7 } }),
  list: [{ title: "one" }, { title: "two", pagesByChapter: { Preface: 3 } }],
});
await using fake = await startFake(contractOfServices(Shelf), { handlers });
const answers: unknown[] = [];
for (const style of ["grpc-js", "rest-express", "graphql-apollo", "memory"]) {
  const shelf = typedClient(Shelf, await fake.connect(style));
  const found = await shelf.find({ title: "Emma", edition: 2n });
  const listed: string[] = [];
  for await (const { title, pagesByChapter } of shelf.list({ title: "" })) listed.push(title, JSON.stringify(pagesByChapter));
  answers.push({ title: found.title, cover: found.cover, box: found.where.case === "box" ? found.where.value : undefined, listed });
}
console.log(JSON.stringify(answers));
`;
