export interface OutputStream {
  write(text: string): unknown;
  /** True for a terminal. */
  readonly isTTY?: boolean | undefined;
}

export interface Io {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

export type Environment = Readonly<Record<string, string | undefined>>;
