"""The package that openapi-python-client makes."""
import datetime
import os

from made.booking_api_client import Client, models
from made.booking_api_client.api.catalog import create_hotel, get_hotel, list_hotels, list_rooms
from made.booking_api_client.api.reservation import watch_reservation
from report import client, guest_id, report, reservation_id

service = Client(base_url=os.environ["REST"], timeout=30)


def hotel(name):
    return models.Hotel(
        display_name=name, address=models.Address(city="Bern", postal_code="3000", country_code="CH"), stars=3
    )


def connects():
    made = create_hotel.sync(client=service, body=hotel(f"Client {client}"))
    assert get_hotel.sync(made.name.split("/")[1], client=service).display_name == made.display_name
    print("created", made.name)


def typed():
    hotels = list_hotels.sync(client=service, page_size=2).hotels
    assert all(isinstance(each.create_time, datetime.datetime) for each in hotels) and hotels
    rooms = list_rooms.sync("hotel-1", client=service).rooms
    assert all(isinstance(room.kind, models.RoomKind) for room in rooms) and rooms


def errors():
    missing = get_hotel.sync("none", client=service)
    assert (missing.code, missing.reason) == (models.ProblemCode.NOT_FOUND, "HOTEL_NOT_FOUND"), missing
    invalid = create_hotel.sync(client=service, body=hotel(""))
    assert invalid.violations[0].field == "hotel.displayName", invalid


def streams():
    answer = watch_reservation.sync_detailed(guest_id, reservation_id, client=service)
    assert b"eventTime" in answer.content, answer


report(connects=connects, typed=typed, errors=errors, streams=streams)
