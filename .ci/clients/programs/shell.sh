# curl, grpcurl and buf curl: what a user types.
body() { printf '{"displayName":"%s","stars":3,"address":{"city":"Bern","postalCode":"3000","countryCode":"CH"}}' "$1"; }
grpc=${GRPC#http://}
case $CLIENT in
curl)
  call() { curl -sS -m 30 -H 'content-type: application/json' "$REST/v1/$1" ${2:+-d "$2"}; }
  create() { call hotels "$(body "$1")"; }
  get() { call "$1"; }
  rooms() { call hotels/hotel-1/rooms; }
  watch() { call "$RESERVATION:watch"; }
  ;;
grpcurl)
  call() { grpcurl -plaintext -max-time 30 -d "$2" "$grpc" "booking.v1.$1" 2>&1; }
  ;;
"buf curl")
  call() { "$ROOT/node_modules/.bin/buf" curl --protocol grpc --http2-prior-knowledge --schema "$PROTO" -d "$2" "$GRPC/booking.v1.$1" 2>&1; }
  ;;
"buf curl Connect")
  call() { "$ROOT/node_modules/.bin/buf" curl --schema "$PROTO" -d "$2" "$CONNECT/booking.v1.$1" 2>&1; }
  ;;
esac
if [ "$CLIENT" != curl ]; then
  create() { call CatalogService/CreateHotel "{\"hotel\":$(body "$1")}"; }
  get() { call CatalogService/GetHotel "{\"name\":\"$1\"}"; }
  rooms() { call CatalogService/ListRooms '{"parent":"hotels/hotel-1"}'; }
  watch() { call ReservationService/WatchReservation "{\"name\":\"$RESERVATION\"}"; }
fi
cell() {
  local name=$1 text=$2 pattern
  shift 2
  for pattern; do
    grep -qE -- "$pattern" <<<"$text" || { echo "$name no $pattern in $(tr -d '\n' <<<"${text:0:250}")"; return; }
  done
  echo "$name ok"
}
made=$(create "Client $CLIENT")
name=$(grep -oE 'hotels/[a-z0-9-]+' <<<"$made" | head -1)
echo "created $name"
cell connects "$(get "$name")" "Client $CLIENT"
cell typed "$(rooms)" '"kind": ?"ROOM_KIND_(SINGLE|DOUBLE|SUITE)"' '"beds": ?[1-8]\b'
cell errors "$(get hotels/none; create '')" '(NOT_FOUND|NotFound|not_found)' 'HOTEL_NOT_FOUND' '(INVALID_ARGUMENT|InvalidArgument|invalid_argument)' 'hotel\.display'
cell streams "$(watch)" eventTime
