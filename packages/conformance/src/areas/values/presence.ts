// Presence: each style distinguishes absent, empty and zero values.
import { create } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { ConformanceService, EchoResponseSchema } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { Colour, ValuesSchema } from "../../gen/roundtrip/conformance/v1/values_pb.ts";
import { casesIn } from "../../case/case.ts";
import { echoing, echoed } from "../../support/echo.ts";
import { expectMessage } from "../../case/expectations.ts";

const { echo } = ConformanceService.method;

/** The cases RT-0160 to RT-0170. */
export const presenceCases = casesIn("values", ["server"], {
  "RT-0160 unset optional fields come back unset": echoed({ presence: {} }),
  "RT-0161 optional fields with zero or empty values come back set": echoed(
    { presence: { number: 0, largeNumber: 0n, fraction: 0, flag: false, text: "", data: new Uint8Array() } },
    { presence: { text: "" } },
    { presence: { flag: false } },
  ),
  "RT-0162 an optional enum with its zero value comes back set": echoed({ presence: { colour: Colour.UNSPECIFIED } }),
  "RT-0163 optional fields with values come back with them": echoed({
    presence: {
      number: -1,
      largeNumber: 2n ** 62n,
      fraction: 0.5,
      flag: true,
      text: "t",
      data: new Uint8Array([0]),
      colour: Colour.GREEN,
    },
  }),
  "RT-0164 an absent message and an empty one stay different": echoed(
    {},
    { lists: {}, maps: {} },
    { choice: {} },
    { tree: {} },
    { tree: { only: {} } },
  ),
  async "RT-0165 an empty request gets an empty answer"(run) {
    const { call } = await run.serveConformance(echoing);
    expectMessage(EchoResponseSchema, await call(echo, {}), {});
  },
  "RT-0166 each member of a oneof comes back as that member": echoed(
    { choice: { kind: { case: "text", value: "t" } } },
    { choice: { kind: { case: "largeNumber", value: -(2n ** 63n) } } },
    { choice: { kind: { case: "flag", value: true } } },
    { choice: { kind: { case: "data", value: new Uint8Array([1, 2]) } } },
    { choice: { kind: { case: "colour", value: Colour.INFRA_RED } } },
    { choice: { kind: { case: "tree", value: { label: "oak", branches: [{}, { label: "twig" }] } } } },
    { choice: { kind: { case: "time", value: { seconds: 1n, nanos: 500_000_000 } } } },
  ),
  "RT-0167 a member of a oneof with a zero or empty value comes back set": echoed(
    { choice: { kind: { case: "text", value: "" } } },
    { choice: { kind: { case: "largeNumber", value: 0n } } },
    { choice: { kind: { case: "flag", value: false } } },
    { choice: { kind: { case: "data", value: new Uint8Array() } } },
  ),
  "RT-0168 a member of a oneof that is an empty message comes back set": echoed(
    { choice: { kind: { case: "nothing", value: {} } } },
    { choice: { kind: { case: "tree", value: {} } } },
    { choice: { kind: { case: "time", value: {} } } },
  ),
  async "RT-0169 fields of a newer contract are not an error, and the others arrive"(run) {
    const { call } = await run.serveConformance(echoing);
    const values = create(ValuesSchema, { tree: { label: "oak" } });
    values.$unknown = [{ no: 99, wireType: WireType.Varint, data: new Uint8Array([1]) }];
    expectMessage(EchoResponseSchema, await call(echo, { values }), { values: { tree: { label: "oak" } } });
  },
});
