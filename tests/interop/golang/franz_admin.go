// The story of kadm, the administrator's half of franz-go: one call of each kind one node answers.
package main

import (
	"context"
	"errors"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
)

func franzAdmin(ctx context.Context, where place) (outcome, error) {
	if err := franzMake(ctx, where); err != nil {
		return nil, err
	}
	client, err := franzClient(where)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	admin := kadm.NewClient(client)
	told := outcome{}
	for _, tell := range []func(context.Context, *kadm.Client, string, outcome) error{
		franzMore, franzConfigs, franzOffsets, franzGroupOffsets, franzCluster,
	} {
		if err := tell(ctx, admin, where.topic, told); err != nil {
			return nil, err
		}
	}
	_, err = franzFinds(ctx, where, func(topics kadm.TopicDetails) bool {
		told["partitions"] = len(topics[where.topic].Partitions)
		return told["partitions"] == partitions+2
	})
	if err != nil {
		return nil, err
	}
	if _, err := admin.DeleteTopic(ctx, where.topic); err != nil {
		return nil, err
	}
	told["gone"], err = franzFinds(ctx, where, func(topics kadm.TopicDetails) bool {
		return !topics.Has(where.topic)
	})
	return told, err
}

func franzMore(ctx context.Context, admin *kadm.Client, topic string, told outcome) error {
	_, err := admin.CreateTopic(ctx, 1, 1, nil, topic)
	told["exists"] = errors.Is(err, kerr.TopicAlreadyExists)
	_, err = admin.UpdatePartitions(ctx, partitions+2, topic)
	return err
}

func franzConfigs(ctx context.Context, admin *kadm.Client, topic string, told outcome) error {
	hour := "3600000"
	change := kadm.AlterConfig{Op: kadm.SetConfig, Name: "retention.ms", Value: &hour}
	if _, err := admin.AlterTopicConfigs(ctx, []kadm.AlterConfig{change}, topic); err != nil {
		return err
	}
	_, err := until(ctx, func() (bool, error) {
		described, err := admin.DescribeTopicConfigs(ctx, topic)
		if err != nil {
			return false, err
		}
		for _, config := range described[0].Configs {
			if config.Key == "retention.ms" {
				told["retention"] = config.MaybeValue()
			}
		}
		return told["retention"] == hour, nil
	})
	return err
}

func franzOffsets(ctx context.Context, admin *kadm.Client, topic string, told outcome) error {
	var ends kadm.ListedOffsets
	_, err := until(ctx, func() (bool, error) {
		var err error
		ends, err = admin.ListEndOffsets(ctx, topic)
		return ends.Error() == nil, err
	})
	if err != nil {
		return err
	}
	total := int64(0)
	ends.Each(func(end kadm.ListedOffset) { total += end.Offset })
	told["messages"] = total
	wanted := kadm.Offsets{}
	wanted.AddOffset(topic, 0, 2, -1)
	if _, err := admin.DeleteRecords(ctx, wanted); err != nil {
		return err
	}
	starts, err := admin.ListStartOffsets(ctx, topic)
	start, _ := starts.Lookup(topic, 0)
	told["start"] = start.Offset
	return err
}

func franzGroupOffsets(ctx context.Context, admin *kadm.Client, topic string, told outcome) error {
	group := "offsets-" + topic
	wanted := kadm.Offsets{}
	wanted.AddOffset(topic, 1, 7, 0)
	if err := admin.CommitAllOffsets(ctx, group, wanted); err != nil {
		return err
	}
	fetched, err := admin.FetchOffsets(ctx, group)
	if err != nil {
		return err
	}
	committed, _ := fetched.Lookup(topic, 1)
	told["committed"] = committed.At
	groups, err := admin.DescribeGroups(ctx, group)
	if err != nil {
		return err
	}
	told["state"] = groups[group].State
	if _, err := admin.DeleteGroup(ctx, group); err != nil {
		return err
	}
	listed, err := admin.ListGroups(ctx)
	_, kept := listed[group]
	told["group_gone"] = !kept
	return err
}

func franzCluster(ctx context.Context, admin *kadm.Client, _ string, told outcome) error {
	brokers, err := admin.ListBrokers(ctx)
	if err != nil {
		return err
	}
	told["brokers"] = len(brokers)
	logs, err := admin.DescribeAllLogDirs(ctx, nil)
	if err != nil {
		return err
	}
	size := int64(0)
	logs.Each(func(directory kadm.DescribedLogDir) { size += directory.Size() })
	told["sized"] = size > 0
	_, err = admin.ApiVersions(ctx)
	return err
}

// franzFinds asks with clients of its own: one that listed topics before answers from memory.
func franzFinds(
	ctx context.Context, where place, wanted func(kadm.TopicDetails) bool,
) (bool, error) {
	return until(ctx, func() (bool, error) {
		client, err := franzClient(where)
		if err != nil {
			return false, err
		}
		defer client.Close()
		topics, err := kadm.NewClient(client).ListTopics(ctx)
		return wanted(topics), err
	})
}
