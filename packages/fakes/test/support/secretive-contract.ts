// A contract with hidden fields wherever messages can contain them.
import { create, fromJson, toBinary } from "@bufbuild/protobuf";
import { file_google_protobuf_any, FileDescriptorSetSchema, type FileDescriptorSet } from "@bufbuild/protobuf/wkt";
import { contractFromImage, type Contract } from "@roundtrip/contract";

const hidden = { debugRedact: true };
const secret = { type: "TYPE_MESSAGE", typeName: ".acme.v1.Secret" };
const repeated = { label: "LABEL_REPEATED" };

const written = {
  name: "acme/v1/sign_in.proto",
  package: "acme.v1",
  syntax: "proto3",
  dependency: ["google/protobuf/any.proto"],
  messageType: [
    {
      name: "Secret",
      field: [
        { name: "text", jsonName: "text", number: 1, type: "TYPE_STRING", options: hidden },
        { name: "label", jsonName: "label", number: 2, type: "TYPE_STRING" },
        { name: "next", jsonName: "next", number: 3, ...secret },
      ],
    },
    {
      name: "SignInRequest",
      field: [
        { name: "user", jsonName: "user", number: 1, type: "TYPE_STRING" },
        { name: "password", jsonName: "password", number: 2, type: "TYPE_STRING", options: hidden },
        { name: "pin", jsonName: "pin", number: 3, type: "TYPE_INT32", options: hidden },
        { name: "secret", jsonName: "secret", number: 4, ...secret },
        { name: "secrets", jsonName: "secrets", number: 5, ...secret, ...repeated },
        {
          name: "by_name",
          jsonName: "byName",
          number: 6,
          type: "TYPE_MESSAGE",
          typeName: ".acme.v1.SignInRequest.ByNameEntry",
          ...repeated,
        },
        { name: "any", jsonName: "any", number: 7, type: "TYPE_MESSAGE", typeName: ".google.protobuf.Any" },
        { name: "hidden", jsonName: "hidden", number: 8, ...secret, options: hidden },
      ],
      nestedType: [
        {
          name: "ByNameEntry",
          field: [
            { name: "key", jsonName: "key", number: 1, type: "TYPE_STRING" },
            { name: "value", jsonName: "value", number: 2, ...secret },
          ],
          options: { mapEntry: true },
        },
      ],
    },
    {
      name: "SignInResponse",
      field: [{ name: "token", jsonName: "token", number: 1, type: "TYPE_STRING", options: hidden }],
    },
  ],
  service: [
    {
      name: "Door",
      method: [{ name: "SignIn", inputType: ".acme.v1.SignInRequest", outputType: ".acme.v1.SignInResponse" }],
    },
  ],
};

/** `acme.v1.Door.SignIn` and its request. */
export function secretiveContract(): Contract {
  const { file } = fromJson(FileDescriptorSetSchema, { file: [written] });
  const set: FileDescriptorSet = create(FileDescriptorSetSchema, { file: [file_google_protobuf_any.proto, ...file] });
  return contractFromImage(toBinary(FileDescriptorSetSchema, set));
}
