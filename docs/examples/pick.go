// A bot for every game: it plays random options. It needs no packages.
//
//	go build -o pick pick.go
//	risk-cli play --ruleset warzone --bot 'cmd:./pick' --bot random
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand"
	"os"
)

var dice = rand.New(rand.NewSource(1))

// pick returns a value of a parameter, from a list or from a range of integers.
func pick(domain any) any {
	if list, ok := domain.([]any); ok {
		return list[dice.Intn(len(list))]
	}
	span := domain.(map[string]any)
	least, most := int64(span["min"].(float64)), int64(span["max"].(float64))
	return least + dice.Int63n(most-least+1)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var line json.RawMessage
		err := in.Decode(&line)
		if err == io.EOF {
			return
		}
		must(err)
		// A key may have another meaning in another type of message, so read the type first.
		var head struct{ Type string }
		must(json.Unmarshal(line, &head))
		switch head.Type {
		case "hello":
			fmt.Println(`{"type": "hello", "protocol": 1, "name": "pick"}`)
		case "game":
			var game struct{ Seed int64 }
			must(json.Unmarshal(line, &game))
			dice.Seed(game.Seed) // the same seed gives the same choices
		case "fault":
			var fault struct{ Text string }
			must(json.Unmarshal(line, &fault))
			log.Print(fault.Text) // to standard error
		case "ask":
			var ask struct {
				ID      json.RawMessage
				Options []struct {
					Verb       string
					Parameters []any
				}
			}
			must(json.Unmarshal(line, &ask))
			offer := ask.Options[dice.Intn(len(ask.Options))]
			action := []any{offer.Verb}
			for _, domain := range offer.Parameters {
				action = append(action, pick(domain))
			}
			must(out.Encode(map[string]any{"id": ask.ID, "do": action}))
		case "bye":
			return
		}
	}
}
