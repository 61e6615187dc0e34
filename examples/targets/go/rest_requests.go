// Requests over REST: fields from the path, the query and the body.
package main

import (
	"fmt"
	"io"
	"mime"
	"net/url"
	"strconv"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
)

// Unknown members are refused, as an unknown query parameter is: it would be lost.
var readJSON = protojson.UnmarshalOptions{RecursionLimit: 100}

// A field inside nested messages: "customer.id".
type fieldPath []protoreflect.FieldDescriptor

// Fields have the name of the contract or that of ProtoJSON.
func fieldsAlong(message protoreflect.MessageDescriptor, name string) (fieldPath, error) {
	var path fieldPath
	for part := range strings.SplitSeq(name, ".") {
		if message == nil {
			return nil, fmt.Errorf("%s: no such field", name)
		}
		field := message.Fields().ByName(protoreflect.Name(part))
		if field == nil {
			field = message.Fields().ByJSONName(part)
		}
		if field == nil {
			return nil, fmt.Errorf("%s: no such field", name)
		}
		path, message = append(path, field), field.Message()
	}
	return path, nil
}

func badField(name, why string) error {
	return invalid(&errdetails.BadRequest_FieldViolation{Field: name, Description: why, Reason: "json"})
}

func badRequest(format string, args ...any) error {
	return status.Errorf(codes.InvalidArgument, format, args...)
}

func (e *exchange) read(request proto.Message) error {
	if err := e.readBody(request.ProtoReflect()); err != nil {
		return err
	}
	for i, path := range e.route.variables {
		if err := path.set(request.ProtoReflect(), e.segments[i]); err != nil {
			return err
		}
	}
	return e.readQuery(request.ProtoReflect())
}

func (e *exchange) readBody(request protoreflect.Message) error {
	named := e.route.rule.body
	if named == "" {
		return nil
	}
	body, err := io.ReadAll(e.request.Body)
	if err != nil || len(body) == 0 {
		return err
	}
	if kind, _, _ := mime.ParseMediaType(e.request.Header.Get("Content-Type")); kind != "application/json" {
		return badRequest("the body must be application/json")
	}
	if named != "*" {
		request = request.Mutable(request.Descriptor().Fields().ByName(protoreflect.Name(named))).Message()
	}
	if err := readJSON.Unmarshal(body, request.Interface()); err != nil {
		return badRequest("the body is not valid: %v", err)
	}
	return nil
}

func (e *exchange) readQuery(request protoreflect.Message) error {
	if e.request.URL.RawQuery == "" {
		return nil
	}
	query, err := url.ParseQuery(e.request.URL.RawQuery)
	if err != nil {
		return badRequest("the query is not valid: %v", err)
	}
	for name, values := range query {
		path, err := fieldsAlong(request.Descriptor(), name)
		if err != nil || e.isElsewhere(path) {
			return badField(name, "there is no such query parameter")
		}
		if len(values) > 1 {
			return badField(name, "given more than once")
		}
		if err := path.set(request, values[0]); err != nil {
			return err
		}
	}
	return nil
}

// Whether the body or the path has this field.
func (e *exchange) isElsewhere(path fieldPath) bool {
	if body := e.route.rule.body; body == "*" || body == string(path[0].Name()) {
		return true
	}
	for _, variable := range e.route.variables {
		if variable[0] == path[0] {
			return true
		}
	}
	return false
}

func (p fieldPath) set(message protoreflect.Message, text string) error {
	last := len(p) - 1
	for _, field := range p[:last] {
		message = message.Mutable(field).Message()
	}
	field := p[last]
	value, err := valueOf(field, text)
	if err != nil {
		return badField(p.String(), fmt.Sprintf("cannot be %q", text))
	}
	message.Set(field, value)
	return nil
}

func (p fieldPath) String() string {
	names := make([]string, len(p))
	for i, field := range p {
		names[i] = string(field.Name())
	}
	return strings.Join(names, ".")
}

// The types that this contract has in URLs.
func valueOf(field protoreflect.FieldDescriptor, text string) (protoreflect.Value, error) {
	if field.IsList() || field.IsMap() {
		return protoreflect.Value{}, fmt.Errorf("%s: lists and maps are not supported in a URL", field.FullName())
	}
	switch field.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(text), nil
	case protoreflect.Int32Kind:
		number, err := strconv.ParseInt(text, 10, 32)
		return protoreflect.ValueOfInt32(int32(number)), err
	case protoreflect.MessageKind:
		if field.Message().FullName() == "google.protobuf.FieldMask" {
			return protoreflect.ValueOfMessage(maskOf(text).ProtoReflect()), nil
		}
	}
	return protoreflect.Value{}, fmt.Errorf("%s: %s is not supported in a URL", field.FullName(), field.Kind())
}

// A mask in ProtoJSON is one text: "name,phoneNumber". protojson refuses "*", which names all fields.
func maskOf(text string) *fieldmaskpb.FieldMask {
	mask := &fieldmaskpb.FieldMask{}
	for path := range strings.SplitSeq(text, ",") {
		if path != "" {
			mask.Paths = append(mask.Paths, snakeCase(path))
		}
	}
	return mask
}

func snakeCase(jsonName string) string {
	var name strings.Builder
	for _, letter := range jsonName {
		if 'A' <= letter && letter <= 'Z' {
			name.WriteRune('_')
			letter += 'a' - 'A'
		}
		name.WriteRune(letter)
	}
	return name.String()
}
