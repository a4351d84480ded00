package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"

	"tenfold/catalog"
)

// Defaults of what may be left out.
const (
	defaultListen  = "localhost:8080"
	defaultData    = ".tenfold/app"
	defaultNetwork = "mainnet"
	defaultRelay   = "https://api.relay.link"
	defaultCustody = "https://api.turnkey.com"
	authFramePath  = "/auth/"
	rpcVariable    = "TENFOLD_RPC_"
)

// configuration is the settled answer of flags, environment, configuration file
// and defaults, in that order.
type configuration struct {
	Listen         string              `json:"listen"`
	Data           string              `json:"data"`
	Network        string              `json:"network"`
	CustodyURL     string              `json:"custodyUrl"`
	CustodyKeyFile string              `json:"custodyKeyFile"`
	AuthFrameURL   string              `json:"authFrameUrl"`
	RPID           string              `json:"rpId"`
	Origin         string              `json:"origin"`
	RelayURL       string              `json:"relayUrl"`
	RelayAPIKey    string              `json:"relayApiKey"`
	RelayReferrer  string              `json:"relayReferrer"`
	FaucetURL      string              `json:"faucetUrl"`
	PageURL        string              `json:"pageUrl"`
	RPC            map[string][]string `json:"rpc"` // chain id → URLs, best first
}

// configuration settles every setting. environment is os.Environ's form.
func (c *ServeCommand) configuration(environment []string) (configuration, error) {
	file, err := readConfigurationFile(c.Config)
	if err != nil {
		return configuration{}, err
	}
	settled := configuration{
		Listen:         first(c.Listen, file.Listen, defaultListen),
		Data:           first(c.Data, file.Data, defaultData),
		Network:        first(c.Network, file.Network, defaultNetwork),
		CustodyURL:     strings.TrimRight(first(c.CustodyURL, file.CustodyURL, defaultCustody), "/"),
		CustodyKeyFile: first(c.CustodyKeyFile, file.CustodyKeyFile),
		Origin:         first(c.Origin, file.Origin),
		RPID:           first(c.RPID, file.RPID),
		RelayURL:       first(c.RelayURL, file.RelayURL, defaultRelay),
		RelayAPIKey:    first(c.RelayAPIKey, file.RelayAPIKey),
		RelayReferrer:  first(c.RelayReferrer, file.RelayReferrer),
		FaucetURL:      first(c.FaucetURL, file.FaucetURL),
		PageURL:        first(c.PageURL, file.PageURL),
	}
	settled.Origin = first(settled.Origin, "http://"+settled.Listen)
	settled.AuthFrameURL = first(c.AuthFrameURL, file.AuthFrameURL, settled.CustodyURL+authFramePath)
	if settled.RPC, err = rpcURLs(file.RPC, environment); err != nil {
		return configuration{}, err
	}
	return settled, settled.check()
}

// readConfigurationFile reads the file strictly: a key that does not exist is a
// spelling mistake that would otherwise go unnoticed.
func readConfigurationFile(path string) (configuration, error) {
	var file configuration
	if path == "" {
		return file, nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return file, fmt.Errorf("read the configuration file: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return file, fmt.Errorf("read the configuration file %s: %w", path, err)
	}
	return file, nil
}

// rpcURLs gives each chain its node URLs: the environment's, the file's, or the
// catalog's public ones.
func rpcURLs(file map[string][]string, environment []string) (map[string][]string, error) {
	settled := map[string][]string{}
	for _, c := range catalog.Chains() {
		settled[strconv.FormatInt(c.ID, 10)] = c.RPCURLs
	}
	override := func(source, id string, urls []string) error {
		if _, known := settled[id]; !known {
			return fmt.Errorf("%s: %q is not a supported chain id", source, id)
		}
		if len(urls) == 0 {
			return fmt.Errorf("%s: chain %s has no URL", source, id)
		}
		for _, u := range urls {
			if err := checkURL(u); err != nil {
				return fmt.Errorf("%s: chain %s: %w", source, id, err)
			}
		}
		settled[id] = urls
		return nil
	}
	for id, urls := range file {
		if err := override("rpc in the configuration file", id, urls); err != nil {
			return nil, err
		}
	}
	for _, entry := range environment {
		name, value, _ := strings.Cut(entry, "=")
		id, isRPC := strings.CutPrefix(name, rpcVariable)
		if !isRPC || value == "" {
			continue
		}
		var urls []string
		for u := range strings.SplitSeq(value, ",") {
			urls = append(urls, strings.TrimSpace(u))
		}
		if err := override(name, id, urls); err != nil {
			return nil, err
		}
	}
	return settled, nil
}

func (c *configuration) check() error {
	if c.Network != "local" && c.Network != "mainnet" {
		return fmt.Errorf("network is %q, not local or mainnet", c.Network)
	}
	if c.CustodyKeyFile == "" {
		return errors.New("a custody key file is needed: --custody-key-file FILE")
	}
	for _, one := range []struct {
		name, url string
		optional  bool
	}{
		{"custody-url", c.CustodyURL, false},
		{"auth-frame-url", c.AuthFrameURL, false},
		{"relay-url", c.RelayURL, false},
		{"origin", c.Origin, false},
		{"faucet-url", c.FaucetURL, true},
		{"page-url", c.PageURL, true},
	} {
		if one.optional && one.url == "" {
			continue
		}
		if err := checkURL(one.url); err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
	}
	origin, _ := url.Parse(c.Origin)
	if origin.Path != "" || origin.RawQuery != "" {
		return fmt.Errorf("origin: %s has more than scheme, host and port", c.Origin)
	}
	if c.RPID == "" {
		c.RPID = origin.Hostname()
	}
	return nil
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		// The text itself may hold an access key.
		return errors.New("not an http:// or https:// URL with a host")
	}
	return nil
}

// originOf is a URL's scheme, host and port.
func originOf(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
