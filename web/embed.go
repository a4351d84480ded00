// Package web owns the built page: it embeds dist and serves it over HTTP with
// the page's security headers. It knows nothing of the API, must never answer
// under /api or /ws, and belongs to the edges.
package web

import (
	"embed"
	"io/fs"
)

// dist holds what `npm run build` wrote. A fresh clone holds only .keep, so
// that the module compiles before the page is built.
//
//go:embed all:dist
var dist embed.FS

// FS is the built page's files, rooted at dist.
func FS() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the directory is embedded above
	}
	return files
}
