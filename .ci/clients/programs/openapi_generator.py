"""openapi-generator's python."""
import datetime
import json
import os

import openapi_client as made
from report import client, guest_id, raised, report, reservation_id

service = made.ApiClient(made.Configuration(host=os.environ["REST"]))
catalog = made.CatalogApi(service)


def hotel(name):
    return made.Hotel(displayName=name, address=made.Address(city="Bern", postalCode="3000", countryCode="CH"), stars=3)


def connects():
    new = catalog.create_hotel(hotel(f"Client {client}"))
    assert catalog.get_hotel(new.name.split("/")[1]).display_name == new.display_name
    print("created", new.name)


def typed():
    hotels = catalog.list_hotels(page_size=2).hotels
    assert all(isinstance(each.create_time, datetime.datetime) for each in hotels) and hotels
    rooms = catalog.list_rooms("hotel-1").rooms
    assert all(isinstance(room.kind, made.RoomKind) for room in rooms) and rooms


def problem(call, *args):
    return made.Problem.from_json(raised(made.ApiException, call, *args).body)


def errors():
    missing = problem(catalog.get_hotel, "none")
    assert (missing.code, missing.reason) == ("NOT_FOUND", "HOTEL_NOT_FOUND"), missing
    # The client checks lengths itself, and calls no attribute `field`.
    invalid = problem(catalog.create_room, "hotel-1", made.Room(beds=1))
    assert invalid.violations[0].var_field.startswith("room."), invalid


def streams():
    answer = made.ReservationApi(service).watch_reservation_without_preload_content(guest_id, reservation_id)
    assert "eventTime" in json.loads(next(iter(answer)).decode().splitlines()[0]), answer


report(connects=connects, typed=typed, errors=errors, streams=streams)
