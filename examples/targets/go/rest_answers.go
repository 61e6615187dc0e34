// Errors over REST as problem details (RFC 9457), and streams as bodies of bytes.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// The HTTP statuses of google/rpc/code.proto.
var httpStatuses = map[codes.Code]int{
	codes.Canceled:           499,
	codes.InvalidArgument:    http.StatusBadRequest,
	codes.DeadlineExceeded:   http.StatusGatewayTimeout,
	codes.NotFound:           http.StatusNotFound,
	codes.AlreadyExists:      http.StatusConflict,
	codes.PermissionDenied:   http.StatusForbidden,
	codes.ResourceExhausted:  http.StatusTooManyRequests,
	codes.FailedPrecondition: http.StatusBadRequest,
	codes.Aborted:            http.StatusConflict,
	codes.OutOfRange:         http.StatusBadRequest,
	codes.Unimplemented:      http.StatusNotImplemented,
	codes.Unavailable:        http.StatusServiceUnavailable,
	codes.Unauthenticated:    http.StatusUnauthorized,
}

func httpStatus(failed codes.Code) int {
	if known, ok := httpStatuses[failed]; ok {
		return known
	}
	return http.StatusInternalServerError
}

type problem struct {
	Type       string            `json:"type"`
	Title      string            `json:"title"`
	Status     int               `json:"status"`
	Detail     string            `json:"detail"`
	Code       string            `json:"code"`
	Reason     string            `json:"reason,omitempty"`
	Domain     string            `json:"domain,omitempty"`
	Metadata   map[string]string `json:"metadata,omitempty"`
	Violations []violation       `json:"violations,omitempty"`
}

type violation struct {
	Field       string `json:"field"`
	Description string `json:"description"`
	Reason      string `json:"reason"`
}

func writeProblem(writer http.ResponseWriter, httpStatus int, failed *status.Status) {
	title := http.StatusText(httpStatus)
	if title == "" {
		title = "Client Closed Request"
	}
	detail := failed.Message()
	document := problem{
		Type:   "about:blank",
		Title:  title,
		Status: httpStatus,
		Code:   code.Code(failed.Code()).String(),
	}
	for _, value := range failed.Details() {
		switch one := value.(type) {
		case *errdetails.ErrorInfo:
			document.Reason, document.Domain, document.Metadata = one.Reason, one.Domain, one.Metadata
		case *errdetails.BadRequest:
			for _, broken := range one.FieldViolations {
				spelled := jsonPath(broken.Field)
				if document.Violations == nil {
					// The message begins with the first field.
					detail = spelled + strings.TrimPrefix(detail, broken.Field)
				}
				document.Violations = append(document.Violations, violation{spelled, broken.Description, broken.Reason})
			}
		}
	}
	document.Detail = detail
	text, _ := json.Marshal(document) // Text can always be written.
	writer.Header().Set("Content-Type", "application/problem+json")
	writer.WriteHeader(httpStatus)
	_, _ = writer.Write(text) // Fails if the caller has gone.
}

// A field as REST spells it: "customer.phone_number" is "customer.phoneNumber".
func jsonPath(path string) string {
	first, rest, _ := strings.Cut(path, "_")
	for rest != "" {
		var part string
		part, rest, _ = strings.Cut(rest, "_")
		if part != "" {
			first += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return first
}

// protojson puts a space after colons and commas in some builds, so that nobody relies on its bytes. Here builds are compared by their bytes.
var hasSpaces = sync.OnceValue(func() bool {
	sample, err := protojson.Marshal(&errdetails.ErrorInfo{Reason: "a", Domain: "b"})
	return err != nil || bytes.ContainsRune(sample, ' ')
})

func writeJSON(message proto.Message) ([]byte, error) {
	text, err := protojson.Marshal(message)
	if err != nil || !hasSpaces() {
		return text, err
	}
	var compact bytes.Buffer
	err = json.Compact(&compact, text)
	return compact.Bytes(), err
}

// The largest piece of a body that becomes one message.
const pieceBytes = 64 << 10

// A stream whose messages are the bytes of one field, joined.
type byteStream struct {
	*exchange
	ctx      context.Context
	hasRead  bool
	response any
}

// Panics unless the rule names fields of bytes for the streams of the method: other streams are not in this contract.
func requireBytes(one *route) {
	for _, side := range []struct {
		isStream bool
		message  protoreflect.MessageDescriptor
		field    string
	}{
		{one.method.IsStreamingClient(), one.method.Input(), one.rule.body},
		{one.method.IsStreamingServer(), one.method.Output(), one.rule.responseBody},
	} {
		field := side.message.Fields().ByName(protoreflect.Name(side.field))
		if side.isStream && (field == nil || field.Kind() != protoreflect.BytesKind) {
			panic("streams of other values than bytes are not supported: " + one.method.FullName())
		}
	}
}

func (s *byteStream) Context() context.Context     { return s.ctx }
func (s *byteStream) SetHeader(metadata.MD) error  { return nil }
func (s *byteStream) SendHeader(metadata.MD) error { return nil }
func (s *byteStream) SetTrailer(metadata.MD)       {}

func (s *byteStream) RecvMsg(request any) error {
	message := request.(proto.Message).ProtoReflect()
	if s.route.method.IsStreamingClient() {
		piece := make([]byte, pieceBytes)
		count, err := io.ReadFull(s.request.Body, piece)
		if count > 0 {
			field := message.Descriptor().Fields().ByName(protoreflect.Name(s.route.rule.body))
			message.Set(field, protoreflect.ValueOfBytes(piece[:count]))
			return nil
		}
		return err
	}
	if s.hasRead {
		return io.EOF
	}
	s.hasRead = true
	return s.read(message.Interface())
}

func (s *byteStream) SendMsg(response any) error {
	if !s.route.method.IsStreamingServer() {
		s.response = response
		return nil
	}
	message := response.(proto.Message).ProtoReflect()
	field := message.Descriptor().Fields().ByName(protoreflect.Name(s.route.rule.responseBody))
	s.begin()
	if _, err := s.writer.Write(message.Get(field).Bytes()); err != nil {
		return status.Error(codes.Canceled, "the caller has gone")
	}
	return http.NewResponseController(s.writer).Flush()
}

func (s *byteStream) begin() {
	if !s.hasBegun {
		s.hasBegun = true
		s.writer.Header().Set("Content-Type", "application/octet-stream")
	}
}

// The answer to a stream of requests; nil if it was a stream itself.
func (s *byteStream) end() (any, error) {
	if s.route.method.IsStreamingServer() {
		s.begin()
		return nil, nil
	}
	if s.response == nil {
		return nil, errors.New("the method gave no answer")
	}
	return s.response, nil
}
