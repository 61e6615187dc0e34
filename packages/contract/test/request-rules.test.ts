// The contract's validation rules: the same request breaks the same rules on every stack.
import { create } from "@bufbuild/protobuf";
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { CreateCustomerRequestSchema } from "../src/gen/roundtrip/v1/customer_pb.ts";
import { builtInContract, CallError } from "../src/index.ts";
import { requestRules } from "../src/calls/service-of.ts";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";

const contract = builtInContract();
const check = requestRules(contract);

function brokenBy(run: () => void): CallError {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof CallError) return thrown;
  }
  throw new Error("no rule was broken");
}

function named(name: string) {
  return create(CreateCustomerRequestSchema, { customer: { id: 1, name } });
}

it("names the field by its path in the contract, the rule, and says what is wrong", () => {
  const request = create(CreateCustomerRequestSchema, { customer: { id: 1, vatIdentificationNumber: "nl 1" } });
  const { code, details, message } = brokenBy(() => check(CreateCustomerRequestSchema, request));
  expect(code).toBe("INVALID_ARGUMENT");
  expect(details.violations).toEqual([
    {
      field: "customer.vat_identification_number",
      reason: "string.pattern",
      description: "does not match regex pattern `^[A-Z0-9]{0,16}$`",
    },
  ]);
  expect(message).toMatch(/^customer\.vat_identification_number: /);
});

it("names every broken rule and counts them in the message", () => {
  const request = create(CreateCustomerRequestSchema, { customer: { phoneNumber: "x", mail: "m".repeat(255) } });
  const { details, message } = brokenBy(() => check(CreateCustomerRequestSchema, request));
  expect(details.violations.map(({ field: path }) => path)).toEqual([
    "customer.id",
    "customer.mail",
    "customer.phone_number",
  ]);
  expect(message).toMatch(/^customer\.id: .* \(and 2 more\)$/);
});

it("counts characters, not UTF-16 units", () => {
  expect(() => check(CreateCustomerRequestSchema, named("🎉".repeat(200)))).not.toThrow();
  expect(() => check(CreateCustomerRequestSchema, named("🎉".repeat(201)))).toThrow(CallError);
});

it("is made once for a contract", () => {
  expect(requestRules(contract)).toBe(check);
});

it("brings the validation library when a request is in doubt, and not before", () => {
  const root = new URL("../src/", import.meta.url).href;
  const program = `
    import { registerHooks } from "node:module";
    let isLoaded = false;
    registerHooks({ load: (url, context, next) => ((isLoaded ||= url.includes("/protovalidate/")), next(url, context)) });
    const { builtInContract } = await import("${root}index.ts");
    const { requestRules } = await import("${root}calls/service-of.ts");
    const { create } = await import("@bufbuild/protobuf");
    const contract = builtInContract();
    const check = requestRules(contract);
    const { input } = contract.operation("roundtrip.v1.CustomerService.GetCustomer");
    check(input, create(input, { id: 1 }));
    const before = isLoaded;
    let code = "";
    try { check(input, create(input, { id: 0 })); } catch (thrown) { code = thrown.code; }
    console.log(JSON.stringify({ before, code, after: isLoaded }));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: import.meta.dirname,
    encoding: "utf8",
    env: { ...process.env, NODE_NO_WARNINGS: "1" },
  });
  expect(JSON.parse(output)).toEqual({ before: false, code: "INVALID_ARGUMENT", after: true });
});

it("reports invalid rules before any request", () => {
  const broken = compileContract(`
    syntax = "proto3";
    package test;
    import "buf/validate/validate.proto";
    service Things { rpc Get(Thing) returns (Thing); }
    message Thing { string name = 1 [(buf.validate.field).string.pattern = "("]; }
  `);
  expect(() => requestRules(broken)).toThrow("the rules of test.Thing.name cannot be compiled");
});
