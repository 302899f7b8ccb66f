import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

const decoders: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** Decompresses a body; undefined if it has more than `most` bytes. A body that is not compressed as its header says is returned unchanged: a gateway has decompressed it. */
export function decompress(bytes: Buffer, encoding: string, most: number): Buffer | undefined {
  const decode = decoders[encoding.trim().toLowerCase()];
  if (!decode || bytes.length === 0) return bytes;
  try {
    return decode(bytes, { maxOutputLength: most });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? undefined : bytes;
  }
}
