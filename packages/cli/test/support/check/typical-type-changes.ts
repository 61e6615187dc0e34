// What changes of the types of fields, of how many values they have and of whether they are there do: written down by hand, before any tool was asked.
import { B, change, M, S, type TypicalChange } from "./typical-change.ts";

export const typeChanges: readonly TypicalChange[] = [
  change(
    "int32 becomes int64 in an answer",
    [
      [
        "message Thing {\n  string id = 1;\n  string name = 2;\n  int32 stock",
        "message Thing {\n  string id = 1;\n  string name = 2;\n  int64 stock",
      ],
    ],
    [M, B, B, B, M, B],
  ),
  change(
    "int32 becomes int64 in a body",
    [["string maker = 2;\n  int32 stock", "string maker = 2;\n  int64 stock"]],
    [S, S, M, S, S, B],
  ),
  change("int32 becomes int64 in a query", [["int32 most = 4;", "int64 most = 4;"]], [S, S, B, S, S, B]),
  change(
    "int32 becomes uint32 in a body",
    [["string maker = 2;\n  int32 stock", "string maker = 2;\n  uint32 stock"]],
    [M, M, M, M, M, B],
  ),
  change("int32 becomes sint32", [["int32 count = 1;", "sint32 count = 1;"]], [B, S, S, S, S, B]),
  change("int32 becomes a string in an answer", [["int32 count = 1;", "string count = 1;"]], [B, B, B, B, M, B]),
  change("float becomes double in an answer", [["float weight = 9;", "double weight = 9;"]], [B, M, M, M, M, B]),
  change("a string becomes bytes in an answer", [["string name = 2;", "bytes name = 2;"]], [M, B, B, B, B, B]),
  change("an enum becomes a string in an answer", [["Mood mood = 5;", "string mood = 5;"]], [B, M, M, M, M, B]),
  change("a string becomes an enum in a body", [["string maker = 2;", "Mood maker = 2;"]], [B, M, B, M, M, B]),
  change(
    "one value becomes a list in an answer",
    [["string name = 2;", "repeated string name = 2;"]],
    [B, B, B, B, M, B],
  ),
  change(
    "one value becomes a list in a body",
    [["string maker = 2;", "repeated string maker = 2;"]],
    [S, B, M, B, S, B],
  ),
  change("one value becomes a list in a query", [["int32 most = 4;", "repeated int32 most = 4;"]], [S, S, B, B, S, B]),
  change("a list becomes one value in a body", [["repeated string tags = 5;", "string tags = 5;"]], [B, B, B, B, M, B]),
  change(
    "the values of a map get another type",
    [["map<string, string> labels", "map<string, int32> labels"]],
    [B, B, B, B, S, B],
  ),
  change(
    "a field of an answer becomes optional",
    [["string name = 2;", "optional string name = 2;"]],
    [S, S, B, S, S, B],
  ),
  change(
    "a field of an answer is optional no longer",
    [["optional string note = 7;", "string note = 7;"]],
    [M, M, M, M, M, B],
  ),
  change(
    "a field of a body becomes optional",
    [["string maker = 2;", "optional string maker = 2;"]],
    [S, S, S, S, S, B],
  ),
  change(
    "a field moves into a new oneof, alone",
    [["string maker = 2;", "oneof by { string maker = 2; }"]],
    [S, S, B, S, S, B],
  ),
  change(
    "two fields of a request move into one oneof",
    [["string maker = 2;\n  int32 stock = 3;", "oneof by {\n    string maker = 2;\n    int32 stock = 3;\n  }"]],
    [M, M, B, M, M, B],
  ),
];
