// @ts-check
/**
 * An append-only file of records, each on disk before append() returns. One record is one line: the first eight
 * hex digits of the SHA-256 of its JSON, a space, the JSON. A line that a crash cut short is dropped on opening;
 * damage anywhere else refuses to open.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { parse, stringify } from './json.js';

const CHECKSUM_DIGITS = 8;
const NEWLINE = 10;

/** One open journal file. */
export class Journal {
  #fd;
  #size;

  /**
   * @param {number} fd
   * @param {number} size
   */
  constructor(fd, size) {
    this.#fd = fd;
    this.#size = size;
  }

  /**
   * Opens or creates the file and reads what is in it.
   * @param {string} file
   * @param {(record: any, end: number) => void} onRecord called for each record with the offset after it
   * @returns {Journal}
   * @throws {Error} when the file is damaged
   */
  static open(file, onRecord) {
    const fd = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_APPEND, 0o600);
    const end = readRecords(fs.readFileSync(fd), file, onRecord);
    fs.ftruncateSync(fd, end);
    fs.fsyncSync(fd);
    syncDirectory(path.dirname(file));
    return new Journal(fd, end);
  }

  /** The offset after the last record. */
  get size() {
    return this.#size;
  }

  /**
   * @param {unknown} record
   * @throws {Error} when the record may not be on disk; the journal must not be used after that
   */
  append(record) {
    const json = stringify(record);
    const line = Buffer.from(`${checksum(json)} ${json}\n`);
    for (let written = 0; written < line.length; ) {
      written += fs.writeSync(this.#fd, line, written);
    }
    fs.fdatasyncSync(this.#fd);
    this.#size += line.length;
  }

  close() {
    fs.closeSync(this.#fd);
  }
}

/**
 * @param {Buffer} content
 * @param {string} file
 * @param {(record: any, end: number) => void} onRecord
 * @returns {number} the offset after the last whole record
 */
function readRecords(content, file, onRecord) {
  let start = 0;
  while (start < content.length) {
    const newline = content.indexOf(NEWLINE, start);
    if (newline < 0) break;
    const json = checkedJson(content.subarray(start, newline));
    if (json === null) {
      if (newline === content.length - 1) break;
      throw new Error(`${file} is damaged at byte ${start}`);
    }
    onRecord(parse(json), newline + 1);
    start = newline + 1;
  }
  return start;
}

/**
 * @param {Buffer} line
 * @returns {string | null}
 */
function checkedJson(line) {
  const json = line.subarray(CHECKSUM_DIGITS + 1).toString('utf8');
  return line.subarray(0, CHECKSUM_DIGITS).toString('latin1') === checksum(json) ? json : null;
}

/** @param {string} json */
function checksum(json) {
  return createHash('sha256').update(json).digest('hex').slice(0, CHECKSUM_DIGITS);
}

/**
 * Makes a file's name durable, not only its content.
 * @param {string} directory
 */
function syncDirectory(directory) {
  const fd = fs.openSync(directory, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Writes a file so that after a crash it has the old content or the new one, never a part.
 * @param {string} file
 * @param {Array<string | Uint8Array>} parts
 */
export function replaceFile(file, parts) {
  const temporary = `${file}.tmp`;
  const fd = fs.openSync(temporary, 'w', 0o600);
  try {
    for (const part of parts) {
      const bytes = Buffer.from(/** @type {any} */ (part));
      for (let written = 0; written < bytes.length; ) written += fs.writeSync(fd, bytes, written);
    }
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
  fs.renameSync(temporary, file);
  syncDirectory(path.dirname(file));
}
