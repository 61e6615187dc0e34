// Presence: each style distinguishes absent, empty and zero values.
import { create } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { ConformanceService, EchoResponseSchema } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { Colour, ValuesSchema } from "../../gen/roundtrip/conformance/v1/values_pb.ts";
import { casesIn } from "../../case/case.ts";
import { echoing, expectEchoed } from "../../support/echo.ts";
import { expectMessage } from "../../case/expectations.ts";

const { echo } = ConformanceService.method;

/** The cases RT-0160 to RT-0170. */
export const presenceCases = casesIn("values", [
  {
    id: "RT-0160",
    level: "MUST",
    title: "unset optional fields come back unset",
    needs: ["server"],
    run: (run) => expectEchoed(run, { presence: {} }),
  },
  {
    id: "RT-0161",
    level: "MUST",
    title: "optional fields with zero or empty values come back set",
    needs: ["server"],
    run: (run) =>
      expectEchoed(
        run,
        { presence: { number: 0, largeNumber: 0n, fraction: 0, flag: false, text: "", data: new Uint8Array() } },
        { presence: { text: "" } },
        { presence: { flag: false } },
      ),
  },
  {
    id: "RT-0162",
    level: "MUST",
    title: "an optional enum with its zero value comes back set",
    needs: ["server"],
    run: (run) => expectEchoed(run, { presence: { colour: Colour.UNSPECIFIED } }),
  },
  {
    id: "RT-0163",
    level: "MUST",
    title: "optional fields with values come back with them",
    needs: ["server"],
    run: (run) =>
      expectEchoed(run, {
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
  },
  {
    id: "RT-0164",
    level: "MUST",
    title: "an absent message and an empty one stay different",
    needs: ["server"],
    run: (run) => expectEchoed(run, {}, { lists: {}, maps: {} }, { choice: {} }, { tree: {} }, { tree: { only: {} } }),
  },
  {
    id: "RT-0165",
    level: "MUST",
    title: "an empty request gets an empty answer",
    needs: ["server"],
    async run(run) {
      const { call } = await run.serveConformance(echoing);
      expectMessage(EchoResponseSchema, await call(echo, {}), {});
    },
  },
  {
    id: "RT-0166",
    level: "MUST",
    title: "each member of a oneof comes back as that member",
    needs: ["server"],
    run: (run) =>
      expectEchoed(
        run,
        { choice: { kind: { case: "text", value: "t" } } },
        { choice: { kind: { case: "largeNumber", value: -(2n ** 63n) } } },
        { choice: { kind: { case: "flag", value: true } } },
        { choice: { kind: { case: "data", value: new Uint8Array([1, 2]) } } },
        { choice: { kind: { case: "colour", value: Colour.INFRA_RED } } },
        { choice: { kind: { case: "tree", value: { label: "oak", branches: [{}, { label: "twig" }] } } } },
        { choice: { kind: { case: "time", value: { seconds: 1n, nanos: 500_000_000 } } } },
      ),
  },
  {
    id: "RT-0167",
    level: "MUST",
    title: "a member of a oneof with a zero or empty value comes back set",
    needs: ["server"],
    run: (run) =>
      expectEchoed(
        run,
        { choice: { kind: { case: "text", value: "" } } },
        { choice: { kind: { case: "largeNumber", value: 0n } } },
        { choice: { kind: { case: "flag", value: false } } },
        { choice: { kind: { case: "data", value: new Uint8Array() } } },
      ),
  },
  {
    id: "RT-0168",
    level: "MUST",
    title: "a member of a oneof that is an empty message comes back set",
    needs: ["server"],
    run: (run) =>
      expectEchoed(
        run,
        { choice: { kind: { case: "nothing", value: {} } } },
        { choice: { kind: { case: "tree", value: {} } } },
        { choice: { kind: { case: "time", value: {} } } },
      ),
  },
  {
    id: "RT-0169",
    level: "MUST",
    title: "fields of a newer contract are not an error, and the others arrive",
    needs: ["server"],
    async run(run) {
      const { call } = await run.serveConformance(echoing);
      const values = create(ValuesSchema, { tree: { label: "oak" } });
      values.$unknown = [{ no: 99, wireType: WireType.Varint, data: new Uint8Array([1]) }];
      expectMessage(EchoResponseSchema, await call(echo, { values }), { values: { tree: { label: "oak" } } });
    },
  },
]);
