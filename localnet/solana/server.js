// @ts-check
/** The transport: JSON-RPC over HTTP and WebSocket on one port, WebSocket alone on another. */
import http from 'node:http';
import { WebSocketServer } from 'ws';
import { parse, stringify } from './json.js';
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  NODE_UNHEALTHY,
  PARSE_ERROR,
  RpcError,
} from './rpc-error.js';

const HOST = '127.0.0.1';
const MAX_REQUEST_BYTES = 512 * 1024;
const MAX_BATCH = 100;
// A client that does not read is cut off rather than kept in memory.
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

/**
 * @typedef {import('./subscriptions.js').Subscriptions} Subscriptions
 * @typedef {Map<string, (params: any[]) => unknown>} Methods
 * @typedef {{methods: Methods, subscriptions: Subscriptions}} Service
 * @typedef {(message: string, attributes?: Record<string, unknown>) => void} Log
 */

export class Server {
  /** @type {Service | null} */
  #service = null;
  /** @type {http.Server[]} */
  #listeners = [];
  /** @type {WebSocketServer[]} */
  #sockets = [];
  #log;

  /** @param {Log} log for failures that are ours */
  constructor(log) {
    this.#log = log;
  }

  /**
   * Takes both ports. Requests are answered as by an unhealthy node until serve() is called.
   * @param {number} port HTTP and WebSocket
   * @param {number} webSocketPort
   */
  async listen(port, webSocketPort) {
    for (const [at, handler] of /** @type {const} */ ([
      [port, this.#onHttp.bind(this)],
      [webSocketPort, this.#onPlainRequestToWebSocketPort.bind(this)],
    ])) {
      const listener = http.createServer(handler);
      await new Promise((resolve, reject) => {
        listener.once('error', reject);
        listener.listen(at, HOST, () => resolve(undefined));
      });
      this.#listeners.push(listener);
      const sockets = new WebSocketServer({
        server: listener,
        maxPayload: MAX_REQUEST_BYTES,
        verifyClient: isLocalRequest,
      });
      sockets.on('connection', (socket) => this.#onSocket(socket));
      this.#sockets.push(sockets);
    }
  }

  /** @param {Service} service */
  serve(service) {
    this.#service = service;
  }

  /** Ends all connections and frees the ports. */
  async close() {
    for (const sockets of this.#sockets) for (const socket of sockets.clients) socket.terminate();
    await Promise.all(
      this.#listeners.map((listener) => {
        listener.closeAllConnections();
        return new Promise((resolve) => listener.close(resolve));
      }),
    );
  }

  /**
   * @param {http.IncomingMessage} request
   * @param {http.ServerResponse} response
   */
  async #onHttp(request, response) {
    if (!isLocalRequest({ req: request })) return end(response, 403, 'text/plain', 'invalid host specified\n');
    if (request.method === 'OPTIONS') return end(response, 204, null, '');
    if (request.method === 'GET' && request.url === '/health') {
      return end(response, this.#service ? 200 : 503, 'text/plain', this.#service ? 'ok' : 'starting');
    }
    if (request.method !== 'POST')
      return end(response, 405, 'text/plain', 'Used HTTP Method is not allowed. POST is required\n');
    const body = await readBody(request);
    if (body === null) return end(response, 413, 'text/plain', 'request is too large\n');
    const answer = await this.#answer(body);
    end(response, 200, 'application/json', answer === null ? '' : stringify(answer));
  }

  /**
   * @param {http.IncomingMessage} _request
   * @param {http.ServerResponse} response
   */
  #onPlainRequestToWebSocketPort(_request, response) {
    end(response, 426, 'text/plain', 'this port speaks WebSocket\n');
  }

  /** @param {import('ws').WebSocket} socket */
  #onSocket(socket) {
    /** @param {unknown} message */
    const send = (message) => {
      if (socket.bufferedAmount > MAX_UNSENT_BYTES) return socket.terminate();
      if (socket.readyState === socket.OPEN) socket.send(stringify(message));
    };
    /** @type {import('./subscriptions.js').Push} */
    const push = (method, result, subscription) => send({ jsonrpc: '2.0', method, params: { result, subscription } });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => this.#service?.subscriptions.removeClient(push));
    socket.on('message', async (data) => {
      const request = parseRequest(data.toString());
      if (request === undefined) return send(failure(null, new RpcError(PARSE_ERROR, 'Parse error')));
      const subscribed = this.#subscribe(request, push);
      if (subscribed) {
        send(subscribed.answer);
        subscribed.after?.();
        return;
      }
      const answer = await this.#answerParsed(request);
      if (answer !== null) send(answer);
    });
  }

  /**
   * @param {any} request
   * @param {import('./subscriptions.js').Push} push
   * @returns {{answer: object, after?: () => void} | null} null when it is no subscription request
   */
  #subscribe(request, push) {
    if (!this.#service || !isRequest(request)) return null;
    try {
      const handled = this.#service.subscriptions.handle(request.method, request.params ?? [], push);
      return handled && { answer: { jsonrpc: '2.0', result: handled.result, id: request.id }, after: handled.after };
    } catch (error) {
      return { answer: failure(request.id, this.#clientError(request.method, error)) };
    }
  }

  /** @param {string} text */
  async #answer(text) {
    const parsed = parseRequest(text);
    if (parsed === undefined) return failure(null, new RpcError(PARSE_ERROR, 'Parse error'));
    return this.#answerParsed(parsed);
  }

  /** @param {unknown} parsed */
  async #answerParsed(parsed) {
    if (!Array.isArray(parsed)) return this.#answerOne(parsed);
    if (parsed.length === 0 || parsed.length > MAX_BATCH) {
      return failure(null, new RpcError(INVALID_REQUEST, `a batch has 1 to ${MAX_BATCH} requests`));
    }
    const answers = [];
    for (const request of parsed) answers.push(await this.#answerOne(request));
    return answers.filter((answer) => answer !== null);
  }

  /**
   * @param {any} request
   * @returns {Promise<object | null>} null for a notification, which gets no answer
   */
  async #answerOne(request) {
    if (!isRequest(request)) return failure(null, new RpcError(INVALID_REQUEST, 'Invalid request'));
    const answered = request.id !== undefined;
    try {
      if (!this.#service) throw new RpcError(NODE_UNHEALTHY, 'Node is unhealthy');
      const method = this.#service.methods.get(request.method);
      if (!method) throw new RpcError(METHOD_NOT_FOUND, 'Method not found');
      const result = await method(request.params ?? []);
      return answered ? { jsonrpc: '2.0', result, id: request.id } : null;
    } catch (error) {
      return answered ? failure(request.id, this.#clientError(request.method, error)) : null;
    }
  }

  /**
   * @param {string} method
   * @param {unknown} error
   * @returns {RpcError}
   */
  #clientError(method, error) {
    if (error instanceof RpcError) return error;
    this.#log('request failed', { method, error: String(/** @type {Error} */ (error)?.stack ?? error) });
    return new RpcError(INTERNAL_ERROR, 'Internal error');
  }
}

/** @param {string} text */
function parseRequest(text) {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** @param {any} request */
function isRequest(request) {
  return (
    request !== null &&
    typeof request === 'object' &&
    typeof request.method === 'string' &&
    (request.params === undefined || request.params === null || Array.isArray(request.params))
  );
}

/**
 * @param {unknown} id
 * @param {RpcError} error
 */
function failure(id, { code, message, data }) {
  return { jsonrpc: '2.0', error: { code, message, ...(data !== undefined && { data }) }, id: id ?? null };
}

/**
 * Only requests to this machine by name: a page elsewhere that points its own name at 127.0.0.1 is refused.
 * @param {{req: http.IncomingMessage}} info
 */
function isLocalRequest({ req }) {
  const name = (req.headers.host ?? '').replace(/:\d+$/, '');
  return name === 'localhost' || name === '127.0.0.1' || name === '[::1]';
}

/**
 * @param {http.IncomingMessage} request
 * @returns {Promise<string | null>} null when it is too large
 */
async function readBody(request) {
  const chunks = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > MAX_REQUEST_BYTES) return null;
      chunks.push(chunk);
    }
  } catch {
    return ''; // the client went away; nobody reads the answer
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * @param {http.ServerResponse} response
 * @param {number} status
 * @param {string | null} type
 * @param {string} body
 */
function end(response, status, type, body) {
  response.writeHead(status, { ...CORS, ...(type && { 'content-type': type }) });
  response.end(body);
}
