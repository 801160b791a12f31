// What programs do with the clients for Go: one story per run, whose outcome is one JSON line.
//
//	stories HOST:PORT CLIENT STORY TOPIC [ARGUMENT]
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

const (
	patience   = 30 * time.Second
	pause      = 100 * time.Millisecond
	partitions = 4
	count      = 300
)

// place is a node, and a topic on it that only this run uses.
type place struct {
	bootstrap, topic, argument string
}

type outcome map[string]any

type story func(context.Context, place) (outcome, error)

var clients = map[string]map[string]story{
	"franz":     franzStories,
	"sarama":    saramaStories,
	"segmentio": segmentioStories,
}

func value(number int) string {
	text := ""
	for range 20 {
		text += fmt.Sprintf("value %d ", number)
	}
	return text
}

// allOnce tells whether what was read is what `count` messages carried, each one time.
func allOnce(read []string) bool {
	seen := map[string]bool{}
	for _, one := range read {
		seen[one] = true
	}
	for number := range count {
		if !seen[value(number)] {
			return false
		}
	}
	return len(read) == count
}

// until looks again and again: what is changed is known to one node after the other.
func until(ctx context.Context, look func() (bool, error)) (bool, error) {
	for {
		found, err := look()
		if found || err != nil {
			return found, err
		}
		select {
		case <-ctx.Done():
			return false, nil
		case <-time.After(pause):
		}
	}
}

func run() error {
	if len(os.Args) < 5 {
		return fmt.Errorf("HOST:PORT CLIENT STORY TOPIC [ARGUMENT] are wanted")
	}
	where := place{bootstrap: os.Args[1], topic: os.Args[4]}
	if len(os.Args) > 5 {
		where.argument = os.Args[5]
	}
	tell, known := clients[os.Args[2]][os.Args[3]]
	if !known {
		return fmt.Errorf("%s has no story %s", os.Args[2], os.Args[3])
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	told, err := tell(ctx, where)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(told)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
