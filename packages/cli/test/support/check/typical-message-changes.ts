// What changes of messages and their rules do: written down by hand, before any tool was asked.
import { shop } from "./shop.ts";
import { B, change, M, S, type TypicalChange } from "./typical-change.ts";

const thingText = /message Thing \{[^}]*\}\n/.exec(shop)?.[0] ?? "";
const colorAndMood = /enum Color \{[^}]*\}\n\nenum Mood \{[^}]*\}\n/.exec(shop)?.[0] ?? "";

export const messageChanges: readonly TypicalChange[] = [
  change(
    "the type of an answer is renamed",
    [
      ["message CountResponse", "message CountAnswer"],
      ["returns (CountResponse)", "returns (CountAnswer)"],
    ],
    [S, S, M, S, S, B],
    { renamed: { CountResponse: "CountAnswer" } },
  ),
  change(
    "the type of a request is renamed, where GraphQL has an input of it",
    [
      ["message CreateThingRequest", "message MakeThingRequest"],
      ["(CreateThingRequest)", "(MakeThingRequest)"],
    ],
    [S, S, B, S, S, B],
    { renamed: { CreateThingRequest: "MakeThingRequest" } },
  ),
  change(
    "the type of a request is renamed, where GraphQL has arguments of it",
    [
      ["message FindThingsRequest", "message FindRequest"],
      ["(FindThingsRequest)", "(FindRequest)"],
    ],
    [S, S, S, S, S, B],
    { renamed: { FindThingsRequest: "FindRequest" } },
  ),
  change(
    "a message moves to another file",
    [
      [thingText, ""],
      [colorAndMood, ""],
      ['import "google/api/annotations.proto";', 'import "google/api/annotations.proto";\nimport "thing.proto";'],
    ],
    [S, S, S, S, S, B],
    { file: `syntax = "proto3";\n\npackage shop.v1;\n\n${thingText}\n${colorAndMood}` },
  ),
  change("a limit gets tighter", [["max_len = 100", "max_len = 3"]], [M, M, M, M, M, S]),
  change("a limit gets wider", [["max_len = 100", "max_len = 1000"]], [S, S, S, S, S, S]),
  change("a rule goes", [[" [(buf.validate.field).string.max_len = 100]", ""]], [S, S, S, S, S, S]),
  change(
    "a field of a request must be given now",
    [["string maker = 2;", "string maker = 2 [(buf.validate.field).string.min_len = 1];"]],
    [B, B, B, B, B, S],
  ),
];
