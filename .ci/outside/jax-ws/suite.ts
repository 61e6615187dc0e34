// The JAX-WS suite (SOAP for Java): wsimport generates a client from the WSDL, which calls every operation over SOAP 1.1 and 1.2.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { demand, findingsOf } from "../checks.ts";
import { servedBy } from "../served-stacks.ts";
import { camel, restCaller, soapChecks, soapVersions, type SoapCaller, type SoapVersion } from "../soap-checks.ts";
import type { Finding, Suite } from "../suite.ts";
import { echoChecks } from "./echo-checks.ts";
import { classPath, javaClient, type JavaClient } from "./java-client.ts";

const style = "soap";
const here = (name: string): string => join(import.meta.dirname, name);
const released = /<artifactId>jaxws-tools<\/artifactId>\s*<version>(.+)<\/version>/.exec(
  readFileSync(here("pom.xml"), "utf8"),
)?.[1];
const size = (Object.keys(soapChecks).length + Object.keys(echoChecks).length) * soapVersions.length;

function callerOf(client: JavaClient, version: SoapVersion, restUrl: string): SoapCaller {
  const called = new Set<string>();
  return {
    async soap(operation, request) {
      const name = `roundtrip.v1.${operation}`;
      called.add(name);
      const { answer, ...others } = await client.call(version, name, request);
      demand(answer !== undefined, others);
      return camel(answer);
    },
    async fault(operation, request) {
      const { fault, ...others } = await client.call(version, `roundtrip.v1.${operation}`, request);
      if (fault === undefined) throw new Error(`got ${JSON.stringify(others)}`);
      return fault;
    },
    rest: restCaller(restUrl),
    uncalled: () => client.operations.filter((name) => !called.has(name)),
  };
}

async function findingsOverRest(client: JavaClient, restUrl: string): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const version of soapVersions) {
    // oxlint-disable-next-line no-await-in-loop -- versions share customers
    findings.push(...(await findingsOf(soapChecks, callerOf(client, version, restUrl), version)));
  }
  return findings;
}

async function findingsOfEchoes({ operations, call }: JavaClient): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const version of soapVersions) {
    const name = "roundtrip.conformance.v1.ConformanceService.Echo";
    const caller = { operations, echo: (values: object) => call(version, name, { values }) };
    // oxlint-disable-next-line no-await-in-loop -- the program answers in order
    findings.push(...(await findingsOf(echoChecks, caller, version)));
  }
  return findings;
}

export const suite: Suite = {
  about:
    "SOAP by JAX-WS for Java, whose wsimport generates a client from the WSDL, with every message validated and compared with REST's",
  styles: [style, "rest"],
  tools: ["java", "maven"],
  allowed: [],
  size,
  async run({ url, stack, directory }) {
    const libraries = classPath(directory);
    const echoes = await servedBy(here("../serve-echo.ts"), stack(style));
    try {
      await using service = await javaClient(libraries, url(style), directory);
      await using echo = await javaClient(libraries, echoes.url(stack(style)), directory);
      const findings = [...(await findingsOverRest(service, url("rest"))), ...(await findingsOfEchoes(echo))];
      const passed = size - findings.length;
      return { program: `jaxws-tools ${released}`, unit: "checks", checked: size, passed, findings };
    } finally {
      await echoes.close();
    }
  },
};
