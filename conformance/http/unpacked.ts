import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

const unpacking: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** A body as it was before it was packed; undefined for more bytes than `most`. What is not packed as it says is taken as it came: it was unpacked on the way. */
export function unpacked(bytes: Buffer, encoding: string, most: number): Buffer | undefined {
  const unpack = unpacking[encoding.trim().toLowerCase()];
  if (!unpack || bytes.length === 0) return bytes;
  try {
    return unpack(bytes, { maxOutputLength: most });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? undefined : bytes;
  }
}
