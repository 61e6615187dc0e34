// The payload service. The generated interfaces for streams differ, so grpc.go and connect.go adapt download and upload.
package main

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	v1 "example.com/roundtrip-target/gen/roundtrip/v1"
)

const (
	defaultChunkBytes = 64 << 10
	maxChunkBytes     = 1 << 20
	maxUploadBytes    = 16 << 20
	periodBytes       = 4 << 20
	payloadSeed       = 1
)

type payloadService struct{}

// The bytes of downloads: AES-128 in counter mode, keyed with the seed (packages/contract, `incompressibleBytes`). They repeat after a period,
// and the first chunk is appended, so that a chunk near the end of the period is complete.
var downloaded = sync.OnceValue(func() []byte {
	key := make([]byte, aes.BlockSize)
	binary.BigEndian.PutUint32(key, payloadSeed)
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // The key has a valid size.
	}
	data := make([]byte, periodBytes, periodBytes+maxChunkBytes)
	cipher.NewCTR(block, make([]byte, aes.BlockSize)).XORKeyStream(data, data)
	return append(data, data[:maxChunkBytes]...)
})

func (*payloadService) Echo(_ context.Context, request *v1.EchoRequest) (*v1.EchoResponse, error) {
	return &v1.EchoResponse{Text: request.Text, Data: request.Data}, nil
}

func download(request *v1.DownloadRequest, send func(*v1.DownloadResponse) error) error {
	data := downloaded()
	size, chunk := int(request.SizeBytes), int(request.ChunkBytes)
	if chunk == 0 {
		chunk = defaultChunkBytes
	}
	for at := 0; at < size; at += chunk {
		start := at % periodBytes
		if err := send(&v1.DownloadResponse{Data: data[start : start+min(chunk, size-at)]}); err != nil {
			return err
		}
	}
	return nil
}

// receive returns io.EOF after the last request.
func upload(receive func() (*v1.UploadRequest, error)) (*v1.UploadResponse, error) {
	size, checksum := 0, uint32(0)
	for {
		request, err := receive()
		if errors.Is(err, io.EOF) {
			return &v1.UploadResponse{SizeBytes: int32(size), Crc32: checksum}, nil
		}
		if err != nil {
			return nil, err
		}
		size += len(request.Data)
		if size > maxUploadBytes {
			return nil, status.Errorf(codes.ResourceExhausted, "an upload must be at most %d bytes", maxUploadBytes)
		}
		checksum = crc32.Update(checksum, crc32.IEEETable, request.Data)
	}
}

func (*payloadService) Download(request *v1.DownloadRequest, stream grpc.ServerStreamingServer[v1.DownloadResponse]) error {
	return download(request, stream.Send)
}

func (*payloadService) Upload(stream grpc.ClientStreamingServer[v1.UploadRequest, v1.UploadResponse]) error {
	response, err := upload(stream.Recv)
	if err != nil {
		return err
	}
	return stream.SendAndClose(response)
}
