// Serves the contract in ../../../proto over gRPC, Connect and REST, with the data and answers of `roundtrip serve`.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/net/netutil"
)

const (
	// A larger request is RESOURCE_EXHAUSTED.
	maxRequestBytes = 4 << 20
	// Calls of one HTTP/2 connection at once; further ones wait in the client.
	maxCallsPerConnection = 1_000
	// Connections of one server at once; further ones wait to be accepted.
	maxConnections = 10_000
	// The HTTP/2 window of streams and connections, as in Roundtrip's own servers.
	windowBytes    = 4 << 20
	maxHeaderBytes = 64 << 10
	// How long a request may take to arrive, and an answer to be read.
	exchangeTimeout = 5 * time.Minute
	// How long a connection may be without a call.
	idleTimeout = 5 * time.Minute
	// How long an ending server waits for calls in flight.
	endGrace = 5 * time.Second
)

// A server of one style.
type server interface {
	// Serve returns when the server has ended.
	Serve(net.Listener) error
	// End finishes calls in flight until the context is done, and cuts off the others.
	End(context.Context)
}

// The styles by name, in the order of their ports.
var styles = []struct {
	name  string
	serve func(*services) server
}{
	{"rest", serveREST},
	{"grpc", serveGRPC},
	{"connect", serveConnect},
}

type options struct {
	host    string
	port    int
	json    bool
	threads int
	// Styles as typed: "rest", or a stack such as "rest-express".
	names []string
}

const usage = `Usage: roundtrip-target [flags] [styles...]

serve Roundtrip's contract in Go: rest by net/http, grpc by grpc-go, connect by connect-go

Without styles, all are served. A name such as rest-express counts as its style.
`

func parse(args []string) options {
	var parsed options
	flags := flag.NewFlagSet("roundtrip-target", flag.ExitOnError)
	flags.StringVar(&parsed.host, "host", "127.0.0.1", "interface to listen on")
	flags.IntVar(&parsed.port, "port", 0, "port of the first style, the others follow; 0 for free ports; the variable PORT sets it too")
	flags.BoolVar(&parsed.json, "json", false, "print one JSON document instead of text")
	flags.IntVar(&parsed.threads, "matrix-threads", 1, "matrix powers that are computed at once")
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), usage)
		flags.PrintDefaults()
	}
	if port := os.Getenv("PORT"); port != "" {
		if err := flags.Set("port", port); err != nil {
			wrongUsage("PORT must be a port, got %q", port)
		}
	}
	_ = flags.Parse(args) // Exits on errors.
	if parsed.port < 0 || parsed.port > 65_533 {
		wrongUsage("port must be 0 to 65533, got %d", parsed.port)
	}
	if parsed.threads < 1 {
		wrongUsage("matrix-threads must be at least 1, got %d", parsed.threads)
	}
	parsed.names = flags.Args()
	if len(parsed.names) == 0 {
		for _, style := range styles {
			parsed.names = append(parsed.names, style.name)
		}
	}
	return parsed
}

func wrongUsage(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "roundtrip-target: "+format+"\n", args...)
	os.Exit(64)
}

func styleOf(name string) func(*services) server {
	typed, _, _ := strings.Cut(name, "-")
	for _, style := range styles {
		if style.name == typed {
			return style.serve
		}
	}
	wrongUsage("unknown style %q; known are rest, grpc and connect", name)
	return nil
}

func fail(err error) {
	fmt.Fprintf(os.Stderr, "roundtrip-target: %v\n", err)
	os.Exit(69)
}

// Prints the addresses as `roundtrip serve` does.
func announce(names, urls []string, asJSON bool) {
	if asJSON {
		byName := make(map[string]string, len(names))
		for i, name := range names {
			byName[name] = urls[i]
		}
		document, _ := json.Marshal(byName) // Text can always be written.
		fmt.Println(string(document))
		return
	}
	for i, name := range names {
		fmt.Printf("%-8s  %s\n", name, urls[i])
	}
	fmt.Println("Ctrl-C ends it; calls in flight are finished.")
}

func main() {
	given := parse(os.Args[1:])
	ended, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	shared := newServices(given.threads)
	var servers []server
	var urls []string
	failed := make(chan error, len(given.names))
	for i, name := range given.names {
		one := styleOf(name)(shared)
		port := 0
		if given.port > 0 {
			port = given.port + i
		}
		listener, err := net.Listen("tcp", net.JoinHostPort(given.host, strconv.Itoa(port)))
		if err != nil {
			fail(err)
		}
		urls = append(urls, "http://"+listener.Addr().String())
		servers = append(servers, one)
		go func() { failed <- one.Serve(netutil.LimitListener(listener, maxConnections)) }()
	}
	announce(given.names, urls, given.json)

	select {
	case err := <-failed:
		fail(err)
	case <-ended.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), endGrace)
	defer cancel()
	var ending sync.WaitGroup
	for _, one := range servers {
		ending.Go(func() { one.End(grace) })
	}
	ending.Wait()
}
