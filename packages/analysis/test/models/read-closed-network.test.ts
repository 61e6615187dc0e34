// Closed networks as people write them: few words where little is said, and one line for every slip.
import { describe, expect, it } from "vitest";
import { readClosedNetwork } from "../../src/models.ts";

const callers = { classes: [{ name: "callers", population: 4, thinkMs: 30 }] } as const;

describe("a network as people write it", () => {
  it("needs few words, and takes one number for all classes or one for each", () => {
    const network = readClosedNetwork({
      classes: [
        { name: "readers", population: 2 },
        { name: "writers", population: 1, thinkMs: 5, think: "constant" },
      ],
      stations: [
        { name: "CPU", demandMs: 4, phaseTwoMs: 1 },
        { name: "disk", service: "constant", demandMs: { writers: 9 }, phaseTwoMs: 2 },
        { name: "wire", kind: "delay", demandMs: 3 },
      ],
    });
    expect(network.classes).toEqual([
      { name: "readers", population: 2, thinkMs: 0, think: "exponential" },
      { name: "writers", population: 1, thinkMs: 5, think: "constant" },
    ]);
    expect(network.stations.map(({ kind, service }) => [kind, service])).toEqual([
      ["queue", "exponential"],
      ["queue", "constant"],
      ["delay", "exponential"],
    ]);
    expect(network.stations[1]?.demands).toEqual([
      { demandMs: 0, phaseTwoMs: 0 },
      { demandMs: 9, phaseTwoMs: 2 },
    ]);
  });

  it("has up to twenty classes of callers", () => {
    const classes = Array.from({ length: 20 }, (_, at) => ({ name: `callers ${at}`, population: 1 }));
    const stations = [{ name: "CPU", demandMs: 4 }];
    expect(readClosedNetwork({ classes, stations }).classes).toHaveLength(20);
    const more = [...classes, { name: "others", population: 1 }];
    expect(() => readClosedNetwork({ classes: more, stations })).toThrow(/classes.*20/);
  });

  const cpu = { name: "CPU", demandMs: 5 };
  const slips: readonly (readonly [value: unknown, message: string])[] = [
    [[], "the network is a list; it must be an object with classes, stations"],
    [null, "the network is null; it must be an object with classes, stations"],
    [{ ...callers }, "stations is missing; it must be a list of 1 to 100"],
    [{ ...callers, stations: [] }, "stations has 0 entries; it must be a list of 1 to 100"],
    [{ ...callers, stations: [cpu], clases: 1 }, 'the network has no field "clases" (valid: classes, stations)'],
    [
      { ...callers, stations: [{ ...cpu, demandMS: 5 }] },
      'stations[0] has no field "demandMS" (valid: name, kind, service, demandMs, phaseTwoMs)',
    ],
    [{ ...callers, stations: [cpu, cpu] }, 'stations has two entries with the name "CPU"; give each its own'],
    [
      { ...callers, stations: [{ name: "CPU" }] },
      "stations[0].demandMs is missing; it must be a number of milliseconds, 0 or more",
    ],
    [
      { ...callers, stations: [{ name: " ", demandMs: 1 }] },
      'stations[0].name is " "; it must be a text of 1 to 80 characters, none of them a control',
    ],
    [{ ...callers, stations: [{ ...cpu, kind: "line" }] }, 'stations[0].kind is "line"; it must be queue or delay'],
    [
      { ...callers, stations: [{ ...cpu, service: "gamma" }] },
      'stations[0].service is "gamma"; it must be exponential or constant',
    ],
    [
      { ...callers, stations: [{ ...cpu, demandMs: -1 }] },
      "stations[0].demandMs is -1; it must be a number of milliseconds, 0 or more",
    ],
    [
      { ...callers, stations: [{ ...cpu, demandMs: { caller: 1 } }] },
      'stations[0].demandMs has no field "caller" (valid: callers)',
    ],
    [
      { ...callers, stations: [{ ...cpu, demandMs: { callers: "5" } }] },
      'stations[0].demandMs.callers is "5"; it must be a number of milliseconds, 0 or more',
    ],
    [
      { ...callers, stations: [{ ...cpu, phaseTwoMs: 6 }] },
      "the second phase of callers at CPU (6 ms) is longer than the demand (5 ms), which is both phases together",
    ],
    [
      { ...callers, stations: [{ ...cpu, kind: "delay", phaseTwoMs: 1 }] },
      "the second phase of callers at CPU changes nothing, as nobody waits at a delay: leave it out, and out of the demand",
    ],
    [
      { ...callers, stations: [{ ...cpu, demandMs: 0 }] },
      "callers asks nothing of any station: give it a demand, or leave the class out",
    ],
    [
      { classes: [{ name: "a", population: 0 }], stations: [cpu] },
      "classes[0].population is 0; it must be a whole number of callers, 1 to 1,000,000,000",
    ],
    [
      { classes: [{ name: "a", population: 1.5 }], stations: [cpu] },
      "classes[0].population is 1.5; it must be a whole number of callers, 1 to 1,000,000,000",
    ],
    [
      { classes: [{ name: "a", population: 1, thinkMs: "1s" }], stations: [cpu] },
      'classes[0].thinkMs is "1s"; it must be a number of milliseconds, 0 or more',
    ],
    [
      { classes: [{ name: "a", population: 1, thinkMs: 1e300 }], stations: [cpu] },
      "the think time of a is 1e+300; it must be 0 or a number above 0, up to 1000000000000",
    ],
  ];

  it("is reported in one short line, however long, deep or strange it is", () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as unknown;
    const strange = ["\u001B[31mred", "two\nlines", "x".repeat(5_000), "\u202Ereversed", deep, { a: deep }];
    for (const name of strange) {
      expect(() => readClosedNetwork({ classes: [{ name, population: 1 }], stations: [cpu] })).toThrow(
        /^classes\[0\]\.name is .{1,80}; it must be a text of 1 to 80 characters, none of them a control$/,
      );
    }
  });

  it.each(slips)("%j: %s", (value, message) => {
    expect(() => readClosedNetwork(value)).toThrow(
      new RegExp(`^${message.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`),
    );
  });
});
