// The configuration of the two emulators for one and the same network, and of TCP at its ends.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { missingTools } from "../src/link/kernel/find-emulator.ts";
import { whyRefused } from "../src/link/kernel/namespaces.ts";
import { netemScript, rattanConfig } from "../src/link/kernel/emulators.ts";
import { memoryPerByte } from "../src/link/kernel/tcp.ts";
import { linkDefaults } from "../src/study/link-settings.ts";

const far = { ...linkDefaults, rttMs: 50 };
const slow = { ...linkDefaults, rttMs: 21, bandwidthMbps: 2.5, loss: 0.07 };

const netemArgs = (settings: typeof far): string =>
  netemScript("10.1.1.1", "10.2.1.1", settings).args.slice(2).join(" ");

function end(name: string, device: string, own: string, other: string): readonly string[] {
  return [
    `ip -n ${name} link set lo up`,
    `ip -n ${name} addr add ${own}/32 dev ${device}`,
    `ip -n ${name} link set ${device} gso_max_segs 1 up`,
    `tc -n ${name} qdisc add dev ${device} root netem limit 100000 delay 25000us`,
    `ip -n ${name} route add ${other}/32 dev ${device}`,
  ];
}

describe("netem", () => {
  it("holds what is delayed and a quarter of a second of the bandwidth, and loses what it is to lose", () => {
    expect(netemArgs(slow)).toBe("limit 55 delay 10500us loss random 7% rate 2500kbit");
  });

  it("is put on both ends of one pair of devices, whose packets are not made larger than the wire's", async () => {
    const { script, args } = netemScript("10.1.1.1", "10.2.1.1", far);
    // The arguments of the commands, without a network.
    const { stdout } = await promisify(execFile)("sh", [
      "-c",
      `ip() { echo "ip $*"; }; tc() { echo "tc $*"; }\n${script}`,
      "sh",
      ...args,
    ]);
    expect(stdout.trim().split("\n")).toEqual([
      "ip netns add ns-left",
      "ip netns add ns-right",
      "ip link add vL netns ns-left type veth peer name vR netns ns-right",
      ...end("ns-left", "vL", "10.1.1.1", "10.2.1.1"),
      ...end("ns-right", "vR", "10.2.1.1", "10.1.1.1"),
    ]);
  });
});

describe("rattan", () => {
  it("delays each direction by half of the round trip", () => {
    expect(rattanConfig(far)).toBe(`[env]
mode = "Isolated"
[cells.up_delay]
type = "Delay"
delay = "25000us"
[cells.down_delay]
type = "Delay"
delay = "25000us"
[links]
left = "up_delay"
up_delay = "right"
right = "down_delay"
down_delay = "left"
[commands]
left = ["sleep", "infinity"]
right = ["sleep", "infinity"]
`);
  });
});

it("programs that are missing are named all at once, with the one command that installs them", () => {
  const said = missingTools(["ip", "tc", "unshare", "nsenter", "perl"], (program) => program === "nsenter");
  expect(said).toBe("there is no ip and no tc and no unshare and no perl (apt-get install iproute2 util-linux perl)");
});

const reading = (values: Readonly<Record<string, string>>) => (name: string) => values[name];

describe("namespaces that are refused", () => {
  it("are reported with the settings that forbid them, and the one command that allows them", () => {
    const values = {
      "user.max_user_namespaces": "0",
      "user.max_net_namespaces": "96365",
      "kernel.apparmor_restrict_unprivileged_userns": "1",
    };
    expect(whyRefused("No space left on device", false, reading(values))).toBe(
      "namespaces are switched off: user.max_user_namespaces is 0 and kernel.apparmor_restrict_unprivileged_userns is 1 " +
        "(run it as root, or sudo sysctl -w user.max_user_namespaces=15000 kernel.apparmor_restrict_unprivileged_userns=0)",
    );
  });

  it("are reported with the system's message if no setting forbids them", () => {
    expect(whyRefused("Operation not permitted", false, reading({}))).toBe(
      "namespaces cannot be made: Operation not permitted (run it as root)",
    );
    expect(whyRefused("Operation not permitted", true, reading({}))).toBe(
      "namespaces cannot be made: Operation not permitted (a container has to be started with --privileged)",
    );
  });
});

it.each([
  ["5.15.0-91-generic", 2],
  ["4.19.0", 2],
  ["6.5.13", 2],
  ["6.6.1", 2_304 / 1_448],
  ["6.12.8", 2_304 / 1_448],
  ["7.0.0", 2_304 / 1_448],
])("a kernel %s counts %d bytes of memory for a byte of a window", (kernel, bytes) => {
  expect(memoryPerByte(kernel)).toBe(bytes);
});
