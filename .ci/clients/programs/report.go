// A line for each cell, as report.ts has them.
package report

import (
	"fmt"
	"os"
	"strings"
)

var Client = os.Getenv("CLIENT")
var Reservation = os.Getenv("RESERVATION")

func Say(cell string, err error, holds bool, got any) {
	switch {
	case err != nil:
		fmt.Println(cell, strings.ReplaceAll(err.Error(), "\n", " "))
	case !holds:
		fmt.Println(cell, "got", got)
	default:
		fmt.Println(cell, "ok")
	}
}
