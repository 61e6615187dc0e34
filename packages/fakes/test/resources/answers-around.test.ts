// Answers with a resource and more around it have what is stored: what belongs to the resource, and what that refers to.
import type { JsonObject } from "@bufbuild/protobuf";
import { beforeEach, expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { type Call, callsTo } from "../support/calls-to.ts";
import { list } from "./library.ts";

/** Children by reference, by their name and by a list of references; what is referred to directly, in a list, and by what was referred to. */
const contract = compileContract(`
syntax = "proto3";
package acme.club.v1;
import "google/api/annotations.proto";
import "google/api/resource.proto";
import "google/protobuf/field_mask.proto";

service ClubService {
  rpc GetClub(GetClubRequest) returns (Club) { option (google.api.http) = {get: "/v1/{name=clubs/*}"}; }
  rpc ListClubs(ListRequest) returns (ListClubsResponse) { option (google.api.http) = {get: "/v1/clubs"}; }
  rpc CreateClub(CreateClubRequest) returns (ClubPage) { option (google.api.http) = {post: "/v1/clubs" body: "club"}; }
  rpc DeleteClub(GetClubRequest) returns (ClubPage) { option (google.api.http) = {delete: "/v1/{name=clubs/*}"}; }
  rpc GetTeam(GetTeamRequest) returns (Team) { option (google.api.http) = {get: "/v1/{name=clubs/*/teams/*}"}; }
  rpc ListTeams(ListTeamsRequest) returns (ListTeamsResponse) { option (google.api.http) = {get: "/v1/{parent=clubs/*}/teams"}; }
  rpc CreateTeam(CreateTeamRequest) returns (Team) { option (google.api.http) = {post: "/v1/{parent=clubs/*}/teams" body: "team"}; }
  rpc DeleteTeam(GetTeamRequest) returns (Team) { option (google.api.http) = {delete: "/v1/{name=clubs/*/teams/*}"}; }
  rpc GetMatch(GetMatchRequest) returns (Match) { option (google.api.http) = {get: "/v1/matches/{id}"}; }
  rpc ListMatches(ListRequest) returns (ListMatchesResponse) { option (google.api.http) = {get: "/v1/matches"}; }
  rpc CreateMatch(CreateMatchRequest) returns (Match) { option (google.api.http) = {post: "/v1/matches" body: "match"}; }
  rpc GetCity(GetCityRequest) returns (City) { option (google.api.http) = {get: "/v1/cities/{id}"}; }
  rpc ListCities(ListRequest) returns (ListCitiesResponse) { option (google.api.http) = {get: "/v1/cities"}; }
  rpc GetClubPage(GetClubPageRequest) returns (ClubPage) { option idempotency_level = NO_SIDE_EFFECTS; }
  rpc GetMatchReport(GetMatchReportRequest) returns (MatchReport) { option idempotency_level = NO_SIDE_EFFECTS; }
}
message Club {
  option (google.api.resource) = {type: "club.acme.dev/Club" pattern: "clubs/{club}"};
  string name = 1;
  string title = 2;
}
message Team {
  option (google.api.resource) = {type: "club.acme.dev/Team" pattern: "clubs/{club}/teams/{team}"};
  string name = 1;
}
message Match { int32 id = 1; repeated Side sides = 2; int32 city_id = 3; }
message Side { string host = 1 [(google.api.resource_reference).type = "club.acme.dev/Club"]; int32 goals = 2; }
message City { int32 id = 1; string title = 2; }
message ClubPage { Club club = 1; repeated City cities = 2; repeated Match matches = 3; repeated Team teams = 4; string note = 5; }
message MatchReport { Match match = 1; City city = 2; repeated Club clubs = 3; }
message GetClubPageRequest { string club = 1 [(google.api.resource_reference).type = "club.acme.dev/Club"]; int32 num_teams = 2; google.protobuf.FieldMask read_mask = 3; }
message GetMatchReportRequest { int32 match_id = 1; }
message GetClubRequest { string name = 1; }
message GetTeamRequest { string name = 1; }
message GetMatchRequest { int32 id = 1; }
message GetCityRequest { int32 id = 1; }
message ListRequest { int32 page_size = 1; string page_token = 2; }
message ListTeamsRequest { string parent = 1; int32 page_size = 2; string page_token = 3; }
message ListClubsResponse { repeated Club clubs = 1; string next_page_token = 2; }
message ListTeamsResponse { repeated Team teams = 1; string next_page_token = 2; }
message ListMatchesResponse { repeated Match matches = 1; string next_page_token = 2; }
message ListCitiesResponse { repeated City cities = 1; string next_page_token = 2; }
message CreateClubRequest { Club club = 1; string club_id = 2; bool validate_only = 3; }
message CreateTeamRequest { string parent = 1; Team team = 2; string team_id = 3; }
message CreateMatchRequest { Match match = 1; }
`);

const mine = "clubs/mine";
let call: Call;

function ids(value: JsonObject[string] | undefined): unknown[] {
  return list(value).map(({ id, name }) => id ?? name);
}

/** A club with three teams and two matches, of which one has two references to it, and a club with nothing. */
beforeEach(async () => {
  call = callsTo(contract);
  await call("CreateClub", { club: {}, clubId: "mine" });
  await call("CreateClub", { club: {}, clubId: "lone" });
  for (const teamId of ["a", "b", "c"]) {
    // oxlint-disable-next-line no-await-in-loop -- their order counts
    await call("CreateTeam", { parent: mine, team: {}, teamId });
  }
  await call("CreateMatch", { match: { id: 501, sides: [{ host: mine }, { host: mine }], cityId: 9 } });
  await call("CreateMatch", { match: { id: 502, sides: [{ host: "clubs/club-3" }, { host: mine }], cityId: 4 } });
  await call("CreateMatch", {
    match: { id: 503, sides: [{ host: "clubs/club-3" }, { host: "clubs/none" }], cityId: 5 },
  });
});

it.each([
  [
    "children by their names",
    "GetClubPage",
    { club: mine },
    "teams",
    ["a", "b", "c"].map((id) => `${mine}/teams/${id}`),
  ],
  [
    "the last ones asked for",
    "GetClubPage",
    { club: mine, numTeams: 2 },
    "teams",
    ["b", "c"].map((id) => `${mine}/teams/${id}`),
  ],
  ["what refers to it, each once", "GetClubPage", { club: mine }, "matches", [501, 502]],
  ["what that refers to, in the order of its list", "GetClubPage", { club: mine }, "cities", [4, 9]],
  ["nothing where nothing belongs to it", "GetClubPage", { club: "clubs/lone" }, "cities", []],
  ["references inside it that lead somewhere", "GetMatchReport", { matchId: 503 }, "clubs", ["clubs/club-3"]],
] as const)("has %s", async (_what, method, request, field, expected) => {
  expect(ids((await call(method, request))[field])).toEqual(expected);
});

it("has a single resource that is referred to, as its Get has it", async () => {
  const { city, match } = await call("GetMatchReport", { matchId: 501 });
  expect(city).toEqual(await call("GetCity", { id: 9 }));
  expect(match).toEqual(await call("GetMatch", { id: 501 }));
  await call("CreateMatch", { match: { id: 504, cityId: 4_711 } });
  expect(await call("GetMatchReport", { matchId: 504 })).not.toHaveProperty("city");
});

it("has what changed since", async () => {
  await call("DeleteTeam", { name: `${mine}/teams/b` });
  expect(ids((await call("GetClubPage", { club: mine }))["teams"])).toEqual([`${mine}/teams/a`, `${mine}/teams/c`]);
});

it.each([
  ["was deleted", "DeleteClub", { name: mine }, mine],
  ["was only validated", "CreateClub", { club: {}, clubId: "next", validateOnly: true }, "clubs/next"],
] as const)("has no children of what %s", async (_what, method, request, name) => {
  const { club, teams = [] } = await call(method, request);
  expect([club, teams]).toEqual([expect.objectContaining({ name }), []]);
  await expect(call("GetClub", { name })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

it("has the same values with a mask, also where they are made up", async () => {
  const whole = await call("GetClubPage", { club: mine });
  expect(whole["note"]).toMatch(/./);
  const { note, matches } = whole;
  expect(await call("GetClubPage", { club: mine, readMask: "note,matches" })).toEqual({ note, matches });
});
