// Stories of franz-go whose promises are the broker's: exactly once, and locks on messages.
package main

import (
	"context"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// franzExactlyOnce copies a topic in transactions of a group, of which the first is aborted.
func franzExactlyOnce(ctx context.Context, where place) (outcome, error) {
	if err := franzMake(ctx, where); err != nil {
		return nil, err
	}
	copied := where.topic + "-copied"
	session, err := kgo.NewGroupTransactSession(
		kgo.SeedBrokers(where.bootstrap),
		kgo.TransactionalID("id-"+where.topic),
		kgo.ConsumerGroup("group-"+where.topic),
		kgo.ConsumeTopics(where.topic),
		kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		kgo.RequireStableFetchOffsets(),
		kgo.AllowAutoTopicCreation(),
	)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	aborted, committed := 0, 0
	for committed < count {
		moved, kept, err := franzCopy(ctx, session, copied, aborted == 0)
		if err != nil {
			return nil, err
		}
		if kept {
			committed += moved
		} else {
			aborted += moved
		}
	}
	return franzCopied(ctx, where, copied, aborted)
}

func franzCopy(
	ctx context.Context, session *kgo.GroupTransactSession, copied string, abort bool,
) (int, bool, error) {
	fetches := session.PollRecords(ctx, count/3)
	if err := fetches.Err0(); err != nil {
		return 0, false, err
	}
	if err := session.Begin(); err != nil {
		return 0, false, err
	}
	var records []*kgo.Record
	for _, record := range fetches.Records() {
		records = append(records, &kgo.Record{Topic: copied, Value: record.Value})
	}
	if err := session.ProduceSync(ctx, records...).FirstErr(); err != nil {
		return 0, false, err
	}
	kept, err := session.End(ctx, kgo.TransactionEndTry(!abort))
	return len(records), kept, err
}

func franzCopied(ctx context.Context, where place, copied string, aborted int) (outcome, error) {
	options := []kgo.Opt{kgo.ConsumeTopics(copied), kgo.FetchIsolationLevel(kgo.ReadCommitted())}
	client, err := franzClient(where, options...)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	read, err := franzRead(ctx, client, count)
	if err != nil {
		return nil, err
	}
	lags, err := kadm.NewClient(client).Lag(ctx, "group-"+where.topic)
	if err != nil {
		return nil, err
	}
	return outcome{
		"same":    allOnce(franzValues(read)),
		"aborted": aborted > 0,
		"lag":     lags["group-"+where.topic].Lag.Total(),
	}, nil
}

// franzShare gives some messages back when they come first, and takes them when they come again.
func franzShare(ctx context.Context, where place) (outcome, error) {
	if err := franzMake(ctx, where); err != nil {
		return nil, err
	}
	group := "group-" + where.topic
	client, err := franzClient(where, kgo.ShareGroup(group), kgo.ConsumeTopics(where.topic))
	if err != nil {
		return nil, err
	}
	defer client.Close()
	if err := franzEarliest(ctx, client, group); err != nil {
		return nil, err
	}
	var accepted []string
	released := 0
	for len(accepted) < count {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err0(); err != nil {
			return nil, err
		}
		for _, record := range fetches.Records() {
			if record.DeliveryCount() == 1 && len(record.Value)%3 == 0 {
				record.Ack(kgo.AckRelease)
				released++
				continue
			}
			record.Ack(kgo.AckAccept)
			accepted = append(accepted, string(record.Value))
		}
		if err := client.FlushAcks(ctx); err != nil {
			return nil, err
		}
	}
	return outcome{"same": allOnce(accepted), "released": released > 0}, nil
}

// franzEarliest lets a share group begin with a topic's first message, which it does not by itself.
func franzEarliest(ctx context.Context, client *kgo.Client, group string) error {
	config := kmsg.NewIncrementalAlterConfigsRequestResourceConfig()
	config.Name, config.Value = "share.auto.offset.reset", kmsg.StringPtr("earliest")
	resource := kmsg.NewIncrementalAlterConfigsRequestResource()
	resource.ResourceType = kmsg.ConfigResourceTypeGroupConfig
	resource.ResourceName = group
	resource.Configs = append(resource.Configs, config)
	request := kmsg.NewPtrIncrementalAlterConfigsRequest()
	request.Resources = append(request.Resources, resource)
	answered, err := request.RequestWith(ctx, client)
	if err != nil {
		return err
	}
	return kerr.ErrorForCode(answered.Resources[0].ErrorCode)
}
