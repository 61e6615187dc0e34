// A contract with resources in common forms, and calls to a fake of it by method names and in JSON.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { expect } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { type Call, callsTo } from "../support/calls-to.ts";

/** A session of its own. */
export function session(seed = 1): Call {
  return callsTo(contract, seed);
}

/** Matches a CallError with this code and these details. */
export function failing(code: string, details: object = {}): object {
  return expect.objectContaining({ code, details: expect.objectContaining(details) as object }) as object;
}

/** A list of messages in an answer; empty if the field is missing. */
export function list(value: JsonValue | undefined): readonly JsonObject[] {
  return (value ?? []) as unknown as readonly JsonObject[];
}

export const contract = compileContract(`
syntax = "proto3";
package acme.library.v1;

import "buf/validate/validate.proto";
import "google/api/annotations.proto";
import "google/api/field_behavior.proto";
import "google/api/resource.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/timestamp.proto";

// Names, parents, output-only fields and etags, as in the AIPs.
service LibraryService {
  rpc GetShelf(GetShelfRequest) returns (Shelf) { option (google.api.http) = {get: "/v1/{name=shelves/*}"}; }
  rpc ListShelves(ListShelvesRequest) returns (ListShelvesResponse) { option (google.api.http) = {get: "/v1/shelves"}; }
  rpc CreateShelf(CreateShelfRequest) returns (Shelf) { option (google.api.http) = {post: "/v1/shelves" body: "shelf"}; }
  rpc DeleteShelf(DeleteShelfRequest) returns (google.protobuf.Empty) { option (google.api.http) = {delete: "/v1/{name=shelves/*}"}; }
  rpc GetBook(GetBookRequest) returns (Book) { option (google.api.http) = {get: "/v1/{name=shelves/*/books/*}"}; }
  rpc ListBooks(ListBooksRequest) returns (ListBooksResponse) { option (google.api.http) = {get: "/v1/{parent=shelves/*}/books"}; }
  rpc CreateBook(CreateBookRequest) returns (Book) { option (google.api.http) = {post: "/v1/{parent=shelves/*}/books" body: "book"}; }
  rpc UpdateBook(UpdateBookRequest) returns (Book) { option (google.api.http) = {patch: "/v1/{book.name=shelves/*/books/*}" body: "book"}; }
  rpc DeleteBook(DeleteBookRequest) returns (google.protobuf.Empty) { option (google.api.http) = {delete: "/v1/{name=shelves/*/books/*}"}; }
  rpc ArchiveBook(ArchiveBookRequest) returns (Book) { option (google.api.http) = {post: "/v1/{name=shelves/*/books/*}:archive" body: "*"}; }
  rpc BatchGetBooks(BatchGetBooksRequest) returns (BatchGetBooksResponse) { option (google.api.http) = {get: "/v1/{parent=shelves/*}/books:batchGet"}; }
  rpc StreamBooks(ListBooksRequest) returns (stream Book);
}

message Shelf {
  option (google.api.resource) = {type: "library.acme.dev/Shelf" pattern: "shelves/{shelf}"};
  string name = 1 [(google.api.field_behavior) = IDENTIFIER];
  string theme = 2;
}
message GetShelfRequest { string name = 1; }
message ListShelvesRequest { int32 page_size = 1; string page_token = 2; string filter = 3; string order_by = 4; }
message ListShelvesResponse { repeated Shelf shelves = 1; string next_page_token = 2; int32 total_size = 3; }
message CreateShelfRequest { Shelf shelf = 1; string shelf_id = 2; }
message DeleteShelfRequest { string name = 1; bool force = 2; }

message Book {
  option (google.api.resource) = {type: "library.acme.dev/Book" pattern: "shelves/{shelf}/books/{book}"};
  enum State { STATE_UNSPECIFIED = 0; ACTIVE = 1; ARCHIVED = 2; }
  string name = 1 [(google.api.field_behavior) = IDENTIFIER];
  string title = 2;
  int32 page_count = 3;
  Author author = 4;
  repeated string tags = 5;
  map<string, string> labels = 6;
  google.protobuf.Timestamp create_time = 7 [(google.api.field_behavior) = OUTPUT_ONLY];
  google.protobuf.Timestamp update_time = 8 [(google.api.field_behavior) = OUTPUT_ONLY];
  string etag = 9;
  string uid = 10 [(google.api.field_behavior) = OUTPUT_ONLY];
  State state = 11 [(google.api.field_behavior) = OUTPUT_ONLY];
  optional string subtitle = 12;
  oneof price { int32 price_cents = 13; string price_note = 14; }
}
message Author { string given_name = 1; string family_name = 2; }
message GetBookRequest { string name = 1; google.protobuf.FieldMask read_mask = 2; }
message ListBooksRequest { string parent = 1; int32 page_size = 2; string page_token = 3; google.protobuf.FieldMask read_mask = 4; }
message ListBooksResponse { repeated Book books = 1; string next_page_token = 2; }
message CreateBookRequest { string parent = 1; Book book = 2; string book_id = 3; bool validate_only = 4; string request_id = 5; }
message UpdateBookRequest { Book book = 1; google.protobuf.FieldMask update_mask = 2; bool allow_missing = 3; }
message DeleteBookRequest { string name = 1; string etag = 2; bool allow_missing = 3; }
message ArchiveBookRequest { string name = 1; }
message BatchGetBooksRequest { string parent = 1; repeated string names = 2; }
message BatchGetBooksResponse { repeated Book books = 1; }

// Response wrappers, flat requests, keys of several parts and no HTTP bindings, as in many contracts.
service OrderService {
  rpc GetOrder(GetOrderRequest) returns (GetOrderResponse);
  rpc ListOrders(ListOrdersRequest) returns (ListOrdersResponse);
  rpc CreateOrder(CreateOrderRequest) returns (CreateOrderResponse);
  rpc UpdateOrder(UpdateOrderRequest) returns (UpdateOrderResponse);
  rpc DeleteOrder(DeleteOrderRequest) returns (DeleteOrderResponse);
  rpc GetLine(GetLineRequest) returns (Line) { option (google.api.http) = {get: "/v1/orders/{order_id}/lines/{line_id}"}; }
  rpc ListLines(ListLinesRequest) returns (ListLinesResponse) { option (google.api.http) = {get: "/v1/orders/{order_id}/lines"}; }
  rpc AddLine(AddLineRequest) returns (Line) { option (google.api.http) = {post: "/v1/orders/{order_id}/lines" body: "*"}; }
  rpc RemoveLine(RemoveLineRequest) returns (google.protobuf.Empty) { option (google.api.http) = {delete: "/v1/orders/{order_id}/lines/{line_id}"}; }
  rpc GetForecast(GetForecastRequest) returns (Forecast);
}

message Order {
  string order_id = 1 [(buf.validate.field).string.uuid = true];
  string customer_name = 2;
  int64 total_cents = 3;
  string status = 4;
  int64 version = 5;
  google.protobuf.Timestamp created_at = 6;
}
message GetOrderRequest { string order_id = 1; google.protobuf.FieldMask read_mask = 2; }
message GetOrderResponse { Order order = 1; }
message ListOrdersRequest { int32 limit = 1; string cursor = 2; string status = 3; string query = 4; }
message ListOrdersResponse { repeated Order orders = 1; string next_cursor = 2; int64 total_count = 3; bool has_more = 4; }
message CreateOrderRequest { string customer_name = 1; int64 total_cents = 2; string status = 3; }
message CreateOrderResponse { string order_id = 1; bool success = 2; }
message UpdateOrderRequest { string order_id = 1; optional string customer_name = 2; optional string status = 3; int64 version = 4; }
message UpdateOrderResponse { Order order = 1; string note = 2; }
message DeleteOrderRequest { string order_id = 1; }
message DeleteOrderResponse {}

// A parent field called name, and a key both beside the resource and in it.
service ArchiveService {
  rpc GetBox(GetBoxRequest) returns (Box) { option (google.api.http) = {get: "/v1/{name=halls/*/boxes/*}"}; }
  rpc ListBoxes(ListBoxesRequest) returns (ListBoxesResponse) { option (google.api.http) = {get: "/v1/{name=halls/*}/boxes"}; }
  rpc CreateBox(CreateBoxRequest) returns (Box) { option (google.api.http) = {post: "/v1/{name=halls/*}/boxes" body: "box"}; }
  rpc UpdateBox(UpdateBoxRequest) returns (Box) { option (google.api.http) = {put: "/v1/{box.name=halls/*/boxes/*}" body: "box"}; }
  rpc Seal(GetBoxRequest) returns (Box);
}
message Box { enum State { OPEN = 0; SEALED = 1; } string name = 1; string content = 2; string colour = 3; State state = 4; }
message GetBoxRequest { string name = 1; }
message ListBoxesRequest { string name = 1; int32 page_size = 2; string page_token = 3; }
message ListBoxesResponse { repeated Box boxes = 1; string next_page_token = 2; }
message CreateBoxRequest { string name = 1; Box box = 2; }
message UpdateBoxRequest { string name = 1; Box box = 2; }

message Line { int64 line_id = 1; string product = 2; int32 quantity = 3; }
message GetLineRequest { string order_id = 1; int64 line_id = 2; }
message ListLinesRequest { string order_id = 1; int32 page_size = 2; string page_token = 3; }
message ListLinesResponse { repeated Line lines = 1; string next_page_token = 2; }
message AddLineRequest { string order_id = 1; string product = 2; int32 quantity = 3; }
message RemoveLineRequest { string order_id = 1; int64 line_id = 2; }

// A key of two parts, the first of which is not a resource.
service Hall {
  rpc GetSeat(GetSeatRequest) returns (Seat) { option (google.api.http) = {get: "/v1/seats/{row}/{number}"}; }
  rpc ListSeats(ListSeatsRequest) returns (ListSeatsResponse) { option (google.api.http) = {get: "/v1/seats"}; }
}
message Seat { string row = 1; int32 number = 2; bool is_taken = 3; }
message GetSeatRequest { string row = 1; int32 number = 2; }
message ListSeatsRequest { int32 limit = 1; int32 offset = 2; }
message ListSeatsResponse { repeated Seat seats = 1; }

message GetForecastRequest { string city = 1; google.protobuf.FieldMask read_mask = 2; }
message Forecast { string city = 1; string summary = 2; string shelf = 3; }
`);
