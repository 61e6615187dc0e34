// Health checking and server reflection that a contract declares itself get their real answers.
import { create, fromBinary, type Message } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { contractOfServices, ServerCall, type CallError } from "@roundtrip/contract";
import { Health } from "@roundtrip/contract/gen/grpc/health/v1/health_pb";
import { ServerReflection } from "@roundtrip/contract/gen/grpc/reflection/v1/reflection_pb";
import { HelloService } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { expect, it } from "vitest";
import { generatedService } from "../src/generated/generated-service.ts";

const contract = contractOfServices(HelloService, Health, ServerReflection);
const service = generatedService(contract, 1);

it("serves, for every service that the contract has", async () => {
  const check = contract.operation("grpc.health.v1.Health.Check");
  for (const name of ["", "roundtrip.v1.HelloService", "grpc.health.v1.Health"]) {
    // oxlint-disable-next-line no-await-in-loop
    const answer = await service.call(check, create(check.input, { service: name }), new ServerCall());
    expect(answer).toMatchObject({ status: 1 });
  }
  const unknown = Promise.resolve(service.call(check, create(check.input, { service: "none" }), new ServerCall()));
  await expect(unknown).rejects.toThrow(expect.objectContaining({ code: "NOT_FOUND" }) as CallError);
});

it("reflects the contract", async () => {
  const info = contract.operation("grpc.reflection.v1.ServerReflection.ServerReflectionInfo");
  async function* requests(): AsyncGenerator<Message> {
    yield create(info.input, { messageRequest: { case: "listServices", value: "" } });
    yield create(info.input, {
      messageRequest: { case: "fileContainingSymbol", value: "roundtrip.v1.HelloService" },
    });
  }
  const answers = (await Array.fromAsync(service.stream(info, requests(), new ServerCall()))) as unknown as {
    readonly messageResponse: { readonly value: Record<string, unknown> };
  }[];
  expect(answers[0]?.messageResponse.value["service"]).toContainEqual(
    expect.objectContaining({ name: "roundtrip.v1.HelloService" }),
  );
  const [file] = (answers[1]?.messageResponse.value["fileDescriptorProto"] ?? []) as Uint8Array[];
  expect(fromBinary(FileDescriptorProtoSchema, file ?? new Uint8Array()).name).toBe("roundtrip/v1/hello.proto");
});
