/** Returns the reason why a file could not be read or written, as the end of a sentence, without a full stop. */
export function whyNot(error: unknown, done: 'read' | 'written'): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: done === 'read' ? 'there is no such file' : 'there is no such folder',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of the path is not a folder',
    EEXIST: 'a file with this name exists',
    EACCES: `it may not be ${done}`,
    EPERM: `it may not be ${done}`,
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
  };
  return reasons[code] ?? message;
}
