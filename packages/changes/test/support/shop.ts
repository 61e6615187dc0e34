// The contract that typical changes are made to.

/** A contract with a place of every kind: path, query, body and answer; enums in both directions, and in one only. */
export const shop = `syntax = "proto3";

package shop.v1;

import "buf/validate/validate.proto";
import "google/api/annotations.proto";

service ShopService {
  rpc GetThing(GetThingRequest) returns (Thing) {
    option idempotency_level = NO_SIDE_EFFECTS;
    option (google.api.http) = { get: "/v1/things/{id}" };
  }
  rpc FindThings(FindThingsRequest) returns (FindThingsResponse) {
    option idempotency_level = NO_SIDE_EFFECTS;
    option (google.api.http) = { get: "/v1/things" };
  }
  rpc CreateThing(CreateThingRequest) returns (Thing) {
    option (google.api.http) = { post: "/v1/things" body: "*" };
  }
  rpc Count(CountRequest) returns (CountResponse);
}

message Thing {
  string id = 1;
  string name = 2;
  int32 stock = 3;
  Color color = 4;
  Mood mood = 5;
  repeated string tags = 6;
  optional string note = 7;
  map<string, string> labels = 8;
  float weight = 9;
}

message GetThingRequest {
  string id = 1 [(buf.validate.field).string.min_len = 1];
}

message FindThingsRequest {
  string text = 1;
  Color color = 2;
  Order order = 3;
  int32 most = 4;
}

message FindThingsResponse {
  repeated Thing found = 1;
}

message CreateThingRequest {
  string name = 1 [(buf.validate.field).string.max_len = 100];
  string maker = 2;
  int32 stock = 3;
  Color color = 4;
  repeated string tags = 5;
  optional string note = 6;
}

message CountRequest {
  string text = 1;
}

message CountResponse {
  int32 count = 1;
}

enum Color {
  COLOR_UNSPECIFIED = 0;
  COLOR_RED = 1;
  COLOR_BLUE = 2;
}

enum Mood {
  MOOD_UNSPECIFIED = 0;
  MOOD_GOOD = 1;
  MOOD_BAD = 2;
}

enum Order {
  ORDER_UNSPECIFIED = 0;
  ORDER_RISING = 1;
  ORDER_FALLING = 2;
}
`;
