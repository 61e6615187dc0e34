// A contract over REST with one operation that reads, and one that may write.

export const thingShop = `syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
service Shop {
  rpc GetThing(GetThingRequest) returns (Thing) { option (google.api.http) = { get: "/v1/things/{id}" }; }
  rpc Buy(GetThingRequest) returns (Thing) { option (google.api.http) = { post: "/v1/things/{id}:buy" body: "*" }; }
}
message Thing { string id = 1; string name = 2; }
message GetThingRequest { string id = 1; }
`;
