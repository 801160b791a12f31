// Stories of franz-go: plain messages, groups of both protocols, transactions, share groups.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"strconv"
	"sync"

	"github.com/jcmturner/gokrb5/v8/client"
	"github.com/jcmturner/gokrb5/v8/config"
	"github.com/jcmturner/gokrb5/v8/keytab"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/kerberos"
	"github.com/twmb/franz-go/pkg/sasl/oauth"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

var franzStories = map[string]story{
	"codec":       franzCodec,
	"rebalance":   franzRebalance,
	"exactlyonce": franzExactlyOnce,
	"share":       franzShare,
	"regex":       franzRegex,
	"admin":       franzAdmin,
}

var franzCodecs = map[string]kgo.CompressionCodec{
	"none":   kgo.NoCompression(),
	"gzip":   kgo.GzipCompression(),
	"snappy": kgo.SnappyCompression(),
	"lz4":    kgo.Lz4Compression(),
	"zstd":   kgo.ZstdCompression(),
}

func franzClient(where place, options ...kgo.Opt) (*kgo.Client, error) {
	secured, err := franzSecured()
	if err != nil {
		return nil, err
	}
	options = append(options, secured...)
	return kgo.NewClient(append(options, kgo.SeedBrokers(where.bootstrap))...)
}

var tlsVersions = map[string]uint16{"TLSv1.2": tls.VersionTLS12, "TLSv1.3": tls.VersionTLS13}

// franzSecured is TLS where a file of authorities is named, and a login where a mechanism is.
func franzSecured() ([]kgo.Opt, error) {
	var secured []kgo.Opt
	if mechanism := os.Getenv("SASL_MECHANISM"); mechanism == "GSSAPI" {
		secured = append(secured, kgo.SASL(kerberos.Kerberos(franzTickets)))
	} else if mechanism != "" {
		secured = append(secured, kgo.SASL(franzLogin(mechanism)))
	}
	path := os.Getenv("CA_FILE")
	if path == "" {
		return secured, nil
	}
	authorities, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(authorities)
	version := tlsVersions[os.Getenv("TLS_VERSION")]
	protection := &tls.Config{RootCAs: trusted, MinVersion: version, MaxVersion: version}
	if keys := os.Getenv("KEY_FILE"); keys != "" {
		own, err := tls.LoadX509KeyPair(keys, keys)
		if err != nil {
			return nil, err
		}
		protection.Certificates = []tls.Certificate{own}
	}
	return append(secured, kgo.DialTLSConfig(protection)), nil
}

// franzTickets are those that KEYTAB and krb5.conf of the environment lead to.
func franzTickets(context.Context) (kerberos.Auth, error) {
	realm, err := config.Load(os.Getenv("KRB5_CONFIG"))
	if err != nil {
		return kerberos.Auth{}, err
	}
	keys, err := keytab.Load(os.Getenv("KEYTAB"))
	if err != nil {
		return kerberos.Auth{}, err
	}
	name := os.Getenv("USER_NAME")
	asks := client.NewWithKeytab(name, realm.LibDefaults.DefaultRealm, keys, realm)
	return kerberos.Auth{Client: asks, Service: "kafka"}, nil
}

func franzLogin(mechanism string) sasl.Mechanism {
	user, password := os.Getenv("USER_NAME"), os.Getenv("USER_PASSWORD")
	switch login := (scram.Auth{User: user, Pass: password}); mechanism {
	case "SCRAM-SHA-256":
		return login.AsSha256Mechanism()
	case "SCRAM-SHA-512":
		return login.AsSha512Mechanism()
	case "OAUTHBEARER":
		return oauth.Auth{Token: os.Getenv("TOKEN")}.AsMechanism()
	default:
		return plain.Auth{User: user, Pass: password}.AsMechanism()
	}
}

// franzMake makes the topic, and fills it with messages whose header tells their number.
func franzMake(ctx context.Context, where place, options ...kgo.Opt) error {
	client, err := franzClient(where, options...)
	if err != nil {
		return err
	}
	defer client.Close()
	if _, err := kadm.NewClient(client).CreateTopic(ctx, partitions, 1, nil, where.topic); err != nil {
		return err
	}
	return franzFill(ctx, client, where.topic)
}

func franzFill(ctx context.Context, client *kgo.Client, topic string) error {
	var records []*kgo.Record
	for number := range count {
		records = append(records, &kgo.Record{
			Topic:   topic,
			Key:     []byte(strconv.Itoa(number % 7)),
			Value:   []byte(value(number)),
			Headers: []kgo.RecordHeader{{Key: "number", Value: []byte(strconv.Itoa(number))}},
		})
	}
	return client.ProduceSync(ctx, records...).FirstErr()
}

func franzRead(ctx context.Context, client *kgo.Client, wanted int) ([]*kgo.Record, error) {
	var read []*kgo.Record
	for len(read) < wanted {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err0(); err != nil {
			return nil, fmt.Errorf("%d of %d messages were read: %w", len(read), wanted, err)
		}
		read = append(read, fetches.Records()...)
	}
	return read, nil
}

func franzValues(records []*kgo.Record) []string {
	var values []string
	for _, record := range records {
		values = append(values, string(record.Value))
	}
	return values
}

func franzCodec(ctx context.Context, where place) (outcome, error) {
	codec := kgo.ProducerBatchCompression(franzCodecs[where.argument])
	if err := franzMake(ctx, where, codec); err != nil {
		return nil, err
	}
	client, err := franzClient(where, kgo.ConsumeTopics(where.topic))
	if err != nil {
		return nil, err
	}
	defer client.Close()
	read, err := franzRead(ctx, client, count)
	if err != nil {
		return nil, err
	}
	headers := true
	for _, record := range read {
		number, err := strconv.Atoi(string(record.Headers[0].Value))
		headers = headers && err == nil && string(record.Value) == value(number)
	}
	return outcome{"same": allOnce(franzValues(read)), "headers": headers}, nil
}

// franzRebalance lets a second member take partitions from the first, which gives them up in order.
func franzRebalance(ctx context.Context, where place) (outcome, error) {
	if err := franzMake(ctx, where); err != nil {
		return nil, err
	}
	shared := make(chan struct{})
	var once sync.Once
	member := func() (*kgo.Client, error) {
		options := []kgo.Opt{
			kgo.ConsumerGroup("group-" + where.topic),
			kgo.ConsumeTopics(where.topic),
			kgo.OnPartitionsRevoked(func(_ context.Context, _ *kgo.Client, lost map[string][]int32) {
				if len(lost[where.topic]) > 0 {
					once.Do(func() { close(shared) })
				}
			}),
		}
		if where.argument == "consumer" {
			options = append(options, kgo.ServerSideBalancer())
		} else {
			options = append(options, kgo.Balancers(kgo.CooperativeStickyBalancer()))
		}
		return franzClient(where, options...)
	}
	first, err := member()
	if err != nil {
		return nil, err
	}
	defer first.Close()
	early, err := franzRead(ctx, first, count)
	if err != nil {
		return nil, err
	}
	if err := first.CommitUncommittedOffsets(ctx); err != nil {
		return nil, err
	}
	second, err := member()
	if err != nil {
		return nil, err
	}
	defer second.Close()
	late, counts, err := franzCrowd(ctx, where, []*kgo.Client{first, second}, shared)
	if err != nil {
		return nil, err
	}
	return outcome{
		"early":  allOnce(franzValues(early)),
		"late":   allOnce(late),
		"shared": counts[0] > 0 && counts[1] > 0,
	}, nil
}

// franzCrowd polls with all members; once partitions moved, new messages are produced and read.
func franzCrowd(
	ctx context.Context, where place, members []*kgo.Client, shared <-chan struct{},
) ([]string, []int, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var lock sync.Mutex
	var group sync.WaitGroup
	var late []string
	counts := make([]int, len(members))
	for index, member := range members {
		group.Go(func() {
			for ctx.Err() == nil {
				values := franzValues(member.PollFetches(ctx).Records())
				lock.Lock()
				late, counts[index] = append(late, values...), counts[index]+len(values)
				if len(late) >= count {
					stop()
				}
				lock.Unlock()
			}
		})
	}
	select {
	case <-shared:
	case <-ctx.Done():
		return nil, nil, fmt.Errorf("no partition was given up: %w", ctx.Err())
	}
	if err := franzFill(ctx, members[0], where.topic); err != nil && ctx.Err() == nil {
		return nil, nil, err
	}
	group.Wait()
	return late, counts, nil
}

func franzRegex(ctx context.Context, where place) (outcome, error) {
	if err := franzMake(ctx, where); err != nil {
		return nil, err
	}
	client, err := franzClient(
		where,
		kgo.ConsumerGroup("group-"+where.topic),
		kgo.ServerSideBalancer(),
		kgo.ConsumeRegex(),
		kgo.ConsumeTopics("^"+where.topic[:len(where.topic)-1]+".$"),
	)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	read, err := franzRead(ctx, client, count)
	return outcome{"same": allOnce(franzValues(read))}, err
}
