export interface Io {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

export type Environment = Readonly<Record<string, string | undefined>>;
