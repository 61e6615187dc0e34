// A contract with a method of every kind.
import type { Contract } from "@roundtrip/contract";
import { compileContract } from "./compile-contract.ts";

/** `test.Streams` with the methods Unary, ServerStream, ClientStream and BidiStream. */
export function streamingContract(): Contract {
  return compileContract(`
    syntax = "proto3";
    package test;
    import "google/protobuf/empty.proto";
    service Streams {
      rpc Unary(Ping) returns (google.protobuf.Empty);
      rpc ServerStream(Ping) returns (stream google.protobuf.Empty);
      rpc ClientStream(stream Ping) returns (google.protobuf.Empty);
      rpc BidiStream(stream Ping) returns (stream google.protobuf.Empty);
    }
    message Ping {}
  `);
}
