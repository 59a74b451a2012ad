// Receives Zimbo's webhooks. Go 1.21 or later, nothing to install.
//
//	ZIMBO_WEBHOOK_SECRET=whsec_… ZIMBO_API_KEY=sk_test_… go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	maxBytes = 4 << 20
	maxAge   = 5 * time.Minute
)

var (
	secret   = setting("ZIMBO_WEBHOOK_SECRET", "")
	apiKey   = setting("ZIMBO_API_KEY", "")
	apiURL   = setting("ZIMBO_URL", "http://127.0.0.1:3000")
	folder   = setting("RECEIVER_FOLDER", "received")
	inbox    = filepath.Join(folder, "inbox")
	done     = filepath.Join(folder, "done")
	statuses = filepath.Join(folder, "statuses")

	resources = map[string]string{"payment": "payments", "refund": "refunds", "checkout": "checkout/sessions"}
	client    = http.Client{Timeout: 10 * time.Second}
)

type event struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Data object `json:"data"`
}

type object struct {
	ID     string `json:"id"`
	Status string `json:"status"`
}

// isGenuine checks the signature, which covers the time and the raw bytes. During a rotation, two secrets sign.
func isGenuine(header http.Header, body []byte) bool {
	timestamp := header.Get("X-Service-Timestamp")
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := []byte(hex.EncodeToString(mac.Sum(nil)))
	for _, name := range []string{"X-Service-Signature", "X-Service-Signature-Next"} {
		if hmac.Equal(expected, []byte(header.Get(name))) {
			sent, err := strconv.ParseInt(timestamp, 10, 64)
			return err == nil && time.Since(time.Unix(sent, 0)).Abs() <= maxAge
		}
	}
	return false
}

func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBytes))
	var received event
	switch {
	case err != nil:
		response.WriteHeader(http.StatusRequestEntityTooLarge)
	case !isGenuine(request.Header, body) || json.Unmarshal(body, &received) != nil:
		response.WriteHeader(http.StatusBadRequest)
	case store(received.ID, body) != nil:
		response.WriteHeader(http.StatusInternalServerError)
	}
}

// store puts the event on the disk: Zimbo does not send it again once we have answered 200.
func store(eventID string, body []byte) error {
	if _, err := os.Stat(filepath.Join(done, eventID)); err == nil {
		return nil
	}
	return write(filepath.Join(inbox, eventID), body)
}

// write writes all of the file or nothing, and waits for the disk.
func write(path string, content []byte) error {
	file, err := os.CreateTemp(folder, "new-")
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Write(content); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// work handles what is in the inbox. An event that fails stays there and is tried again.
func work() {
	files, _ := os.ReadDir(inbox)
	for _, file := range files {
		path := filepath.Join(inbox, file.Name())
		if err := handle(path); err != nil {
			log.Printf("%s: %v", file.Name(), err)
			continue
		}
		if os.WriteFile(filepath.Join(done, file.Name()), nil, 0o600) == nil {
			os.Remove(path)
		}
	}
}

// handle takes the event as news that something has changed. The API says how things stand now, so the order in
// which events arrive does not matter.
func handle(path string) error {
	body, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var received event
	if err := json.Unmarshal(body, &received); err != nil {
		return err
	}
	kind, _, _ := strings.Cut(received.Type, ".")
	resource, isKnown := resources[kind]
	if !isKnown {
		return nil
	}
	request, err := http.NewRequest("GET", apiURL+"/v1/"+resource+"/"+received.Data.ID, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+apiKey)
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var current object
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the API answers %s", answer.Status)
	}
	if err := json.NewDecoder(answer.Body).Decode(&current); err != nil {
		return err
	}
	return update(current)
}

// update is your part: find the order by the externalId and change it, in one transaction.
func update(current object) error {
	path := filepath.Join(statuses, current.ID)
	if known, err := os.ReadFile(path); err == nil && string(known) == current.Status {
		return nil
	}
	fmt.Println(current.ID, current.Status)
	return write(path, []byte(current.Status))
}

func setting(name, otherwise string) string {
	value := os.Getenv(name)
	if value == "" {
		value = otherwise
	}
	if value == "" {
		log.Fatal(name + " is not set")
	}
	return value
}

func main() {
	for _, path := range []string{inbox, done, statuses} {
		if err := os.MkdirAll(path, 0o700); err != nil {
			log.Fatal(err)
		}
	}
	go func() {
		for ; ; time.Sleep(time.Second) {
			work()
		}
	}()
	server := http.Server{
		Addr:        "127.0.0.1:" + setting("PORT", "4400"),
		Handler:     http.HandlerFunc(receive),
		ReadTimeout: 15 * time.Second,
	}
	log.Fatal(server.ListenAndServe())
}
