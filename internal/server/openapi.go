package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"tenfold/internal/apphttp"
)

// OpenAPICommand prints the app API's OpenAPI document.
type OpenAPICommand struct {
	// Out is where the document goes; standard output when nil.
	Out io.Writer `kong:"-"`
}

// Run prints the document, indented so that differences can be read.
func (c *OpenAPICommand) Run(context.Context) error {
	api, err := apphttp.New(apphttp.Services{})
	if err != nil {
		return fmt.Errorf("make the API document: %w", err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, api.Document(), "", "  "); err != nil {
		return fmt.Errorf("indent the API document: %w", err)
	}
	indented.WriteByte('\n')
	out := c.Out
	if out == nil {
		out = os.Stdout
	}
	_, err = out.Write(indented.Bytes())
	return err
}
