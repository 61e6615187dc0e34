// The client that oapi-codegen makes.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"example.com/booking/api"
	"example.com/booking/report"
)

var ctx = context.Background()

func main() {
	rest, err := api.NewClientWithResponses(os.Getenv("REST"))
	if err != nil {
		panic(err)
	}
	city, code, country, name := "Bern", "3000", "CH", "Client "+report.Client
	hotel := api.CreateHotelJSONRequestBody{DisplayName: name, Address: api.Address{City: &city, PostalCode: &code, CountryCode: &country}}
	made, err := rest.CreateHotelWithResponse(ctx, nil, hotel)
	if err == nil && made.JSON201 != nil {
		fmt.Println("created", *made.JSON201.Name)
		read, failed := rest.GetHotelWithResponse(ctx, strings.Split(*made.JSON201.Name, "/")[1], nil)
		report.Say("connects", failed, read != nil && read.JSON200 != nil && *read.JSON200.DisplayName == name, read)
	} else {
		report.Say("connects", err, false, made)
	}
	rooms, err := rest.ListRoomsWithResponse(ctx, "hotel-1", nil)
	report.Say("typed", err, rooms != nil && rooms.JSON200 != nil && len(*rooms.JSON200.Rooms) > 0 && (*rooms.JSON200.Rooms)[0].Kind.Valid(), rooms)
	missing, err := rest.GetHotelWithResponse(ctx, "none", nil)
	invalid, failed := rest.CreateHotelWithResponse(ctx, nil, api.CreateHotelJSONRequestBody{})
	if err == nil {
		err = failed
	}
	holds := err == nil && missing.ApplicationproblemJSONDefault != nil && *missing.ApplicationproblemJSONDefault.Reason == "HOTEL_NOT_FOUND" &&
		invalid.ApplicationproblemJSON400 != nil && strings.HasPrefix((*invalid.ApplicationproblemJSON400.Violations)[0].Field, "hotel.")
	report.Say("errors", err, holds, fmt.Sprint(missing, invalid))
	parts := strings.Split(report.Reservation, "/")
	watched, err := rest.WatchReservationWithResponse(ctx, parts[1], parts[3], nil)
	report.Say("streams", err, watched != nil && bytes.Contains(watched.Body, []byte("eventTime")), watched)
}
