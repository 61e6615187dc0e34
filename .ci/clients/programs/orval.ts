// orval's client for fetch.
import { createHotel, getHotel, listHotels, type Hotel, type Problem, watchReservation } from "./orval-api.ts";
import { assert, created, env, firstOf, hotelOf, report } from "./report.ts";

await report({
  connects: async () => {
    const { data } = await createHotel(hotelOf(env["CLIENT"]!));
    const { name = "", displayName } = data as Hotel;
    const read = await getHotel(name.split("/")[1]!);
    assert.equal((read.data as Hotel).displayName, displayName);
    created(name);
  },
  typed: async () => {
    const answer = await listHotels({ pageSize: 2 });
    assert.ok(answer.status === 200);
    const counts: (string | undefined)[] = answer.data.hotels?.map(({ reviewCount }) => reviewCount) ?? [];
    assert.ok(counts.length > 0);
  },
  errors: async () => {
    const missing = await getHotel("none");
    const { code, reason } = missing.data as Problem;
    assert.deepEqual([missing.status as number, code, reason], [404, "NOT_FOUND", "HOTEL_NOT_FOUND"]);
    const invalid = await createHotel({ ...hotelOf("x"), displayName: "" });
    assert.ok(invalid.status === 400);
    assert.match(invalid.data.violations?.[0]?.field ?? "", /^hotel\./);
  },
  streams: async () => {
    const [, guest = "", , reservation = ""] = env["RESERVATION"]!.split("/");
    const { stream } = (await watchReservation(guest, reservation)) as unknown as { readonly stream: Response };
    await firstOf(stream.body!, "eventTime");
  },
});
