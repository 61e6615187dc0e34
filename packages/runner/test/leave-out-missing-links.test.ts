// What becomes of networks that a study would like and a machine lacks.
import { expect, it } from "vitest";
import type { LinkKind } from "../src/link/link.ts";
import { linkDefaults } from "../src/study/link-settings.ts";
import { leaveOutMissingLinks } from "../src/rounds/leave-out.ts";
import { anArm } from "./support/an-arm.ts";

const kind: LinkKind = {
  name: "without bbr",
  order: 1,
  caveat: "",
  unavailable: () => Promise.resolve(undefined),
  refuses: () => undefined,
  lacks: ({ congestionControl }) => Promise.resolve(congestionControl === "bbr" ? "there is no bbr" : undefined),
  open: () => Promise.reject(new Error("nothing is opened")),
};

function armOver(congestionControl: string | undefined): ReturnType<typeof anArm> {
  const arm = anArm({ study: "idle", stack: "rest", variant: "single", attributes: 1 });
  return { ...arm, configuration: { ...arm.configuration, link: { ...linkDefaults, congestionControl } } };
}

it("leaves out what the machine lacks, and says of which study and why", async () => {
  const [cubic, bbr, own] = [armOver("cubic"), armOver("bbr"), armOver(undefined)];
  const { measured, warnings } = await leaveOutMissingLinks([cubic, bbr, own], kind);
  expect(measured).toEqual([cubic, own]);
  expect(warnings).toEqual([
    { code: "link-left-out", message: "idle is without a part of its networks: there is no bbr" },
  ]);
});

it("gives up with the reason when nothing is left", async () => {
  await expect(leaveOutMissingLinks([armOver("bbr")], kind)).rejects.toMatchObject({
    code: "link-unavailable",
    message: "there is no bbr",
  });
});
