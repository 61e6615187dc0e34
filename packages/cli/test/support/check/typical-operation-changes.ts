// What changes of enums and operations do: written down by hand, before any tool was asked.
import { B, change, M, S, type TypicalChange } from "./typical-change.ts";

export const operationChanges: readonly TypicalChange[] = [
  change(
    "an enum that is received gets a value",
    [["MOOD_BAD = 2;", "MOOD_BAD = 2;\n  MOOD_SO_SO = 3;"]],
    [M, M, M, M, M, S],
  ),
  change(
    "an enum that is only sent gets a value",
    [["ORDER_FALLING = 2;", "ORDER_FALLING = 2;\n  ORDER_ANY = 3;"]],
    [S, S, S, S, S, S],
  ),
  change("an enum that is sent loses a value", [["  ORDER_FALLING = 2;\n", ""]], [M, B, B, B, B, B]),
  change("an enum that is only received loses a value", [["  MOOD_BAD = 2;\n", ""]], [S, S, S, S, S, B]),
  change("a value of an enum is renamed", [["COLOR_RED", "COLOR_CRIMSON"]], [S, B, B, B, B, B], {
    renamed: { "Color.COLOR_RED": "Color.COLOR_CRIMSON" },
  }),
  change("a value of an enum gets another number", [["COLOR_RED = 1", "COLOR_RED = 11"]], [B, S, S, S, S, S]),
  change(
    "an operation is added",
    [["  rpc Count(", "  rpc Recount(CountRequest) returns (CountResponse);\n  rpc Count("]],
    [S, S, S, S, S, S],
  ),
  change("an operation is removed", [["  rpc Count(CountRequest) returns (CountResponse);\n", ""]], [B, B, B, B, B, B]),
  change("an operation is renamed, its path kept", [["rpc CreateThing", "rpc MakeThing"]], [B, S, B, B, B, B], {
    renamed: { "ShopService.CreateThing": "ShopService.MakeThing" },
  }),
  change(
    "a service is renamed, its paths kept",
    [
      ["service ShopService", "service StoreService"],
      [
        "  rpc Count(CountRequest) returns (CountResponse);\n",
        '  rpc Count(CountRequest) returns (CountResponse) {\n    option (google.api.http) = { post: "/shop.v1.ShopService/Count" body: "*" };\n  }\n',
      ],
    ],
    [B, S, S, B, B, B],
    {
      renamed: Object.fromEntries(
        ["GetThing", "FindThings", "CreateThing", "Count"].map((name) => [
          `ShopService.${name}`,
          `StoreService.${name}`,
        ]),
      ),
    },
  ),
  change(
    "a package is renamed, without HTTP paths of its own for one operation",
    [["package shop.v1;", "package shop.v2;"]],
    [B, B, S, B, B, B],
  ),
  change("a path is changed", [["/v1/things/{id}", "/v1/things/by-id/{id}"]], [S, B, S, S, S, S]),
  change(
    "a path is added",
    [['{ get: "/v1/things/{id}" }', '{ get: "/v1/things/{id}" additional_bindings { get: "/v1/goods/{id}" } }']],
    [S, S, S, S, S, S],
  ),
  change(
    "an operation without HTTP path gets one",
    [
      [
        "  rpc Count(CountRequest) returns (CountResponse);\n",
        '  rpc Count(CountRequest) returns (CountResponse) {\n    option (google.api.http) = { post: "/v1/count" body: "*" };\n  }\n',
      ],
    ],
    [S, B, S, S, S, S],
  ),
  change(
    "a GET becomes a POST",
    [['{ get: "/v1/things" }', '{ post: "/v1/things:find" body: "*" }']],
    [S, B, S, S, S, S],
  ),
  change(
    "a body becomes a query",
    [['{ post: "/v1/things" body: "*" }', '{ post: "/v1/things" }']],
    [S, B, S, S, S, S],
  ),
  change(
    "an operation says that it has no side effects",
    [
      [
        "  rpc Count(CountRequest) returns (CountResponse);\n",
        "  rpc Count(CountRequest) returns (CountResponse) {\n    option idempotency_level = NO_SIDE_EFFECTS;\n  }\n",
      ],
    ],
    [S, S, B, S, S, S],
  ),
  change(
    "an operation that is a GET says no longer that it has no side effects",
    [
      [
        '    option idempotency_level = NO_SIDE_EFFECTS;\n    option (google.api.http) = { get: "/v1/things" };',
        '    option (google.api.http) = { get: "/v1/things" };',
      ],
    ],
    [S, S, S, S, S, S],
  ),
  change(
    "one answer becomes a stream of them",
    [["(CountRequest) returns (CountResponse)", "(CountRequest) returns (stream CountResponse)"]],
    [B, B, B, B, B, B],
  ),
];
