// The contract that is in generated code: as the compiled one, without the services that nobody named.
import { describe, expect, it } from "vitest";
import { conformanceContract } from "../../conformance/src/index.ts";
import { ConformanceService } from "../../conformance/src/gen/roundtrip/conformance/v1/conformance_pb.ts";
import { CustomerService } from "../src/gen/roundtrip/v1/customer_pb.ts";
import { HelloService } from "../src/gen/roundtrip/v1/hello_pb.ts";
import { builtInContract, contractOfServices, type Contract } from "../src/index.ts";

/** What styles make of operations. */
function shown({ operations }: Contract): readonly unknown[] {
  return operations.map(({ id, kind, sideEffects, bindings, input, output, readMask }) => ({
    id,
    kind,
    sideEffects,
    bindings,
    input: input.typeName,
    output: output.typeName,
    readMask: readMask?.name,
  }));
}

describe("the contract of generated services", () => {
  it("has their operations as the compiled contract has them", () => {
    expect(shown(contractOfServices(ConformanceService))).toEqual(shown(conformanceContract()));
  });

  it("has no other service, and no more of those that are named", () => {
    const both = contractOfServices(HelloService, CustomerService, HelloService);
    const compiled = shown(builtInContract()) as readonly { readonly id: string }[];
    const ids = compiled.map(({ id }) => id).filter((id) => /\.(?:Hello|Customer)Service\./.test(id));
    expect(both.operations.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(() => both.operation("roundtrip.v1.PayloadService.Echo")).toThrow("has no operation");
  });
});
