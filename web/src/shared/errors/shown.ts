/** An error whose message was written for people and is shown as it is. */
export class ShownError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ShownError";
  }
}
