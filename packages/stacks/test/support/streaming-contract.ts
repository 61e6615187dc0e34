// A contract with a method of every kind, made of descriptors alone.
import { create, toBinary } from "@bufbuild/protobuf";
import {
  EmptySchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  MethodDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import { contractFromImage, type Contract } from "@roundtrip/contract";

function method(name: string, clientStreaming: boolean, serverStreaming: boolean) {
  return create(MethodDescriptorProtoSchema, {
    name,
    inputType: ".test.Ping",
    outputType: ".google.protobuf.Empty",
    clientStreaming,
    serverStreaming,
  });
}

/** `test.Streams` with the methods Unary, ServerStream, ClientStream and BidiStream. */
export function streamingContract(): Contract {
  const file = create(FileDescriptorProtoSchema, {
    name: "test.proto",
    package: "test",
    syntax: "proto3",
    dependency: ["google/protobuf/empty.proto"],
    messageType: [{ name: "Ping" }],
    service: [
      {
        name: "Streams",
        method: [
          method("Unary", false, false),
          method("ServerStream", false, true),
          method("ClientStream", true, false),
          method("BidiStream", true, true),
        ],
      },
    ],
  });
  const set = create(FileDescriptorSetSchema, { file: [EmptySchema.file.proto, file] });
  return contractFromImage(toBinary(FileDescriptorSetSchema, set));
}
