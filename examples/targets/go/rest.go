// REST by net/http: routes from the google.api.http options of the contract, and requests and answers in ProtoJSON.
package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// A method with its HTTP rule and the generated code that calls it.
type route struct {
	method protoreflect.MethodDescriptor
	rule   httpRule
	// What follows the last path variable, as in "/v1/customers/{id}:changeId": "changeId".
	verb string
	// Fields of the request by position in the path.
	variables []fieldPath
	// Calls the method; the answer is nil for streams, which write theirs themselves.
	call func(ctx context.Context, exchange *exchange) (any, error)
	// The field of the answer that identifies a created resource; nil if the method creates none.
	created protoreflect.FieldDescriptor
}

type httpRule struct{ verb, path, body, responseBody string }

func ruleOf(method protoreflect.MethodDescriptor) httpRule {
	rule, _ := proto.GetExtension(method.Options(), annotations.E_Http).(*annotations.HttpRule)
	read := httpRule{body: rule.GetBody(), responseBody: rule.GetResponseBody()}
	switch pattern := rule.GetPattern().(type) {
	case *annotations.HttpRule_Get:
		read.verb, read.path = http.MethodGet, pattern.Get
	case *annotations.HttpRule_Put:
		read.verb, read.path = http.MethodPut, pattern.Put
	case *annotations.HttpRule_Post:
		read.verb, read.path = http.MethodPost, pattern.Post
	case *annotations.HttpRule_Delete:
		read.verb, read.path = http.MethodDelete, pattern.Delete
	case *annotations.HttpRule_Patch:
		read.verb, read.path = http.MethodPatch, pattern.Patch
	default:
		panic("no HTTP rule: " + method.FullName())
	}
	return read
}

func serveREST(all *services) server {
	byPath := map[string][]*route{}
	for _, service := range all.described() {
		found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service.desc.ServiceName))
		if err != nil {
			panic(err) // The generated code registers its files.
		}
		methods := found.(protoreflect.ServiceDescriptor).Methods()
		for i := range methods.Len() {
			one, path := newRoute(methods.Get(i), methods, service)
			byPath[path] = append(byPath[path], one)
		}
	}
	mux := http.NewServeMux()
	for path, routes := range byPath {
		mux.HandleFunc(path, func(writer http.ResponseWriter, request *http.Request) { serveRoutes(routes, writer, request) })
	}
	mux.HandleFunc("/", func(writer http.ResponseWriter, request *http.Request) {
		writeProblem(writer, http.StatusNotFound, status.Newf(codes.Unimplemented, "there is nothing at %s", request.URL.Path))
	})
	return newHTTPServer(mux)
}

func newRoute(method protoreflect.MethodDescriptor, siblings protoreflect.MethodDescriptors, service described) (one *route, path string) {
	one = &route{method: method, rule: ruleOf(method)}
	one.call = callOf(one, service)
	one.created = createdField(one, siblings)
	segments := strings.Split(one.rule.path, "/")
	for i, segment := range segments {
		if !strings.HasPrefix(segment, "{") {
			continue
		}
		name, after, _ := strings.Cut(segment[1:], "}")
		if after != "" {
			one.verb = strings.TrimPrefix(after, ":")
		}
		field, err := fieldsAlong(method.Input(), name)
		if err != nil {
			panic(err) // The contract names a field that does not exist.
		}
		// The router's variables have names of Go, without dots.
		segments[i] = "{" + variableName(len(one.variables)) + "}"
		one.variables = append(one.variables, field)
	}
	return one, strings.Join(segments, "/")
}

func variableName(position int) string {
	return "v" + strconv.Itoa(position)
}

// A POST creates a resource if a GET one segment below its path has the same answer; that segment's field identifies it.
func createdField(one *route, siblings protoreflect.MethodDescriptors) protoreflect.FieldDescriptor {
	if one.rule.verb != http.MethodPost || strings.Contains(one.rule.path, ":") {
		return nil
	}
	for i := range siblings.Len() {
		reader := siblings.Get(i)
		rule := ruleOf(reader)
		below, isBelow := strings.CutPrefix(rule.path, one.rule.path+"/{")
		name, rest, _ := strings.Cut(below, "}")
		if isBelow && rest == "" && rule.verb == http.MethodGet && reader.Output() == one.method.Output() {
			return reader.Output().Fields().ByName(protoreflect.Name(name))
		}
	}
	return nil
}

// One request and its answer.
type exchange struct {
	route   *route
	writer  http.ResponseWriter
	request *http.Request
	// The values of the path's variables, decoded.
	segments []string
	hasBegun bool
}

func serveRoutes(routes []*route, writer http.ResponseWriter, request *http.Request) {
	verb := verbIn(routes, request)
	method := request.Method
	if method == http.MethodHead {
		method = http.MethodGet // net/http leaves out the body.
	}
	var allowed []string
	for _, one := range routes {
		if one.verb != verb {
			continue
		}
		if one.rule.verb == method {
			(&exchange{route: one, writer: writer, request: request, segments: one.segments(request)}).serve()
			return
		}
		allowed = append(allowed, one.rule.verb)
		if one.rule.verb == http.MethodGet {
			allowed = append(allowed, http.MethodHead)
		}
	}
	slices.Sort(allowed)
	all := strings.Join(append(allowed, http.MethodOptions), ", ")
	writer.Header().Set("Allow", all)
	if method == http.MethodOptions {
		writer.WriteHeader(http.StatusNoContent)
		return
	}
	refused := status.Newf(codes.Unimplemented, "%s does not answer %s, but %s", request.URL.Path, request.Method, all)
	writeProblem(writer, http.StatusMethodNotAllowed, refused)
}

// The custom verb at the end of a path: "changeId" of "/v1/customers/1:changeId"; empty if no route has it.
func verbIn(routes []*route, request *http.Request) string {
	for _, one := range routes {
		if one.verb != "" && strings.HasSuffix(request.PathValue(variableName(len(one.variables)-1)), ":"+one.verb) {
			return one.verb
		}
	}
	return ""
}

func (r *route) segments(request *http.Request) []string {
	segments := make([]string, len(r.variables))
	for i := range segments {
		segments[i] = request.PathValue(variableName(i))
	}
	if r.verb != "" {
		last := len(segments) - 1
		segments[last] = strings.TrimSuffix(segments[last], ":"+r.verb)
	}
	return segments
}

const (
	timeoutHeader = "X-Request-Timeout-Ms"
	// As many digits as every program keeps exactly.
	longestTimeoutMs = 999_999_999_999_999
	// Longer time-outs are as good as none, and would not fit into a time.Duration.
	endlessMs = 1 << 32
)

func (e *exchange) serve() {
	ctx := e.request.Context()
	if texts := e.request.Header[timeoutHeader]; len(texts) > 0 {
		timeoutMs, err := strconv.ParseUint(texts[0], 10, 64)
		if err != nil || timeoutMs > longestTimeoutMs || len(texts) > 1 {
			e.fail(status.Errorf(codes.InvalidArgument, "%s must be a whole number of milliseconds", strings.ToLower(timeoutHeader)))
			return
		}
		limited, cancel := context.WithTimeout(ctx, time.Duration(min(timeoutMs, endlessMs))*time.Millisecond)
		defer cancel()
		ctx = limited
	}
	e.request.Body = http.MaxBytesReader(e.writer, e.request.Body, e.route.maxBodyBytes())
	answer, err := e.route.call(ctx, e)
	if err == nil && answer != nil {
		err = e.answer(answer.(proto.Message))
	}
	if err != nil {
		e.fail(err)
	}
}

// A stream has no limit of its own: the service counts its bytes.
func (r *route) maxBodyBytes() int64 {
	if r.method.IsStreamingClient() {
		return 1 << 40
	}
	return maxRequestBytes
}

func (e *exchange) fail(err error) {
	if e.hasBegun {
		// The status is sent: the client sees the error by the missing end of the body.
		panic(http.ErrAbortHandler)
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		writeProblem(e.writer, http.StatusRequestEntityTooLarge, status.New(codes.ResourceExhausted, "the request is too large"))
		return
	}
	failed := status.Convert(err)
	if e.route.method.IsStreamingClient() {
		// A client that still sends might not read the answer otherwise.
		_, _ = io.CopyN(io.Discard, e.request.Body, maxRequestBytes)
	}
	writeProblem(e.writer, httpStatus(failed.Code()), failed)
}

func (e *exchange) answer(message proto.Message) error {
	fields := message.ProtoReflect()
	if fields.Descriptor().FullName() == "google.protobuf.Empty" {
		e.writer.WriteHeader(http.StatusNoContent)
		return nil
	}
	text, err := writeJSON(message)
	if err != nil {
		return status.Error(codes.Internal, "internal error")
	}
	header := e.writer.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(text)))
	if field := e.route.created; field != nil {
		header.Set("Location", e.route.rule.path+"/"+url.PathEscape(fields.Get(field).String()))
		e.writer.WriteHeader(http.StatusCreated)
	}
	_, _ = e.writer.Write(text) // Fails if the caller has gone.
	return nil
}

// Calls a method by its generated code, as grpc-go does, with a reader of this request in place of gRPC's.
func callOf(one *route, service described) func(context.Context, *exchange) (any, error) {
	name := string(one.method.Name())
	for _, method := range service.desc.Methods {
		if method.MethodName == name {
			return func(ctx context.Context, e *exchange) (any, error) {
				return method.Handler(service.impl, ctx, func(request any) error { return e.read(request.(proto.Message)) }, validated)
			}
		}
	}
	for _, stream := range service.desc.Streams {
		if stream.StreamName == name {
			requireBytes(one)
			return func(ctx context.Context, e *exchange) (any, error) {
				whole := &byteStream{ctx: ctx, exchange: e}
				if err := stream.Handler(service.impl, checkedStream{whole}); err != nil {
					return nil, err
				}
				return whole.end()
			}
		}
	}
	panic("no generated code: " + one.method.FullName())
}
