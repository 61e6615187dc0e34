// Asks a server of the contract for its items, and for the first of them.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	v1 "example.com/inventory/gen/inventory/v1"
)

func main() {
	server := flag.String("server", "127.0.0.1:50051", "address of the server")
	flag.Parse()
	connection, err := grpc.NewClient(*server, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	client := v1.NewInventoryClient(connection)
	list, err := client.ListItems(ctx, &v1.ListItemsRequest{PageSize: 3})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range list.Items {
		fmt.Printf("%s: %s\n", item.Sku, item.Name)
	}
	if len(list.Items) == 0 {
		log.Fatal("there are no items")
	}
	sku := list.Items[0].Sku
	item, err := client.GetItem(ctx, &v1.GetItemRequest{Sku: sku})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s costs %d cents\n", item.Sku, item.PriceCents)
}
