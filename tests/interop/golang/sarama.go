// Stories of sarama: messages in every codec, transactions, members that share, administration.
package main

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/IBM/sarama"
)

const lookAgain = 20 * time.Millisecond

var saramaStories = map[string]story{
	"codec":         saramaCodec,
	"transactional": saramaTransactional,
	"group":         saramaGroup,
	"admin":         saramaAdmin,
}

var saramaCodecs = map[string]sarama.CompressionCodec{
	"none":   sarama.CompressionNone,
	"gzip":   sarama.CompressionGZIP,
	"snappy": sarama.CompressionSnappy,
	"lz4":    sarama.CompressionLZ4,
	"zstd":   sarama.CompressionZSTD,
}

func saramaConfig() *sarama.Config {
	config := sarama.NewConfig()
	config.Version = sarama.MaxVersion
	config.Producer.Return.Successes = true
	config.Producer.RequiredAcks = sarama.WaitForAll
	config.Producer.Idempotent = true
	config.Net.MaxOpenRequests = 1
	config.Consumer.Offsets.Initial = sarama.OffsetOldest
	config.Consumer.IsolationLevel = sarama.ReadCommitted
	config.Consumer.Group.Rebalance.GroupStrategies = []sarama.BalanceStrategy{
		sarama.NewBalanceStrategySticky(),
	}
	return config
}

func saramaMessages(topic string) []*sarama.ProducerMessage {
	var messages []*sarama.ProducerMessage
	for number := range count {
		text := []byte(strconv.Itoa(number))
		messages = append(messages, &sarama.ProducerMessage{
			Topic:   topic,
			Value:   sarama.StringEncoder(value(number)),
			Headers: []sarama.RecordHeader{{Key: []byte("number"), Value: text}},
		})
	}
	return messages
}

func saramaMake(where place, config *sarama.Config) error {
	admin, err := sarama.NewClusterAdmin([]string{where.bootstrap}, config)
	if err != nil {
		return err
	}
	defer admin.Close()
	detail := &sarama.TopicDetail{NumPartitions: partitions, ReplicationFactor: 1}
	if err := admin.CreateTopic(where.topic, detail, false); err != nil {
		return err
	}
	producer, err := sarama.NewSyncProducer([]string{where.bootstrap}, config)
	if err != nil {
		return err
	}
	defer producer.Close()
	return producer.SendMessages(saramaMessages(where.topic))
}

func saramaCodec(ctx context.Context, where place) (outcome, error) {
	config := saramaConfig()
	config.Producer.Compression = saramaCodecs[where.argument]
	if err := saramaMake(where, config); err != nil {
		return nil, err
	}
	return saramaOutcome(ctx, where, config)
}

func saramaOutcome(ctx context.Context, where place, config *sarama.Config) (outcome, error) {
	consumer, err := sarama.NewConsumer([]string{where.bootstrap}, config)
	if err != nil {
		return nil, err
	}
	defer consumer.Close()
	found := make(chan *sarama.ConsumerMessage)
	for partition := range int32(partitions) {
		one, err := consumer.ConsumePartition(where.topic, partition, sarama.OffsetOldest)
		if err != nil {
			return nil, err
		}
		go func() {
			for message := range one.Messages() {
				found <- message
			}
		}()
	}
	var read []string
	headers := true
	for len(read) < count {
		select {
		case message := <-found:
			number, err := strconv.Atoi(string(message.Headers[0].Value))
			headers = headers && err == nil && string(message.Value) == value(number)
			read = append(read, string(message.Value))
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return outcome{"same": allOnce(read), "headers": headers}, nil
}

// saramaTransactional aborts once what it then commits: a reader of what is committed sees it once.
func saramaTransactional(ctx context.Context, where place) (outcome, error) {
	config := saramaConfig()
	config.Producer.Transaction.ID = "id-" + where.topic
	producer, err := sarama.NewSyncProducer([]string{where.bootstrap}, config)
	if err != nil {
		return nil, err
	}
	defer producer.Close()
	admin, err := sarama.NewClusterAdmin([]string{where.bootstrap}, saramaConfig())
	if err != nil {
		return nil, err
	}
	defer admin.Close()
	detail := &sarama.TopicDetail{NumPartitions: partitions, ReplicationFactor: 1}
	if err := admin.CreateTopic(where.topic, detail, false); err != nil {
		return nil, err
	}
	for _, end := range []func() error{producer.AbortTxn, producer.CommitTxn} {
		if err := producer.BeginTxn(); err != nil {
			return nil, err
		}
		if err := producer.SendMessages(saramaMessages(where.topic)); err != nil {
			return nil, err
		}
		if err := end(); err != nil {
			return nil, err
		}
	}
	return saramaOutcome(ctx, where, saramaConfig())
}

// saramaMember is one of two members that together read a topic.
type saramaMember struct {
	index int
	crowd *saramaCrowd
}

type saramaCrowd struct {
	lock   sync.Mutex
	owned  [2]int
	read   []string
	finish context.CancelFunc
}

func (member saramaMember) Setup(session sarama.ConsumerGroupSession) error {
	member.crowd.lock.Lock()
	defer member.crowd.lock.Unlock()
	for _, claimed := range session.Claims() {
		member.crowd.owned[member.index] = len(claimed)
	}
	return nil
}

func (saramaMember) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (crowd *saramaCrowd) isShared() bool {
	crowd.lock.Lock()
	defer crowd.lock.Unlock()
	return crowd.owned == [2]int{partitions / 2, partitions / 2}
}

func (crowd *saramaCrowd) take(message *sarama.ConsumerMessage) {
	crowd.lock.Lock()
	defer crowd.lock.Unlock()
	crowd.read = append(crowd.read, string(message.Value))
	if len(crowd.read) >= count {
		crowd.finish()
	}
}

// ConsumeClaim takes messages only when both members own partitions, so that none is read twice.
func (member saramaMember) ConsumeClaim(
	session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim,
) error {
	for !member.crowd.isShared() {
		select {
		case <-session.Context().Done():
			return nil
		case <-time.After(lookAgain):
		}
	}
	for message := range claim.Messages() {
		member.crowd.take(message)
		session.MarkMessage(message, "")
	}
	return nil
}

func saramaGroup(ctx context.Context, where place) (outcome, error) {
	if err := saramaMake(where, saramaConfig()); err != nil {
		return nil, err
	}
	reading, finish := context.WithCancel(ctx)
	defer finish()
	crowd := &saramaCrowd{finish: finish}
	var members sync.WaitGroup
	for index := range crowd.owned {
		group, err := sarama.NewConsumerGroup(
			[]string{where.bootstrap}, "group-"+where.topic, saramaConfig(),
		)
		if err != nil {
			return nil, err
		}
		members.Go(func() {
			defer group.Close()
			for reading.Err() == nil {
				_ = group.Consume(reading, []string{where.topic}, saramaMember{index, crowd})
			}
		})
	}
	members.Wait()
	return outcome{"same": allOnce(crowd.read), "owned": crowd.owned}, ctx.Err()
}

func saramaAdmin(ctx context.Context, where place) (outcome, error) {
	if err := saramaMake(where, saramaConfig()); err != nil {
		return nil, err
	}
	admin, err := sarama.NewClusterAdmin([]string{where.bootstrap}, saramaConfig())
	if err != nil {
		return nil, err
	}
	defer admin.Close()
	if err := admin.CreatePartitions(where.topic, partitions+2, nil, false); err != nil {
		return nil, err
	}
	grown := 0
	if _, err := until(ctx, func() (bool, error) {
		topics, err := admin.DescribeTopics([]string{where.topic})
		if err != nil {
			return false, err
		}
		grown = len(topics[0].Partitions)
		return grown == partitions+2, nil
	}); err != nil {
		return nil, err
	}
	brokers, controller, err := admin.DescribeCluster()
	if err != nil {
		return nil, err
	}
	if err := admin.DeleteRecords(where.topic, map[int32]int64{0: 1}); err != nil {
		return nil, err
	}
	if err := admin.DeleteTopic(where.topic); err != nil {
		return nil, err
	}
	gone, err := until(ctx, func() (bool, error) {
		left, err := admin.ListTopics()
		_, kept := left[where.topic]
		return !kept, err
	})
	return outcome{
		"partitions": grown,
		"brokers":    len(brokers),
		"controlled": controller >= 0,
		"gone":       gone,
	}, err
}
