// The client of the package soap for Node.js: every operation of the WSDL, over SOAP 1.1 and 1.2, with answers as over REST.
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { createClientAsync } from "soap";
import { demand, findingsOf } from "../suite.ts";
import {
  camel,
  restCaller,
  soapChecks,
  soapVersions,
  type FaultDetail,
  type SoapCaller,
  type SoapVersion,
  type Values,
} from "../soap-checks.ts";
import type { Suite } from "../suite.ts";

type Method = (request: Values, done: (fault: Error | null, answer?: unknown) => void) => void;

/** What node-soap rejects with: the whole answer, whose members have other names in SOAP 1.2. */
interface Fault {
  readonly root?: {
    readonly Envelope: {
      readonly Body: { readonly Fault: Readonly<Record<string, { readonly Error?: FaultDetail }>> };
    };
  };
}

const settings = { soap11: {}, soap12: { forceSoap12Headers: true } } as const;

async function callerOf(version: SoapVersion, soapUrl: string, restUrl: string): Promise<SoapCaller> {
  const client = await createClientAsync(`${soapUrl}?wsdl`, settings[version]);
  const described = client.describe() as Readonly<Record<string, Readonly<Record<string, Values>>>>;
  const called = new Set<string>();
  const soap: SoapCaller["soap"] = async (operation, request) => {
    const [service = "", name = ""] = `roundtrip.v1.${operation}`.split(/\.(?=\w+$)/);
    called.add(`${service}.${name}`);
    const method = client[service][`${service}.${version}`][name] as Method;
    // An answer without elements is null.
    const answer = await promisify(method)(request);
    return camel(answer ?? {});
  };
  return {
    soap,
    fault: (operation, request) => detailOf(soap(operation, request)),
    rest: restCaller(restUrl),
    uncalled: () =>
      Object.entries(described).flatMap(([service, ports]) =>
        Object.keys(ports[`${service}.${version}`] ?? {})
          .map((name) => `${service}.${name}`)
          .filter((name) => !called.has(name)),
      ),
  };
}

async function detailOf(ended: Promise<unknown>): Promise<FaultDetail> {
  try {
    await ended;
  } catch (thrown) {
    const fault = (thrown as Fault).root?.Envelope.Body.Fault;
    const detail = fault?.["detail"]?.Error ?? fault?.["Detail"]?.Error;
    demand(detail !== undefined, fault ?? String(thrown));
    return detail as FaultDetail;
  }
  throw new Error("the call succeeds");
}

const style = "soap";
const { version: released } = createRequire(import.meta.url)("soap/package.json") as { readonly version: string };
const size = Object.keys(soapChecks).length * soapVersions.length;

export const suite: Suite = {
  about: "SOAP by a client for Node.js, which reads the WSDL: every operation over both versions, compared with REST",
  styles: [style, "rest"],
  tools: [],
  allowed: [],
  size,
  async run({ url }) {
    const findings = [];
    for (const version of soapVersions) {
      const caller = await callerOf(version, url(style), url("rest"));
      findings.push(...(await findingsOf(soapChecks, caller, version)));
    }
    return { program: `soap ${released}`, unit: "checks", checked: size, passed: size - findings.length, findings };
  },
};
