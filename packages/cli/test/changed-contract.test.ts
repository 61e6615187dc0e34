// A fake under a contract that people work on: each event of its files is reported, and state goes only where the report says so.
import { mkdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { randomCases } from "../../../.ci/seed-properties.ts";
import { emptyFolder, until } from "./support/run-program.ts";
import { started } from "./support/started-fake.ts";

interface Version {
  /** A change of it is incompatible. */
  readonly emailNumber: number;
  readonly moreFields: number;
  readonly comments: number;
  readonly isBroken: boolean;
}

const innOf = ({ emailNumber, moreFields, comments, isBroken }: Version): string => `syntax = "proto3";
package inn.v1;
${"// Under construction.\n".repeat(comments)}
service Inn {
  rpc GetGuest(GetGuestRequest) returns (Guest);
  rpc CreateGuest(CreateGuestRequest) returns (Guest);
}
message Guest {
  string name = 1;
  ${isBroken ? "strin" : "string"} email = ${emailNumber};
  ${Array.from({ length: moreFields }, (_, at) => `string more_${at} = ${at + 20};`).join(" ")}
}
message GetGuestRequest { string name = 1; }
message CreateGuestRequest { Guest guest = 1; }
`;

const unchanged = "Nothing changed in the contract.";
const kept = "Applied: 2 operations; state kept.";
const reset = "Applied: 2 operations; reset 1 guest: field `email` has another number.";
const broken = "roundtrip: files not applied, still serving the earlier ones: ";
const compilerMessage = /(?<=earlier ones: ).*inn\.proto:\d+:3: .*/;

/** Numbers that look random. */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 48_271) % 2_147_483_647;
    yield state;
  }
}

const eventCount = randomCases(100);

it(`reports each of ${eventCount} events in any order, and keeps or resets state as reported`, async () => {
  const cwd = emptyFolder();
  const folder = join(cwd, "inn");
  const file = join(folder, "inn.proto");
  mkdirSync(folder);
  let version: Version = { emailNumber: 2, moreFields: 0, comments: 0, isBroken: false };
  writeFileSync(file, innOf(version));
  await using fake = await started(["rest-express", "--contract", "inn"], cwd);
  const call = async (method: string, body: object): Promise<{ readonly status: number; readonly json: unknown }> => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(`${fake.urls["rest-express"]}/inn.v1.Inn/${method}`, init);
    return { status: answer.status, json: await answer.json() };
  };
  const ada = { name: "ada", email: "ada@example.com" };
  const create = (): Promise<unknown> => call("CreateGuest", { guest: ada });
  const linesOf = (): readonly string[] => {
    const { stdout, stderr } = fake.program.output();
    return [...stdout.split("\n"), ...stderr.split("\n")].filter((line) => /^(?:Applied|Nothing|roundtrip)/.test(line));
  };
  expect(await create()).toMatchObject({ json: ada });
  let served = version;
  const write = (change: Partial<Version>): void => {
    version = { ...version, ...change };
    writeFileSync(`${file}~`, innOf(version));
    renameSync(`${file}~`, file);
  };
  const events: Readonly<Record<string, () => void>> = {
    touch: () => utimesSync(file, new Date(), new Date()),
    comment: () => write({ comments: version.comments + 1 }),
    notes: () => writeFileSync(join(folder, "NOTES.md"), "To do.\n"),
    "break or repair": () => write({ isBroken: !version.isBroken }),
    "compatible change": () => write({ moreFields: version.moreFields + 1 }),
    "incompatible change": () => write({ emailNumber: 14 - version.emailNumber }),
  };
  const numbers = randomNumbers(inject("commitSeed") + 1);
  const names = Object.keys(events);
  for (let at = 0; at < eventCount; at += 1) {
    const name = names[numbers.next().value % names.length] ?? "";
    const before = linesOf();
    events[name]?.();
    // oxlint-disable-next-line no-await-in-loop
    const lines = await until(() => (linesOf().length > before.length ? linesOf() : undefined));
    const next = version.isBroken ? served : version;
    const isReset = next.emailNumber !== served.emailNumber;
    const applied = isReset ? reset : next.moreFields === served.moreFields ? unchanged : kept;
    const expected = version.isBroken ? broken : applied;
    const added = lines.find((line, index) => line !== before[index])?.replace(compilerMessage, "");
    expect({ at, name, added }).toEqual({ at, name, added: expected });
    served = next;
    // oxlint-disable-next-line no-await-in-loop
    const { status, json } = await call("GetGuest", { name: "ada" });
    const found = { status, email: (json as { readonly email?: string }).email };
    expect({ at, name, ...found }).toEqual({
      at,
      name,
      ...(isReset ? { status: 404 } : { status: 200, email: ada.email }),
    });
    // oxlint-disable-next-line no-await-in-loop
    if (isReset) await create();
  }
});
