// An app's origin for the browser tests: empty pages, and the official clients
// as npm ships them, for the pages to import.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../node_modules", import.meta.url));

/** Where a page finds each official client. */
export const clients = {
  iframeStamper: {
    "2.3.0": "/npm/@turnkey/iframe-stamper-2.3/dist/index.mjs",
    "2.5.0": "/npm/@turnkey/iframe-stamper-2.5/dist/index.mjs",
    "2.11.1": "/npm/@turnkey/iframe-stamper/dist/index.mjs",
  },
  webauthnStamper: "/npm/@turnkey/webauthn-stamper/dist/index.mjs",
  webauthnAttestation: "/npm/@turnkey/http/dist/webauthn.mjs",
};

const importMap = { imports: { "sha256-uint8array": "/npm/sha256-uint8array/dist/sha256-uint8array.mjs" } };

// ?frame=URL embeds that page and nothing else.
const page = `<!doctype html><meta charset="utf-8"><title>App</title>
<script type="importmap">${JSON.stringify(importMap)}</script>
<body><script>
const embedded = new URLSearchParams(location.search).get("frame");
if (embedded) {
  const frame = document.createElement("iframe");
  frame.id = "embedded";
  frame.src = embedded;
  document.body.append(frame);
}
</script></body>`;

/**
 * Serves an app's origin on a free port.
 * @returns {Promise<{origin: string, stop: () => Promise<void>}>}
 */
export async function serveAppPage() {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(404).end());
  });
  server.listen({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin: `http://localhost:${server.address().port}`, stop };
}

async function answer(request, response) {
  const { pathname } = new URL(request.url, "http://localhost");
  if (pathname === "/") {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    return;
  }
  const name = pathname.replace(/^\/npm\//, "/");
  const source = await readFile(packages + name);
  response.writeHead(200, { "content-type": "text/javascript; charset=utf-8" }).end(source);
}
