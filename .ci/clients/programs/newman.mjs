// newman runs a collection that openapi-to-postmanv2 makes of the document, with the tests that a team adds to it.
import { readFileSync } from "node:fs";
import newman from "newman";

const { CLIENT, REST, RESERVATION } = process.env;
const collection = JSON.parse(readFileSync("programs/collection.json", "utf8"));
const flat = (items) => items.flatMap((item) => (item.item === undefined ? [item] : flat(item.item)));
const made = flat(collection.item);

/** A request of the collection with these values in its path, and the test of a cell. */
function item(method, path, values, test, body) {
  const found = made.find(({ request }) => request.method === method && request.url.path.join("/") === path);
  if (found === undefined) throw new Error(`the collection has no ${method} ${path}`);
  const { request } = structuredClone(found);
  for (const variable of request.url.variable) variable.value = values[variable.key];
  // As people do in the program: what they do not fill in is off.
  for (const each of [...request.url.query, ...request.header]) each.disabled = /^$|^</.test(each.value);
  if (body !== undefined) request.body.raw = JSON.stringify(body);
  return { name: path, request, event: [{ listen: "test", script: { exec: [test] } }] };
}

const displayName = `Client ${CLIENT}`;
const hotel = { displayName, stars: 3, address: { city: "Bern", postalCode: "3000", countryCode: "CH" } };
const [, guestId, , reservationId] = RESERVATION.split("/");
const json = "const json = pm.response.json();";
const items = [
  item(
    "POST",
    "v1/hotels",
    {},
    `${json} pm.collectionVariables.set("made", json.name.split("/")[1]); console.log("created " + json.name);`,
    hotel,
  ),
  item(
    "GET",
    "v1/hotels/:hotelId",
    { hotelId: "{{made}}" },
    `pm.test("connects", () => pm.expect(pm.response.json().displayName).to.equal("${displayName}"));`,
  ),
  item(
    "GET",
    "v1/hotels/:hotelId/rooms",
    { hotelId: "hotel-1" },
    `pm.test("typed", () => { ${json} pm.expect(json.rooms).not.empty; json.rooms.forEach(({ kind, beds }) => { pm.expect(kind).to.match(/^ROOM_KIND_/); pm.expect(beds).to.be.a("number"); }); });`,
  ),
  item(
    "GET",
    "v1/hotels/:hotelId",
    { hotelId: "none" },
    `pm.test("errors", () => { ${json} pm.expect(json.code + json.reason).to.equal("NOT_FOUNDHOTEL_NOT_FOUND"); });`,
  ),
  item(
    "POST",
    "v1/hotels",
    {},
    `pm.test("errors", () => pm.expect(pm.response.json().violations[0].field).to.match(/^hotel[.]/));`,
    { ...hotel, displayName: "" },
  ),
  item(
    "GET",
    "v1/guests/:guestId/reservations/{{reservationId}}:watch",
    { guestId },
    `pm.test("streams", () => pm.expect(pm.response.text()).to.include("eventTime"));`,
  ),
];

const options = {
  collection: { ...collection, item: items },
  envVar: Object.entries({ baseUrl: REST, reservationId }).map(([key, value]) => ({ key, value })),
};
const run = newman.run(options, (failed, { run: { executions } }) => {
  const cells = new Map();
  for (const { assertions = [], requestError } of executions) {
    if (requestError !== undefined) console.log(String(requestError));
    for (const { assertion, error } of assertions) cells.set(assertion, cells.get(assertion) ?? error);
  }
  for (const [cell, error] of cells) console.log(cell, error === undefined ? "ok" : error.message);
});
run.on("console", (_failed, { messages }) => console.log(...messages));
