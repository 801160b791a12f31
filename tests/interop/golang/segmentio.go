// Stories of segmentio's kafka-go: messages in every codec, and two members that share.
package main

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/segmentio/kafka-go"
)

const fetchWait = 200 * time.Millisecond

var segmentioStories = map[string]story{
	"codec": segmentioCodec,
	"group": segmentioGroup,
	"admin": segmentioAdmin,
}

var segmentioCodecs = map[string]kafka.Compression{
	"gzip":   kafka.Gzip,
	"snappy": kafka.Snappy,
	"lz4":    kafka.Lz4,
	"zstd":   kafka.Zstd,
}

func segmentioMake(ctx context.Context, where place) error {
	client := &kafka.Client{Addr: kafka.TCP(where.bootstrap)}
	topic := kafka.TopicConfig{
		Topic: where.topic, NumPartitions: partitions, ReplicationFactor: 1,
	}
	wanted := &kafka.CreateTopicsRequest{Topics: []kafka.TopicConfig{topic}}
	made, err := client.CreateTopics(ctx, wanted)
	if err != nil {
		return err
	}
	if err := made.Errors[where.topic]; err != nil {
		return err
	}
	writer := &kafka.Writer{
		Addr:         kafka.TCP(where.bootstrap),
		Topic:        where.topic,
		RequiredAcks: kafka.RequireAll,
		Compression:  segmentioCodecs[where.argument],
		Transport:    &kafka.Transport{},
	}
	defer writer.Close()
	var messages []kafka.Message
	for number := range count {
		text := []byte(strconv.Itoa(number))
		messages = append(messages, kafka.Message{
			Value:   []byte(value(number)),
			Headers: []kafka.Header{{Key: "number", Value: text}},
		})
	}
	return writer.WriteMessages(ctx, messages...)
}

func segmentioReader(where place) *kafka.Reader {
	return kafka.NewReader(kafka.ReaderConfig{
		Brokers:     []string{where.bootstrap},
		GroupID:     "group-" + where.topic,
		Topic:       where.topic,
		StartOffset: kafka.FirstOffset,
		MaxWait:     fetchWait,
	})
}

func segmentioCodec(ctx context.Context, where place) (outcome, error) {
	if err := segmentioMake(ctx, where); err != nil {
		return nil, err
	}
	reader := segmentioReader(where)
	defer reader.Close()
	var read []string
	headers := true
	for len(read) < count {
		message, err := reader.FetchMessage(ctx)
		if err != nil {
			return nil, err
		}
		number, err := strconv.Atoi(string(message.Headers[0].Value))
		headers = headers && err == nil && string(message.Value) == value(number)
		read = append(read, string(message.Value))
	}
	return outcome{"same": allOnce(read), "headers": headers}, nil
}

// segmentioGroup lets two members begin together; each commits what it reads.
func segmentioGroup(ctx context.Context, where place) (outcome, error) {
	if err := segmentioMake(ctx, where); err != nil {
		return nil, err
	}
	reading, finish := context.WithCancel(ctx)
	defer finish()
	var lock sync.Mutex
	var members sync.WaitGroup
	read := map[string]bool{}
	for range 2 {
		reader := segmentioReader(where)
		members.Go(func() {
			defer reader.Close()
			for {
				message, err := reader.ReadMessage(reading)
				if err != nil {
					return
				}
				lock.Lock()
				read[string(message.Value)] = true
				if len(read) >= count {
					finish()
				}
				lock.Unlock()
			}
		})
	}
	members.Wait()
	return outcome{"distinct": len(read)}, ctx.Err()
}

func segmentioAdmin(ctx context.Context, where place) (outcome, error) {
	if err := segmentioMake(ctx, where); err != nil {
		return nil, err
	}
	client := &kafka.Client{Addr: kafka.TCP(where.bootstrap)}
	offsets, err := client.ListOffsets(ctx, &kafka.ListOffsetsRequest{
		Topics: map[string][]kafka.OffsetRequest{
			where.topic: {kafka.LastOffsetOf(0), kafka.LastOffsetOf(1)},
		},
	})
	if err != nil {
		return nil, err
	}
	listed := 0
	for _, one := range offsets.Topics[where.topic] {
		if one.LastOffset > 0 {
			listed++
		}
	}
	deleted, err := client.DeleteTopics(ctx, &kafka.DeleteTopicsRequest{
		Topics: []string{where.topic},
	})
	if err != nil {
		return nil, err
	}
	return outcome{"listed": listed, "gone": deleted.Errors[where.topic] == nil}, nil
}
