// What changes of fields, their names and their numbers do: written down by hand, before any tool was asked.
import { B, change, M, S, type TypicalChange } from "./typical-change.ts";

export const fieldChanges: readonly TypicalChange[] = [
  change("a comment", [["message Thing {", "// A thing.\nmessage Thing {"]], [S, S, S, S, S, S]),
  change(
    "a field is added to an answer",
    [["float weight = 9;", "float weight = 9;\n  string maker = 10;"]],
    [S, S, S, S, M, S],
  ),
  change(
    "a field is added to a request",
    [["optional string note = 6;", "optional string note = 6;\n  string shelf = 7;"]],
    [S, S, S, S, S, S],
  ),
  change(
    "a field that must be given is added to a request",
    [
      [
        "optional string note = 6;",
        "optional string note = 6;\n  string shelf = 7 [(buf.validate.field).string.min_len = 1];",
      ],
    ],
    [B, B, B, B, B, S],
  ),
  change("a field of an answer is renamed", [["string name = 2;", "string title = 2;"]], [S, B, B, B, B, B], {
    renamed: { "Thing.name": "Thing.title" },
  }),
  change("a field of a body is renamed", [["string maker = 2;", "string author = 2;"]], [S, B, B, B, B, B], {
    renamed: { "CreateThingRequest.maker": "CreateThingRequest.author" },
  }),
  change(
    "a field of a query is renamed",
    [["message FindThingsRequest {\n  string text = 1;", "message FindThingsRequest {\n  string words = 1;"]],
    [S, B, B, B, B, B],
    { renamed: { "FindThingsRequest.text": "FindThingsRequest.words" } },
  ),
  change(
    "a field of a path is renamed",
    [
      ["string id = 1 [", "string thing_id = 1 ["],
      ["/v1/things/{id}", "/v1/things/{thing_id}"],
    ],
    [S, S, B, B, B, B],
    { renamed: { "GetThingRequest.id": "GetThingRequest.thing_id" } },
  ),
  change(
    "a field is renamed, its name in JSON kept",
    [["string name = 2;", 'string title = 2 [json_name = "name"];']],
    [S, S, S, S, B, B],
    {
      renamed: { "Thing.name": "Thing.title" },
    },
  ),
  change(
    "a name in JSON is changed",
    [["string name = 2;", 'string name = 2 [json_name = "title"];']],
    [S, B, B, B, S, S],
  ),
  change("the number of a field is changed", [["string name = 2;", "string name = 20;"]], [B, S, S, S, B, S]),
  change(
    "a field of an answer is removed, its number reserved",
    [["string name = 2;", "reserved 2;"]],
    [M, M, B, M, M, B],
  ),
  change("a field of a body is removed", [["  string maker = 2;\n", ""]], [M, B, B, B, B, B]),
  change("a field of a query is removed", [["  int32 most = 4;\n", ""]], [M, B, B, B, B, B]),
  change("the number of a field is given to another", [["string name = 2;", "int32 age = 2;"]], [B, M, B, M, M, B]),
];
